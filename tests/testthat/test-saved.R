# Objects that released versions saved are read, and say what they said.

releases <- list.dirs(test_path("saved"), recursive = FALSE)
data <- saved_data(test_path("saved", "0.2"))

# The largest difference of numbers; Inf if two answers differ in form.
difference <- function(now, then) {
  if (is.list(then)) {
    if (!identical(names(now), names(then))) return(Inf)
    return(max(0, unlist(Map(difference, now, then))))
  }
  if (!is.double(then)) return(if (identical(now, then)) 0 else Inf)
  if (!identical(attributes(now), attributes(then)) || !identical(is.na(now), is.na(then))) {
    return(Inf)
  }
  same <- now == then | is.na(then)
  max(0, abs(now - then)[!same] / pmax(1, abs(then)[!same]))
}

expect_said <- function(objects, then, parts = names(then)) {
  now <- suppressMessages(suppressWarnings(said_of(objects, data)))[parts]
  # The penalty of exponents is a coefficient since 0.3.
  now$coef <- lapply(now$coef, function(x) {
    x$temper <- x$temper[c("power", "offset")]
    x
  })
  for (part in parts) {
    for (name in names(then[[part]])) {
      far <- part == "updated" && name %in% iterated
      expect_lte(
        difference(now[[part]][[name]], then[[part]][[name]]), if (far) 1e-4 else 1e-12,
        label = paste(part, "of", name)
      )
    }
  }
}

for (folder in releases) {
  release <- basename(folder)
  then <- readRDS(file.path(folder, "said.rds"))

  test_that(paste("objects of", release, "say what they said"), {
    objects <- saved_objects(folder)
    expect_gte(length(objects), 36L)
    expect_said(objects, then)
  })

  test_that(paste("JSON files of", release, "hold the models of its RDS files"), {
    skip_if_not_installed("jsonlite")
    read <- function(file) {
      if (grepl("^statistics", basename(file))) read_statistics(file) else read_model_json(file)
    }
    files <- saved_objects(folder, "json", read)
    objects <- saved_objects(folder)
    expect_setequal(names(files), setdiff(names(objects), not_json))
    objects[names(files)] <- files
    expect_said(objects, then, c("prob", "class", "coef", "updated", "merged"))
  })

  test_that(paste("objects of", release, "are printed, summarised and brought up to date"), {
    for (object in saved_objects(folder)) {
      expect_gt(length(cli::ansi_strip(utils::capture.output(print(object)))), 0L)
      expect_gt(length(utils::capture.output(print(summary(object)))), 0L)
      current <- up_to_date(object, "object", environment())
      expect_identical(version_of(current), package_version_string)
      expect_identical(up_to_date(current, "object", environment()), current)
    }
  })
}
