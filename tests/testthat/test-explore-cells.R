letters_model <- function(sd = 4) {
  bayes_known(
    prior = c(a = 0.75, b = 0.25), pixels = likelihood_gaussian(mean = c(a = 15, b = 25), sd = sd)
  )
}

below <- function(cut, low, high) {
  function(x) ifelse(x[[1]] < cut, low, high)
}

test_that("the cells of an axis hold the probabilities of each class", {
  skip_if_not_installed("htmlwidgets")
  part <- page_part(explorer(letters_model()))
  cells <- part$cells
  shares <- matrix(page_numbers(cells$table), ncol = 2)
  edges <- seq(cells$from, cells$to, length.out = cells$n + 1)
  by_hand <- sapply(c(15, 25), function(mean) diff(pnorm(edges, mean, 4)))
  # 32-bit numbers have seven digits
  expect_lt(max(abs(shares - by_hand)), 1e-8)
  expect_equal(colSums(shares), c(1, 1), tolerance = 1e-6)
  expect_equal(part$risk$best, bayes_risk(letters_model())$total)

  rate <- rep(c(3, 9), each = 50)
  d <- withr::with_seed(1, data.frame(y = gl(2, 50), n = stats::rpois(100, rate)))
  counts <- fit(bayes_naive(features = list(n = likelihood_poisson())), y ~ n, d)
  cells <- page_part(explorer(counts))$cells
  shares <- matrix(page_numbers(cells$table), ncol = 2)
  at <- as.vector(cells$edges)[-1] - 0.5
  expect_equal(shares[, 1], dpois(at, coef(counts)$n[[1]]), tolerance = 1e-6)

  bins <- fit(bayes_naive(numeric = likelihood_histogram(4)), y ~ n, d)
  cells <- page_part(explorer(bins))$cells
  shares <- matrix(page_numbers(cells$table), ncol = 2)
  expect_equal(colSums(shares), c(1, 1), tolerance = 1e-6)

  levels <- bayes_known(c(x = 0.2, y = 0.8), h = rbind(x = c(u = 0.9, v = 0.1), y = c(0.3, 0.7)))
  cells <- page_part(explorer(levels))$cells
  expect_equal(matrix(page_numbers(cells$table), 2), cbind(c(0.9, 0.1), c(0.3, 0.7)),
               tolerance = 1e-6)
})

test_that("a page without densities of its own has no cells", {
  skip_if_not_installed("htmlwidgets")
  two <- fit(bayes_naive(), Species ~ Petal.Length + Petal.Width, iris)
  expect_null(page_part(explorer(two))$cells)
  expect_null(page_part(explorer(two, given = list(Petal.Width = 1)))$cells)
  expect_false(is.null(page_part(explorer(two, features = "Petal.Width"))$cells))
  one <- fit(bayes_naive(), Species ~ Petal.Length, iris)
  tempered <- temper(one, iris, bias = TRUE, folds = 3)
  expect_null(page_part(explorer(tempered))$cells)
  single <- fit(bayes_naive(numeric = likelihood_empirical()), Species ~ Petal.Length, iris)
  expect_null(page_part(explorer(single))$cells)
})

test_that("a rule along a line has its cuts", {
  skip_if_not_installed("htmlwidgets")
  model <- letters_model()
  rule <- page_part(explorer(model, rule = below(23, "a", "b")))$rule
  expect_equal(as.vector(rule$cuts), 23, tolerance = 1e-9)
  expect_equal(as.vector(rule$actions), 0:1)
  # Both letters have the same spread, so the cut without priors lies in their middle.
  rule <- page_part(explorer(model, rule = "likelihood"))$rule
  expect_equal(as.vector(rule$cuts), 20, tolerance = 1e-9)
  rule <- page_part(explorer(model, rule = "prior"))$rule
  expect_length(rule$cuts, 0L)
  two <- fit(bayes_naive(), Species ~ Petal.Length + Petal.Width, iris)
  expect_error(explorer(two, features = "Petal.Width", rule = "prior"), "one feature",
               class = "bayesrisk_error_argument")
  levels <- bayes_known(c(x = 0.2, y = 0.8), h = rbind(x = c(u = 0.9, v = 0.1), y = c(0.3, 0.7)))
  expect_error(explorer(levels, rule = "prior"), "cannot be shown along",
               class = "bayesrisk_error_argument")
})

test_that("the areas of a cut are those of bayes_risk(), also after a prior and a cost moved", {
  skip_if_no_browser()
  model <- letters_model()
  found <- browse(list(explorer(model)), "
    const found = [summary(0)];
    enter(0, 'Cut between a and b', 23); found.push(summary(0));
    enter(0, 'prior of b, as a number', '0.4'); found.push(summary(0));
    enter(0, 'slider of the cost of a if b', '0.8'); found.push(summary(0));
    widgets[0].querySelectorAll('button')[0].click(); found.push(summary(0));
    const cost = +field(0, 'cost of a if b').value;
    return { areas: found.map(f => f.areas), cuts: found.map(f => f.rule.cuts[0]), cost: cost };
  ")
  expect_identical(as.character(found$errors), character())
  seen <- found$result
  moved <- c(a = 0.6, b = 0.4)
  cost <- cost_matrix(a = c(a = 0, b = seen$cost), b = c(a = 1, b = 0))
  cut <- below(seen$cuts[[2]], "a", "b")
  by_r <- list(
    bayes_risk(model), bayes_risk(model, rule = cut), bayes_risk(model, rule = cut, prior = moved),
    bayes_risk(model, cost, rule = cut, prior = moved), bayes_risk(model, cost, prior = moved)
  )
  expect_gt(seen$cost, 5)
  for (part in c("total", "reducible", "irreducible")) {
    expect_equal(seen$areas[[part]], vapply(by_r, `[[`, 1, part), tolerance = 1e-6, info = part)
  }
  # Left of the cut: the b that are decided as a, less what the best rule would save.
  expect_equal(seen$areas$at[[2]][[2]], by_r[[2]]$table["a", "b"], tolerance = 1e-6)
  expect_equal(seen$cuts[[1]], decision_regions(model)$to[[1]], tolerance = 1e-6)
  expect_equal(seen$cuts[[5]], decision_regions(model, cost, moved)$to[[1]], tolerance = 1e-6)
})

test_that("the page knows the Bayes risk of any likelihood under any prior", {
  skip_if_no_browser()
  d <- withr::with_seed(1, data.frame(
    y = gl(3, 100, labels = c("a", "b", "c")), x = stats::rnorm(300, rep(c(0, 2, 5), each = 100)),
    n = stats::rpois(300, rep(c(2, 8, 18), each = 100)),
    p = stats::rgamma(300, rep(c(1, 4, 9), each = 100)), g = gl(4, 5, 300)
  ))
  one <- function(spec, formula) fit(spec, formula, d)
  models <- suppressWarnings(list(
    normal = one(bayes_naive(), y ~ x),
    kernel = one(bayes_naive(numeric = likelihood_kernel()), y ~ x),
    histogram = one(bayes_naive(numeric = likelihood_histogram(7, laplace = 1)), y ~ x),
    counts = one(bayes_naive(features = list(n = likelihood_poisson())), y ~ n),
    gamma = one(bayes_naive(features = list(p = likelihood_gamma())), y ~ p),
    levels = one(bayes_naive(laplace = 1), y ~ g)
  ))
  pages <- lapply(models, explorer)
  found <- browse(unname(pages), "
    return widgets.map((widget, i) => {
      enter(i, 'prior of a, as a number', '0.1');
      return summary(i).areas.irreducible;
    });
  ")
  expect_identical(as.character(found$errors), character())
  for (i in seq_along(models)) {
    prior <- models[[i]]$parameters$prior
    prior <- c(0.1, prior[-1] * 0.9 / sum(prior[-1]))
    by_r <- bayes_risk(models[[i]], prior = prior)$total
    expect_equal(found$result[[i]], by_r, tolerance = 1e-5, info = names(models)[[i]])
  }
})

test_that("a cut is dragged by the pointer and moved by arrow keys", {
  skip_if_no_browser()
  page <- explorer(letters_model(), rule = below(23, "a", "b"), controls = NULL)
  found <- browse(list(page, explorer(letters_model())), "
    const map = widgets[0].querySelector('canvas'), cuts = [summary(0).rule.cuts[0]];
    const box = map.getBoundingClientRect();
    const point = (i, type, x) => widgets[i].querySelector('canvas').dispatchEvent(
      new PointerEvent(type, { clientX: box.left + x, clientY: box.top + 60, bubbles: true,
                               pointerId: 1, pointerType: 'mouse' }));
    point(0, 'pointerdown', 60); point(0, 'pointermove', 200); point(0, 'pointerup', 200);
    point(0, 'pointermove', 250);
    cuts.push(summary(0).rule.cuts[0]);
    map.dispatchEvent(new KeyboardEvent('keydown', { key: 'ArrowRight', bubbles: true }));
    cuts.push(summary(0).rule.cuts[0]);
    await new Promise(done => setTimeout(done, 1500));
    const before = summary(1).rule.cuts[0];
    widgets[1].querySelector('canvas').focus();
    point(1, 'pointerdown', 60); point(1, 'pointermove', 200); point(1, 'pointerup', 200);
    const controls = [...document.querySelectorAll('input, select, canvas')];
    return {
      cuts: cuts, width: map.clientWidth, far: summary(1).rule.cuts[0] - before,
      said: widgets[0].querySelector('[role=status]').textContent,
      slider: field(0, 'Cut between a and b').getAttribute('aria-valuetext'),
      unnamed: controls.filter(e => !e.getAttribute('aria-label') && !e.closest('label')).length
    };
  ")
  expect_identical(as.character(found$errors), character())
  seen <- found$result
  range <- page_part(page)$features[[1]]$range
  # The box of the map begins 50 pixels from the left and ends 8 before the right.
  dragged <- range[[1]] + (200 - 50) / (seen$width - 58) * diff(range)
  expect_equal(seen$cuts, c(23, dragged, dragged + 0.02 * diff(range)), tolerance = 1e-6)
  expect_equal(seen$far, 0)
  expect_match(seen$said, "^Error 0.*reducible 0.*Bayes error 0")
  expect_match(seen$slider, "Error")
  expect_equal(seen$unnamed, 0L)
})
