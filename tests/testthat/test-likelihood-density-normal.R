for (engine in database_engines) {
  test_that(paste("numbers near 0 neither underflow nor raise an error:", engine), {
    con <- local_database(engine)
    single <- bayes_known(c(a = 0.5, b = 0.5), x = likelihood_gaussian(
      mean = c(a = 0, b = 1e-3), sd = c(a = 1, b = 1e5)
    ))
    block <- bayes_known(c(a = 0.5, b = 0.5), two = likelihood_gaussian(
      mean = rbind(a = c(x = 0, z = 0), b = c(0, 1)), covariance = diag(2)
    ))
    x <- c(0, 1e-200, -1e-300, 1e-160, 5e-324, 1, NA)
    data <- data.frame(x = x, z = rev(x), id = seq_along(x))
    table <- put_table(con, data)
    expect_lazy_scores(single, table, data, c("both", "log_joint"))
    expect_lazy_scores(block, table, data, c("both", "log_joint"))
  })
}
