record_names <- function() names(formals(likelihood_record))

# The arguments of the parts of a record.
part_arguments <- list(
  options = c("likelihoods", "features", "classes", "block", "call"), remedies = "problems",
  cases = c("bank", "statistics"),
  coefficients = c("bank", "parameters", "features", "classes"), describe = "likelihood",
  known = c("likelihood", "name", "classes", "call"),
  settle = c("likelihood", "feature", "range", "call"),
  plan = c("bank", "likelihood", "features", "classes", "call"),
  counts = c("bank", "statistics", "features", "classes"),
  summary = c("bank", "coefficients"), tidy = c("coefficients", "names", "classes"),
  moments = c("bank", "parameters", "j"), range = "moments",
  grid = c("bank", "parameters", "j", "moments", "range"), normals = c("parameters", "j"),
  single = c("bank", "state", "j"), log_density = c("bank", "parameters", "to"),
  recount = c("parameters", "n", "divisor")
)

test_that("each record has every part, of the right kind", {
  skip_on_cran()
  records <- likelihood_records()
  expect_identical(names(records), unname(vapply(records, `[[`, "", "name")))
  for (record in records) {
    has <- function(part) !is.null(record[[part]])
    expect_identical(names(record), record_names(), info = record$name)
    expect_true(record$kind %in% c("numeric", "categorical", "bag"), info = record$name)
    expect_true(
      record$support %in% c("levels", "line", "counts", "points", "terms"), info = record$name
    )
    flags <- record[c("joint", "shares_bank", "constructed", "steps", "iterates")]
    expect_true(all(vapply(flags, is_flag, NA)), info = record$name)
    expect_type(record$given, "list")
    if (!is.null(record$joint_as)) {
      joint <- likelihood_records()[[record$joint_as]]
      expect_true(joint$joint && joint$kind == record$kind, info = record$name)
    }
    if (!is.null(record$bag_as)) {
      expect_identical(likelihood_records()[[record$bag_as]]$kind, "bag", info = record$name)
    }
    expect_true(is_string(record$lender), info = record$name)
    needed <- c(
      "options", "remedies", "cases", "coefficients", "counts", "tidy", "summary", "plan", "grid",
      "normals",
      if (record$joint) "single", if (record$constructed) c("describe", "check"),
      if (length(record$given)) "known", if (record$kind == "bag") "bag_as",
      if (record$kind == "numeric") "moments"
    )
    expect_true(all(vapply(needed, has, NA)), info = record$name)
    for (part in intersect(names(part_arguments), names(Filter(Negate(is.null), record)))) {
      expect_identical(names(formals(record[[part]])), part_arguments[[part]], info = record$name)
    }
    expect_true(
      !has("unreadable") || identical(names(record$unreadable), c("problem", "found", "remedy"))
    )
  }
})

test_that("each single likelihood has a documented constructor, with the settings of its checks", {
  skip_on_cran()
  pages <- list.files(system.file("help", package = "bayesrisk"), "^AnIndex$", full.names = TRUE)
  topics <- sub("\t.*", "", readLines(pages))
  for (record in Filter(function(record) record$constructed, likelihood_records())) {
    name <- paste0("likelihood_", record$name)
    expect_true(name %in% getNamespaceExports("bayesrisk"), info = name)
    expect_true(name %in% topics, info = name)
    settings <- setdiff(names(formals(get(name))), "...")
    expect_setequal(names(formals(record$check)), c(settings, "call"))
    expect_true(all(unlist(record$given) %in% settings), info = name)
    likelihood <- do.call(name, valid_calls()[[name]])
    expect_named(likelihood, c("name", settings))
    expect_match(format(likelihood), "features by .+[.]$", info = name)
    expect_output(print(likelihood), "features by")
    file <- withr::local_tempfile()
    saveRDS(likelihood, file)
    expect_identical(readRDS(file), likelihood)
    expect_true(is_sound_likelihood(readRDS(file)), info = name)
    expect_false(is_sound_likelihood(c(likelihood, list(strange = 1))), info = name)
  }
})

# The parts that the code of the package asks of a record: record_of(x)$part, record$part.
parts_asked <- function(code) {
  if (!is.recursive(code) || is.environment(code)) return(NULL)
  if (is.function(code)) return(parts_asked(body(code)))
  record <- is.call(code) && identical(code[[1L]], quote(`$`)) &&
    (identical(code[[2L]], quote(record)) ||
       is.call(code[[2L]]) && identical(code[[2L]][[1L]], quote(record_of)))
  c(if (record) as.character(code[[3L]]), unlist(lapply(as.list(code), parts_asked)))
}

test_that("what the package asks of a record is a part of it, and each part is asked for", {
  skip_on_cran()
  namespace <- asNamespace("bayesrisk")
  asked <- unlist(lapply(mget(ls(namespace), namespace), parts_asked))
  expect_identical(setdiff(asked, record_names()), character())
  # The name of a record and what cannot be read are looked up in the list.
  expect_setequal(c(asked, "unreadable"), record_names())
})

test_that("a setting that its checks refuse or change is found in an object of a file", {
  damaged <- function(likelihood, ...) is_sound_likelihood(utils::modifyList(likelihood, list(...)))
  expect_true(damaged(likelihood_gaussian()))
  expect_false(damaged(likelihood_gaussian(), min_variance = -1))
  expect_false(damaged(likelihood_gaussian(), variance = c("unbiased", "ml")))
  expect_false(damaged(likelihood_gaussian(), name = "poisson"))
  expect_false(damaged(likelihood_kernel(), points = 100L))
  expect_false(damaged(likelihood_histogram(width = 1), origin = "a"))
  expect_false(is_sound_likelihood(unclass(likelihood_empirical())))
  expect_false(is_sound_likelihood(new_likelihood("poisson", list(strange = 1))))
  expect_false(is_sound_likelihood(new_likelihood("gaussian")))
})

test_that("which functions make likelihoods", {
  expect_identical(likelihood_functions("categorical"), "likelihood_categorical")
  expect_setequal(likelihood_functions("bag"), paste0("likelihood_", c("multinomial", "bernoulli")))
  expect_true("likelihood_kernel" %in% likelihood_functions("numeric"))
  expect_false("likelihood_kernel" %in% likelihood_functions("numeric", given = TRUE))
  expect_identical(joint_record(likelihood_gaussian())$name, "multivariate_gaussian")
  expect_identical(joint_record(likelihood_categorical())$name, "joint_table")
  expect_null(joint_record(likelihood_kernel()))
  expect_true("likelihood_gaussian" %in% joint_functions())
  expect_false("likelihood_categorical" %in% joint_functions())
})

test_that("of how many normals a feature is a sum", {
  normals <- function(type) record_of(list(type = type))$normals(list(components = c(1L, 3L)), 1L)
  expect_equal(c(normals("gaussian"), normals("multivariate_gaussian")), c(1, 1))
  expect_equal(normals("mixture"), 3)
  expect_identical(normals("categorical"), Inf)
})

test_that("remedies are those of the bank's problems, each said once", {
  remedies <- function(type, problems) record_of(list(type = type))$remedies(problems)
  problems <- list(problem = c("constant", "too_light", "empty"), class = c(1L, 2L, 1L))
  single <- remedies("gaussian", problems)
  expect_match(single[[1]], "min_variance")
  expect_match(single[[2]], "weight - 1")
  expect_match(single[[3]], "Drop the feature or the class")
  joint <- remedies("multivariate_gaussian", problems)
  expect_match(joint[[1]], "identity")
  expect_match(joint[[2]], "linear combination")
  expect_match(joint[[4]], "shrinkage")
  expect_match(remedies("joint_table", problems), "laplace")
  light <- list(problem = "too_light", class = NA_integer_)
  expect_length(remedies("multivariate_gaussian", light), 1L)
})

test_that("only a likelihood of a known kind is one", {
  expect_true(is_likelihood(likelihood_gaussian()))
  expect_true(is_likelihood(likelihood_categorical()))
  expect_false(is_likelihood("gaussian"))
  expect_false(is_likelihood(NULL))
  expect_false(is_likelihood(new_likelihood("strange")))
  expect_false(is_likelihood(structure(1, class = class(likelihood_gaussian()))))
})

test_that("given parameters are told from estimated ones", {
  expect_false(has_given_parameters(likelihood_categorical(laplace = 1)))
  expect_false(has_given_parameters(likelihood_gaussian("ml", 0.1)))
  expect_true(has_given_parameters(likelihood_gaussian(mean = c(a = 1), sd = 2)))
  expect_true(has_given_parameters(likelihood_categorical(table = rbind(a = c(x = 0.3, y = 0.7)))))
})

test_that("a likelihood prints as a sentence and returns itself", {
  expect_identical(
    format(likelihood_categorical(laplace = 1)),
    "Categorical features by relative frequency with Laplace 1."
  )
  expect_identical(
    format(likelihood_gaussian("ml", min_variance = 0.01)),
    "Numeric features by Gaussians with maximum-likelihood variance of at least 0.01."
  )
  spec <- likelihood_gaussian()
  expect_output(returned <- withVisible(print(spec)), "Numeric features by Gaussians")
  expect_false(returned$visible)
  expect_identical(returned$value, spec)
})

test_that("numbers follow options(digits), names are escaped", {
  old <- options(digits = 3)
  on.exit(options(old))
  expect_identical(format_numbers(1 / 3), "0.333")
  expect_identical(format_numbers(c(a = 1 / 3, `b\n` = 2)), "a 0.333, b\\n 2")
})

test_that("the comment of likelihood_record() lists its arguments", {
  skip_if(is.null(source_folder()), "The sources are not at hand.")
  lines <- readLines(file.path(source_folder(), "R", "likelihood.R"), encoding = "UTF-8")
  lines <- lines[seq_len(grep("^likelihood_record <- ", lines) - 1L)]
  listed <- regmatches(lines, regexpr("(?<=^#   )[a-z_]+(?= )", lines, perl = TRUE))
  expect_identical(listed, names(formals(likelihood_record)))
})

# Files that name a likelihood, beside its own file and the registry, and the reason.
reasons_to_name <- c(
  "source-db-cases.R" = "one pass of SQL suffices for single Gaussians",
  "source-db-count.R" = "SQL has the sums of Gaussians",
  "source-db-stream.R" = "SQL has the sums of Gaussians",
  "data-features.R" = "the multinomial alone has no form with a column for each term",
  "select-dependence.R" = "counts moments, which are the statistics of Gaussians",
  "select-moves.R" = "scores numeric blocks as Gaussians",
  "risk-methods.R" = "the quadratic form is that of Gaussians",
  "model-degenerate.R" = "terms of a bag of Gaussians are estimates that borrow",
  "model-known.R" = "forms of coef() that several likelihoods read",
  "model-posterior.R" = "a setting of Gaussian blocks",
  "model-questions.R" = "asks about numbers that Gaussians model",
  "select-likelihoods.R" = "the candidates of a search",
  "model-known-counts.R" = "the defaults of specifications",
  "spec-blocks.R" = "the default of joint blocks",
  "spec-text.R" = "choices of an argument"
)

# The texts and the names of arguments in some files that are names of likelihoods, by file.
# "categorical" and "gamma" are left out: a kind of features, and functions.
named_likelihoods <- function(files) {
  names <- setdiff(names(likelihood_records()), c("categorical", "gamma"))
  found <- lapply(stats::setNames(files, basename(files)), function(file) {
    tokens <- utils::getParseData(parse(file, keep.source = TRUE))
    texts <- tokens$text[tokens$token %in% c("STR_CONST", "SYMBOL_SUB")]
    intersect(gsub("[\"']", "", texts), names)
  })
  found[lengths(found) > 0L]
}

test_that("the registry is the only list of likelihoods in R, beside a few reasoned names", {
  skip_if(is.null(source_folder()), "The sources are not at hand.")
  files <- dir(file.path(source_folder(), "R"), "[.]R$", full.names = TRUE)
  found <- names(named_likelihoods(files[!startsWith(basename(files), "likelihood-")]))
  expect_identical(found, sort(names(reasons_to_name), method = "radix"))
})

test_that("a file of a likelihood names itself, its joint blocks and its bags at most", {
  skip_if(is.null(source_folder()), "The sources are not at hand.")
  files <- dir(file.path(source_folder(), "R"), "^likelihood-.*[.]R$", full.names = TRUE)
  found <- named_likelihoods(files)
  expect_identical(names(found)[lengths(found) > 3L], character())
})

test_that("the registry of the engine is its only list of likelihoods", {
  skip_if(is.null(source_folder()), "The sources are not at hand.")
  files <- dir(file.path(source_folder(), "src"), "[.](cpp|hpp|h)$", full.names = TRUE,
               recursive = TRUE)
  names <- sprintf("\"%s\"", setdiff(names(likelihood_records()), "categorical"))
  found <- Filter(function(file) {
    text <- readChar(file, file.size(file), useBytes = TRUE)
    sum(vapply(names, grepl, NA, text, fixed = TRUE)) > 1L
  }, files)
  expect_identical(basename(found), "registry.cpp")
})
