for (engine in database_engines) {
  test_that(paste("hundreds of features and classes:", engine), {
    con <- local_database(engine)
    data <- withr::with_seed(1, data.frame(
      y = rep(c("a", "b"), 20), matrix(stats::rnorm(40 * 200), 40), id = 1:40
    ))
    wide <- fit(bayes_naive(), y ~ . - id, data)
    expect_lazy_scores(wide, put_table(con, data), data, "both")
    data$y <- sprintf("c%03d", (data$id - 1) %/% 2)
    levels <- sprintf("c%03d", 0:129)
    known <- bayes_known(
      stats::setNames(rep(1 / 130, 130), levels),
      X1 = likelihood_gaussian(mean = stats::setNames(seq(-3, 3, length.out = 130), levels), sd = 1)
    )
    data <- data[c("X1", "id")]
    expect_lazy_scores(known, put_table(con, data), data, "both")
  })
}
