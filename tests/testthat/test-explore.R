plane_names <- c("Petal.Length", "Petal.Width")

test_that("a page holds the log likelihoods, the look and the cases", {
  skip_if_not_installed("htmlwidgets")
  model <- fit(bayes_naive(), Species ~ ., iris)
  cost <- zero_one_cost(model, reject = 0.3)
  page <- explorer(model, cost, iris, plane_names, prior = c(0.2, 0.3, 0.5))
  expect_s3_class(page, c("bayesrisk_explorer", "htmlwidget"), exact = TRUE)
  x <- page$x
  part <- page_part(page)
  expect_equal(as.vector(x$classes), levels(iris$Species))
  expect_equal(as.vector(x$actions), c(rownames(cost), "reject.1"))
  expect_equal(as.numeric(unlist(x$cost)), as.vector(t(unclass(cost)[, levels(iris$Species)])))
  expect_equal(as.vector(part$prior), c(0.2, 0.3, 0.5))
  expect_equal(as.vector(x$cases$values[[1]]), iris$Petal.Length)
  expect_equal(as.vector(x$cases$class), as.integer(iris$Species) - 1L)
  axis <- part$features[[1]]
  at <- seq(axis$range[[1]], axis$range[[2]], length.out = axis$n)
  normal <- coef(model)$Petal.Length
  by_hand <- sapply(levels(iris$Species), function(k) {
    dnorm(at, normal[k, "mean"], normal[k, "sd"], log = TRUE)
  })
  table <- matrix(page_numbers(axis$table), ncol = 3)
  expect_equal(table - table[, 1], unname(by_hand - by_hand[, 1]), tolerance = 1e-6)
  expect_equal(page_numbers(part$base), log(rep(1 / 3, 3)), tolerance = 1e-7)
})

test_that("the tables of a joint block are those of its pairs, conditional on given values", {
  skip_if_not_installed("htmlwidgets")
  model <- fit(bayes_full(), Species ~ ., iris)
  given <- list(Sepal.Length = 6, Sepal.Width = NA)
  page <- explorer(model, given = given)
  expect_equal(vapply(page_part(page)$features, `[[`, "", "name"), plane_names)
  pair <- page_part(page)$pairs[[1]]
  grid <- expand.grid(lapply(1:2, function(i) {
    range <- page_part(page)$features[[i]]$range
    seq(range[[1]], range[[2]], length.out = pair$n[[i]])
  }))
  names(grid) <- plane_names
  scored <- predict(model, cbind(grid, Sepal.Length = 6, Sepal.Width = NA), "log_joint",
                    prior = "uniform")
  found <- matrix(page_numbers(pair$table), ncol = 3) +
    rep(page_numbers(page_part(page)$base), each = nrow(grid))
  expect_equal(found - found[, 2], unname(scored - scored[, 2]), tolerance = 1e-5)
  expect_equal(as.vector(page$x$given), c("Sepal.Length = 6", "Sepal.Width = NA"))
})

test_that("data of three classes have at most 160 kB", {
  skip_if_not_installed("htmlwidgets")
  d <- withr::with_seed(1, data.frame(
    y = gl(3, 2000), matrix(stats::rnorm(12 * 6000), 6000) + 1:3
  ))
  pages <- suppressWarnings(suppressMessages(list(
    explorer(fit(bayes_full(), y ~ ., d), data = d),
    explorer(fit(bayes_naive(numeric = likelihood_kernel()), y ~ ., d), data = d),
    explorer(fit(bayes_full(joint = likelihood_mixture(2, starts = 1)), y ~ X1 + X2 + X3 + X4, d),
             data = d)
  )))
  expect_equal(lapply(pages, function(page) length(page_part(page)$features)), list(9L, 9L, 4L))
  for (page in pages) expect_lt(page_size(page), 160e3)
})

test_that("wrong arguments are errors", {
  skip_if_not_installed("htmlwidgets")
  model <- fit(bayes_naive(), Species ~ ., iris)
  by_case <- cost_matrix(
    setosa = list(setosa = 0, versicolor = ~Petal.Width, virginica = 1), reject = 1
  )
  expect_error(explorer(model, by_case), class = "bayesrisk_error_argument")
  expect_error(explorer(model, iris), class = "bayesrisk_error_argument")
  expect_error(explorer(model, features = "petal"), class = "bayesrisk_error_argument")
  expect_error(explorer(model, data = iris[1:2]), class = "bayesrisk_error")
  expect_error(explorer(model, given = list(Petal.Width = 1), features = plane_names),
               "must not hold", class = "bayesrisk_error_argument")
  expect_error(explorer(model, given = list(Petal.Length = "a")), class = "bayesrisk_error_schema")
  expect_error(explorer(fit(bayes_naive(), Species ~ 1, iris)), "no features",
               class = "bayesrisk_error_argument")
})

test_that("the page decides as R does, after a prior, a cost and a reject action have changed", {
  skip_if_no_browser()
  naive <- fit(bayes_naive(), Species ~ ., iris)
  full <- fit(bayes_full(), Species ~ ., iris)
  pages <- lapply(list(naive, full), explorer, data = iris, features = plane_names)
  found <- browse(pages, "
    const found = [];
    for (const i of [0, 1]) {
      found.push(summary(i));
      enter(i, 'prior of virginica, as a number', '0.9');
      found.push(summary(i));
      enter(i, 'cost of setosa if versicolor', '0.05');
      found.push(summary(i));
      enter(i, 'also reject', true);
      enter(i, 'cost of reject', '0.1');
      found.push(summary(i));
    }
    return found;
  ")
  expect_identical(as.character(found$errors), character())
  expect_identical(grep("^file:", found$requests, value = TRUE, invert = TRUE), character())
  prior <- c(setosa = 0.05, versicolor = 0.05, virginica = 0.9)
  dear <- zero_one_cost(naive)
  dear["setosa", "versicolor"] <- 0.05
  reject <- as_cost_matrix(rbind(unclass(dear), reject = 0.1), rows = "decision")
  for (i in 1:2) {
    model <- list(naive, full)[[i]]
    steps <- list(
      list(NULL, NULL), list(NULL, prior), list(dear, prior), list(reject, prior)
    )
    for (j in seq_along(steps)) {
      step <- steps[[j]]
      at <- 4 * (i - 1) + j
      by_r <- shares_by_r(pages[[i]], model, step[[1]], step[[2]])
      expect_lt(max(abs(found$result$shares[[at]] - by_r)), 0.002)
      seen <- replace(iris, c("Sepal.Length", "Sepal.Width"), NA_real_)
      decided <- decide(model, seen, if (is.null(step[[1]])) zero_one_cost(model) else step[[1]],
                        prior = step[[2]])
      # The cases that are shown, not the population of the prior.
      assessed <- assess_decisions(decided, truth = iris$Species)
      expect_equal(found$result$meanCost[[at]], assessed$cost, tolerance = 1e-12)
    }
  }
})

test_that("the page decides as R does for any likelihood", {
  skip_if_no_browser()
  d <- withr::with_seed(1, data.frame(
    y = gl(3, 100, labels = c("a", "b", "c")), x = stats::rnorm(300), z = stats::rnorm(300),
    g = sample(c("u", "v", "w"), 300, TRUE), h = sample(c("p", "q"), 300, TRUE)
  ))
  k <- as.integer(d$y)
  d$x <- d$x + k
  d$z <- d$z * k + d$x
  d$n <- withr::with_seed(2, stats::rpois(300, 2 * k^2))
  d$p <- withr::with_seed(3, stats::rgamma(300, k^2, 1))
  d$g[1:60] <- "u"
  one <- function(spec, formula) fit(spec, formula, d)
  models <- suppressWarnings(list(
    kernel = one(bayes_naive(numeric = likelihood_kernel()), y ~ x + z),
    histogram = one(bayes_naive(numeric = likelihood_histogram(7, laplace = 1)), y ~ x + z),
    counts = one(bayes_naive(features = list(n = likelihood_poisson())), y ~ n + x),
    gamma = one(bayes_naive(features = list(p = likelihood_gamma())), y ~ p + z),
    levels = one(bayes_naive(laplace = 1), y ~ g + x),
    table = one(bayes_full(laplace = 1), y ~ g + h),
    mixture = one(bayes_full(joint = likelihood_mixture(1:2, starts = 2)), y ~ x + z),
    cells = one(bayes_full(joint = likelihood_histogram(6, laplace = 1)), y ~ x + z),
    pooled = one(bayes_full(covariance = "pooled"), y ~ x + z + p),
    temper = temper(one(bayes_naive(), y ~ x + z), d, bias = TRUE, folds = 3)
  ))
  cost <- cost_matrix(
    a = c(a = 0, b = 2, c = 5), b = c(a = 1, b = 0, c = 1), c = c(a = 4, b = 1, c = 0), ask = 0.4
  )
  pages <- lapply(models, explorer, cost = cost, data = d, prior = c(0.5, 0.3, 0.2))
  found <- browse(unname(pages), "return widgets.map((widget, i) => summary(i));")
  expect_identical(as.character(found$errors), character())
  for (i in seq_along(models)) {
    by_r <- shares_by_r(pages[[i]], models[[i]], cost, c(0.5, 0.3, 0.2))
    expect_lt(max(abs(found$result$shares[[i]] - by_r)), 0.002, label = names(models)[[i]])
    seen <- d
    seen[setdiff(names(models[[i]]$schema$features), shown_names(pages[[i]]))] <- NA
    assessed <- suppressWarnings(assess_decisions(
      decide(models[[i]], seen, cost, prior = c(a = 0.5, b = 0.3, c = 0.2)), truth = d$y
    ))
    expect_equal(found$result$meanCost[[i]], assessed$cost, tolerance = 1e-9,
                 info = names(models)[[i]])
  }
})

test_that("a user reaches everything by keyboard, by pointer and in hidden tabs", {
  skip_if_no_browser()
  model <- fit(bayes_full(), Species ~ ., iris)
  tennis <- fit(bayes_naive(laplace = 1), play ~ ., play_tennis)
  single <- fit(bayes_naive(), Species ~ Petal.Length, iris)
  pages <- list(
    explorer(model, data = iris), explorer(tennis, data = play_tennis), explorer(single)
  )
  tab <- htmltools::div(id = "tab", style = "display: none", pages[[1]])
  phone <- htmltools::div(style = "width: 360px", explorer(model, data = iris))
  found <- browse(htmltools::tagList(tab, pages[-1], phone), "
    const hidden = widgets[0].querySelector('canvas').clientWidth;
    document.getElementById('tab').style.display = '';
    await frame(); await frame();
    const map = widgets[0].querySelector('canvas');
    const value = () => { summary(0); return +field(0, 'Sepal.Length').value; };
    const first = value();
    map.focus();
    for (const key of ['ArrowRight', 'ArrowRight', 'ArrowUp']) {
      map.dispatchEvent(new KeyboardEvent('keydown', { key: key, bubbles: true }));
    }
    const moved = value();
    const box = map.getBoundingClientRect();
    map.dispatchEvent(new MouseEvent('click', {
      clientX: box.left + box.width - 20, clientY: box.top + 20, bubbles: true
    }));
    const clicked = value();
    enter(0, 'Across', '2');
    enter(0, 'Up', '3');
    enter(1, 'humidity', '1');
    await new Promise(done => setTimeout(done, 700));
    const wrong = field(0, 'cost of setosa if setosa');
    enter(0, 'cost of setosa if setosa', 'x');
    const controls = [...document.querySelectorAll('input, select, canvas')];
    return {
      hidden: hidden, shown: map.clientWidth, first: first, moved: moved, clicked: clicked,
      plane: summary(0).shares, tennis: summary(1).shares, single: summary(2).shares,
      invalid: wrong.getAttribute('aria-invalid'),
      closed: field(0, 'Sepal.Length').disabled,
      said: widgets[1].querySelector('[role=status]').textContent,
      sweep: widgets[0].querySelector('.br-sweep').getAttribute('aria-label'),
      unnamed: controls.filter(e => !e.getAttribute('aria-label') && !e.closest('label')).length,
      wide: Math.max(...widgets.map(widget => widget.scrollWidth - widget.clientWidth))
    };
  ")
  expect_identical(as.character(found$errors), character())
  seen <- found$result
  expect_equal(seen$hidden, 0L)
  expect_gt(seen$shown, 200)
  width <- diff(page_part(pages[[1]])$features[[1]]$range)
  expect_equal(seen$moved - seen$first, 0.04 * width, tolerance = 1e-3)
  expect_gt(seen$clicked, seen$moved)
  page <- explorer(model, features = plane_names)
  expect_lt(max(abs(seen$plane - shares_by_r(page, model))), 0.002)
  by_r <- shares_by_r(pages[[2]], tennis, others = list(humidity = "normal"))
  expect_lt(max(abs(seen$tennis - by_r)), 0.002)
  expect_match(seen$said, "^Decided on the map.*humidity = normal.*decide yes")
  regions <- decision_regions(single)
  range <- page_part(explorer(single))$features[[1]]$range
  width <- pmax(0, pmin(regions$to, range[[2]]) - pmax(regions$from, range[[1]]))
  shares <- as.vector(tapply(width, regions$decision, sum)) / diff(range)
  expect_lt(max(abs(seen$single - shares)), 0.002)
  expect_equal(seen$invalid, "true")
  expect_true(seen$closed)
  expect_match(seen$sweep, "^Least expected cost against the posterior of setosa")
  expect_equal(seen$unnamed, 0L)
  expect_lte(seen$wide, 0L)
})
