# Sets a machine up: a writable library, the needs of the package (install_needs()), and
# the package itself (prepare()). Sourced by the scripts of tools/ and bench/ and by .ci/run.

# The whole set-up. `purpose` says how much is needed: "demo" for running the package, "test" for
# its tests and the frameworks that need no compiler, "all" for every framework and database,
# "coverage" for the coverage of the tests, "bench" for its peers, "check" for .ci/run.
prepare <- function(root, purpose) {
  install_needs(root, purpose)
  install_package(root)
}

install_needs <- function(root, purpose = c("demo", "test", "all", "coverage", "bench", "check")) {
  purpose <- match.arg(purpose)
  use_library()
  set_compilers()
  source(file.path(root, "tools", "setup-databases.R"))
  databases <- purpose %in% c("all", "coverage")
  required <- required_packages(root, purpose)
  wanted <- c(required, optional_packages(root, purpose))
  system <- c(missing_system(purpose), if (databases) missing_databases())
  compiled <- if (purpose == "test" && !has_binaries()) required else wanted
  absent <- missing_packages(c(wanted, dependencies(compiled)))
  install_with_apt(c(system, debian_names(absent)), wanted)
  if (databases) prepare_drivers() else if (purpose == "test") find_libraries()
  install_from_cran(compiled)
  stop_if_missing(required, purpose)
  if (purpose != "test") tell_missing(wanted)
}

# Says what is done before it is done, and its seconds after it.
timed <- function(title, work) {
  message(title, " ... ", appendLF = FALSE)
  message(sprintf("(%.0f s)", system.time(work)[["elapsed"]]))
}

# Without a locale, R knows the letters of ASCII alone, and tests of other letters fail.
use_utf8 <- function() {
  if (l10n_info()$`UTF-8` || .Platform$OS.type == "windows") return(invisible())
  message("This session is not UTF-8, so the locale is C.UTF-8 from here on.")
  Sys.setenv(LC_ALL = "C.UTF-8")
  invisible(Sys.setlocale("LC_ALL", "C.UTF-8"))
}

## Libraries -----------------------------------------------------------------------------------

# The first writable library, or a private one. Child processes get it by R_LIBS.
use_library <- function() {
  library <- Find(is_writable, .libPaths())
  if (is.null(library)) library <- make_private_library()
  # Debian's libraries may not have existed when this R process started.
  others <- Filter(dir.exists, c("/usr/local/lib/R/site-library", "/usr/lib/R/site-library"))
  .libPaths(unique(c(library, .libPaths(), if (is_debian_r()) others)))
  Sys.setenv(R_LIBS = paste(.libPaths(), collapse = .Platform$path.sep))
}

is_writable <- function(path) file.access(path, mode = 2) == 0

make_private_library <- function() {
  version <- paste(R.version$major, sub("[.].*", "", R.version$minor), sep = ".")
  usual <- strsplit(Sys.getenv("R_LIBS_USER"), .Platform$path.sep, fixed = TRUE)[[1]]
  own <- file.path(tools::R_user_dir("bayesrisk", "data"), "library", version)
  for (path in path.expand(c(setdiff(usual, c("", "NULL")), own))) {
    dir.create(path, recursive = TRUE, showWarnings = FALSE)
    if (is_writable(path)) {
      message("Using the private library ", path)
      return(path)
    }
  }
  stop(
    "No R library can be written to. Set the environment variable R_LIBS to a folder of yours.",
    call. = FALSE
  )
}

## What is needed ------------------------------------------------------------------------------

# The smallest sufficient version of each package, named by package ("0": any version).
declared_packages <- function(root, fields) {
  description <- read.dcf(file.path(root, "DESCRIPTION"), fields = fields)
  entries <- unlist(strsplit(description[!is.na(description)], ","))
  entries <- trimws(gsub("[[:space:]]+", " ", entries))
  packages <- sub("[ (].*", "", entries)
  bounds <- ifelse(grepl(">=", entries), gsub(".*>= *|\\)", "", entries), "0")
  bounds <- stats::setNames(bounds, packages)
  bounds[nzchar(packages) & packages != "R" & !duplicated(packages)]
}

# The least versions of these packages, from DESCRIPTION; "0" where it states none.
with_bounds <- function(packages, root) {
  declared <- declared_packages(root, c("Imports", "LinkingTo", "Suggests"))
  bounds <- declared[packages]
  stats::setNames(ifelse(is.na(bounds), "0", bounds), packages)
}

required_packages <- function(root, purpose) {
  run <- names(declared_packages(root, c("Imports", "LinkingTo")))
  more <- switch(purpose,
    demo = "MASS",
    test = ,
    all = c("testthat", "withr", "callr"),
    coverage = c("testthat", "withr", "callr", "covr"),
    bench = c("bench", "naivebayes"),
    check = c("testthat", "withr", "callr", "knitr", "rmarkdown", "roxygen2", "lintr")
  )
  with_bounds(c(run, more), root)
}

# Without one of these, the comparisons with it are skipped.
optional_packages <- function(root, purpose) {
  suggested <- names(declared_packages(root, "Suggests"))
  more <- switch(purpose,
    demo = character(),
    test = ,
    all = ,
    coverage = suggested,
    # Rfast is compiled with the two packages before it, which Debian has.
    bench = c(
      "e1071", "MASS", "collapse", "data.table", "fastNaiveBayes", "bnclassify", "RcppArmadillo",
      "RcppParallel", "Rfast", "klaR", "norm"
    ),
    check = c(suggested, "spelling", "pkgdown")
  )
  with_bounds(more, root)
}

missing_packages <- function(bounds) {
  serves <- function(package) {
    version <- tryCatch(utils::packageVersion(package), error = function(e) NULL)
    !is.null(version) && version >= bounds[[package]]
  }
  Filter(Negate(serves), unique(names(bounds)))
}

stop_if_missing <- function(bounds, purpose) {
  absent <- missing_packages(bounds)
  if (length(absent)) {
    stop(
      "These R packages are needed (", purpose, ") and could not be installed: ",
      toString(absent), ".\nInstall them by hand and run the command again.",
      call. = FALSE
    )
  }
  if (!has_compiler()) {
    stop(
      "No C++ compiler found. Debian or Ubuntu: apt-get install r-base-dev; ",
      "macOS: xcode-select --install; Windows: Rtools.",
      call. = FALSE
    )
  }
}

tell_missing <- function(bounds) {
  absent <- missing_packages(bounds)
  if (length(absent)) message("Not installed, what needs them is skipped: ", toString(absent))
}

# Windows finds Rtools only inside R CMD, so only the installation shows whether it is there.
has_compiler <- function() {
  if (.Platform$OS.type == "windows") return(TRUE)
  if (!nzchar(Sys.which("make"))) return(FALSE)
  config <- suppressWarnings(system2(r_command(), c("CMD", "config", "CXX17"), stdout = TRUE))
  length(config) > 0 && nzchar(Sys.which(strsplit(config[1], " ")[[1]][1]))
}

r_command <- function() file.path(R.home("bin"), "R")

## apt -----------------------------------------------------------------------------------------

# Debian's packages of R packages serve only Debian's own R.
is_debian_r <- function() R.home() == "/usr/lib/R"

can_apt <- function() {
  nzchar(Sys.which("apt-get")) && identical(Sys.info()[["effective_user"]], "root")
}

missing_system <- function(purpose) {
  packages <- if (!has_compiler()) if (is_debian_r()) "r-base-dev" else "build-essential"
  runs_tests <- purpose %in% c("test", "all", "coverage")
  if (runs_tests && is.na(find_doctest())) packages <- c(packages, "doctest-dev")
  # Rmpi opens libmpi.so by this name, which only the package for developers has.
  if (runs_tests && !length(Sys.glob("/usr/lib/*/libmpi.so"))) {
    packages <- c(packages, "libopenmpi-dev")
  }
  # Commands, and the packages that have them under another name.
  tools <- c("pandoc", "qpdf", "clang-format", "ccache", "node", "chromium", "time")
  missing <- sub("node", "nodejs", tools[!nzchar(Sys.which(tools))])
  if (purpose == "check") packages <- c(packages, missing)
  # The check is run in German, too.
  german <- file.exists("/usr/share/i18n/locales/de_DE")
  if (purpose == "check" && !german) c(packages, "locales") else packages
}

debian_names <- function(packages) {
  if (is_debian_r() && length(packages)) paste0("r-cran-", tolower(packages)) else character()
}

# Installs the packages that the archive has in a sufficient version. CRAN follows for the others.
install_with_apt <- function(packages, bounds) {
  if (!can_apt() || !length(packages)) return(invisible())
  timed("Reading the lists of apt-get", apt_get("update"))
  packages <- serving_candidates(packages, bounds)
  if (!length(packages)) return(invisible())
  timed(
    paste("Installing with apt-get:", toString(packages)),
    apt_get(c("install", "--yes", "--no-install-recommends", packages))
  )
  use_library()
}

apt_get <- function(arguments) {
  log <- tempfile()
  on.exit(unlink(log))
  status <- system2(
    "apt-get", c("--quiet", "--option=DPkg::Lock::Timeout=300", arguments),
    stdout = log, stderr = log, stdin = "/dev/null", env = "DEBIAN_FRONTEND=noninteractive"
  )
  if (status != 0) message("\napt-get ", arguments[1], " failed:\n", last_lines(log, 10))
}

serving_candidates <- function(packages, bounds) {
  policy <- system2("apt-cache", c("policy", packages), stdout = TRUE)
  heads <- grep("^[^ ].*:$", policy)
  candidates <- sub("^ *Candidate: *", "", policy[heads + 2])
  names(candidates) <- sub(":$", "", policy[heads])
  candidates <- candidates[candidates != "(none)"]
  floors <- stats::setNames(bounds, paste0("r-cran-", tolower(names(bounds))))
  serves <- function(name) {
    !name %in% names(floors) ||
      package_version(upstream_version(candidates[[name]])) >= floors[[name]]
  }
  Filter(serves, names(candidates))
}

# 2:1.14.8+dfsg-1 is version 1.14.8: without epoch, Debian revision and repacking suffix.
upstream_version <- function(version) {
  sub("[+~].*$", "", sub("-[^-]*$", "", sub("^[0-9]+:", "", version)))
}

## CRAN ----------------------------------------------------------------------------------------

# Six at a time, in parallel, so that no minutes pass in silence.
install_from_cran <- function(bounds, at_once = 6) {
  repos <- cran()
  absent <- missing_packages(bounds)
  for (packages in split(absent, (seq_along(absent) - 1) %/% at_once)) {
    # Some may have come with those before them.
    packages <- missing_packages(bounds[packages])
    if (length(packages)) timed(
      paste("Installing from CRAN:", toString(packages)),
      utils::install.packages(packages, .libPaths()[1], repos, Ncpus = cores(), quiet = TRUE)
    )
  }
}

cran <- function() {
  repos <- getOption("repos")
  repos[repos == "@CRAN@"] <- "https://cloud.r-project.org"
  if (length(repos)) repos else c(CRAN = "https://cloud.r-project.org")
}

# What the missing packages depend on, in any version: CRAN replaces what is too old.
dependencies <- function(bounds) {
  packages <- missing_packages(bounds)
  if (!is_debian_r() || !length(packages)) return(bounds[0])
  known <- utils::available.packages(repos = cran())
  needs <- tools::package_dependencies(packages, known, recursive = TRUE)
  more <- setdiff(unlist(needs), names(bounds))
  stats::setNames(rep("0", length(more)), more)
}

# CRAN's packages are compiled for Windows and macOS, those of some mirrors for Linux too.
has_binaries <- function() {
  .Platform$pkgType != "source" || any(grepl("__linux__", getOption("repos"), fixed = TRUE))
}

# A compiler gets a core and a gigabyte.
cores <- function() {
  allowed <- nzchar(Sys.which("nproc"))
  found <- if (allowed) as.integer(system2("nproc", stdout = TRUE)) else parallel::detectCores()
  max(1L, min(found, free_gigabytes()), na.rm = TRUE)
}

# The free memory of the machine or the container; NA if it does not say.
free_gigabytes <- function() {
  read <- function(file) if (file.exists(file)) readLines(file, warn = FALSE) else character()
  kilobytes <- grep("^MemAvailable:", read("/proc/meminfo"), value = TRUE)
  limit <- suppressWarnings(as.numeric(read("/sys/fs/cgroup/memory.max")))
  free <- c(as.numeric(gsub("[^0-9]", "", kilobytes)) / 2^20, limit / 2^30)
  if (all(is.na(free))) NA_integer_ else as.integer(min(free, na.rm = TRUE))
}

# Compilers get all cores, and write no debug symbols, which take half of their memory and a third
# of their time. Settings of the user stay.
set_compilers <- function() {
  if (!nzchar(Sys.getenv("MAKEFLAGS"))) Sys.setenv(MAKEFLAGS = paste0("-j", cores()))
  if (nzchar(Sys.getenv("R_MAKEVARS_USER")) || length(Sys.glob("~/.R/Makevars*"))) {
    return(invisible())
  }
  makevars <- tempfile("Makevars")
  flags <- c("CFLAGS", "CXXFLAGS", "CXX11FLAGS", "CXX14FLAGS", "CXX17FLAGS", "CXX20FLAGS")
  # install.packages() empties the variable MAKEFLAGS: without this line a package gets one core.
  writeLines(c(paste(flags, "+= -g0"), paste0("MAKEFLAGS += -j", cores())), makevars)
  Sys.setenv(R_MAKEVARS_USER = makevars)
}

## The package itself --------------------------------------------------------------------------

# The package is always installed. make compiles what has changed since the last time. Objects of
# another compiler or another system do not link: then all of them are compiled again.
install_package <- function(root) {
  use_ccache()
  log <- tempfile()
  on.exit(unlink(log))
  install <- function(...) {
    to <- shQuote(paste0("--library=", .libPaths()[1]))
    system2(r_command(), c("CMD", "INSTALL", ..., to, shQuote(root)), log, log)
  }
  timed(
    paste("Installing bayesrisk into", .libPaths()[1]),
    status <- if (install() == 0) 0 else install("--preclean")
  )
  if (status != 0) {
    stop("bayesrisk could not be installed:\n", last_lines(log, 60), call. = FALSE)
  }
}

# A compiled file serves in every folder, although debug symbols name the folder.
use_ccache <- function() {
  Sys.setenv(CCACHE_NOHASHDIR = "true")
  path <- Sys.getenv("PATH")
  if (dir.exists("/usr/lib/ccache") && !startsWith(path, "/usr/lib/ccache")) {
    Sys.setenv(PATH = paste0("/usr/lib/ccache:", path))
  }
}

last_lines <- function(file, n) {
  paste(utils::tail(readLines(file, warn = FALSE), n), collapse = "\n")
}

## The headers of the engine tests -------------------------------------------------------------

engine_settings <- function() {
  eigen <- system.file("include", package = "RcppEigen")
  paste0(c("EIGEN=", "DOCTEST="), c(eigen, doctest_include()))
}

doctest_include <- function() {
  found <- find_doctest()
  if (is.na(found)) {
    unpack_doctest()
    found <- find_doctest()
  }
  if (is.na(found)) {
    stop(
      "The engine tests need the header doctest/doctest.h. ",
      "Debian or Ubuntu: apt-get install doctest-dev; macOS: brew install doctest.",
      call. = FALSE
    )
  }
  found
}

find_doctest <- function() {
  folders <- c(
    "/usr/include", "/usr/local/include", "/opt/homebrew/include",
    file.path(cache_folder(), "usr", "include")
  )
  folders[file.exists(file.path(folders, "doctest", "doctest.h"))][1]
}

cache_folder <- function() tools::R_user_dir("bayesrisk", "cache")

# Debian and Ubuntu without root: the package is fetched and unpacked, not installed.
unpack_doctest <- function() {
  if (!all(nzchar(Sys.which(c("apt-get", "dpkg"))))) return(invisible())
  dir.create(cache_folder(), recursive = TRUE, showWarnings = FALSE)
  before <- setwd(cache_folder())
  on.exit(setwd(before))
  system2("apt-get", c("--quiet", "download", "doctest-dev"), stdout = FALSE, stderr = FALSE)
  archive <- Sys.glob("doctest-dev_*.deb")
  if (length(archive)) system2("dpkg", c("-x", shQuote(archive[1]), "."))
}
