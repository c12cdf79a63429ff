test_that("frames, arrays, tables and counts give the same table", {
  cells <- mooney_cells()
  joint <- joint_table(cells)
  expect_s3_class(joint, "bayesrisk_joint")
  expect_identical(joint[["circle", "blue", "positive"]], .02)
  expect_identical(joint_table(joint), joint)
  expect_equal(joint_table(xtabs(probability ~ shape + colour + class, cells)), joint)
  counts <- transform(cells, probability = NULL, n = round(100 * probability))
  expect_equal(joint_table(counts), joint)
  expect_equal(joint_table(cells[c(8, 3, 1, 5, 2, 7, 4, 6), ]), joint)
  # A combination that is not there has probability 0.
  part <- data.frame(a = c("x", "y"), b = c(TRUE, FALSE), Freq = c(1L, 3L))
  expect_identical(unname(unclass(joint_table(part))[2:1, 1:2]), rbind(c(.75, 0), c(0, .25)))
  expect_equal(sum(joint_table(Titanic)), 1)
})

test_that("cells come back as a data frame, whose factors keep all values", {
  joint <- joint_table(mooney_cells())
  cells <- as.data.frame(joint)
  expect_named(cells, c("shape", "colour", "class", "probability"))
  expect_identical(levels(cells$colour), c("red", "blue"))
  expect_equal(joint_table(cells), joint)
  expect_equal(c(unclass(marginSums(joint, "shape"))), c(circle = .47, square = .53))
})

test_that("a table makes the exact and the naive classifier", {
  joint <- joint_table(mooney_cells())
  full <- fit(bayes_full(), class ~ ., joint)
  naive <- fit(bayes_naive(), class ~ ., joint)
  cases <- expand.grid(shape = c("circle", "square"), colour = c("red", "blue"))
  exact <- c(4 / 5, 1 / 16, 1 / 11, 1 / 21)
  expect_within(predict(full, cases, type = "prob")[, "positive"], exact, 1e-14)
  p <- predict(naive, cases, type = "prob")[, "positive"]
  expect_within(p[[1]], 1452 / 2327, 1e-14)
  expect_within(p[-1], c(.101643, .165275, .013320), 1e-6, scale = 1)
  expect_identical(predict(naive, cases), predict(full, cases))
  expect_within(bayes_risk(full)$total, 1 / 10, 1e-14)
  expect_within(bayes_risk(full, rule = "prior")$total, 1 / 4, 1e-14)
  expect_bayesrisk_error(
    fit(bayes_naive(), class ~ ., joint, weights = probability), "argument", "weights"
  )
})

test_that("the summary tells marginals and dependence", {
  described <- summary(joint_table(mooney_cells()))
  expect_equal(described$marginals$class, c(positive = .25, negative = .75))
  expect_equal(described$marginals$colour, c(red = .57, blue = .43))
  expect_false(any(described$pairs$independent))
  # Fair dice: 5.169925 bits; coupled so that the marginals stay uniform they depend.
  dice <- matrix(1 / 36, 6, 6, dimnames = list(first = 1:6, second = 1:6))
  fair <- summary(joint_table(dice))
  expect_within(fair$entropy, 5.169925, 1e-6)
  expect_true(fair$pairs$independent)
  same <- summary(joint_table(diag(6) / 6 * structure(dice > 0, dimnames = dimnames(dice))))
  expect_within(same$pairs$information, log2(6), 1e-14)
  expect_equal(same$marginals$first, fair$marginals$first)
  # Z = X xor Y: independent in pairs only.
  xor <- array(0, c(2, 2, 2), list(x = 0:1, y = 0:1, z = 0:1))
  xor[cbind(c(1, 1, 2, 2), c(1, 2, 1, 2), c(1, 2, 2, 1))] <- 1 / 4
  expect_true(all(summary(joint_table(xor))$pairs$independent))
  expect_null(summary(joint_table(table(a = 1:3)))$pairs)
})

test_that("tables and summaries are printed", {
  joint <- joint_table(mooney_cells())
  expect_output(
    print(joint), "joint probabilities of shape (2), colour (2), class (2)", fixed = TRUE
  )
  expect_output(print(summary(joint)), "colour +red +0.57\n +colour +blue +0.43")
  expect_output(print(summary(joint)), "Entropy: 2.423 bits")
})

test_that("what is no complete and exclusive table is said", {
  cells <- mooney_cells()
  expect_refusals(
    "x & NULL" = joint_table(),
    "x & integer" = joint_table(1:3),
    "x & second" = joint_table(matrix(1, 2, 2, dimnames = list(second = 1:2, NULL))),
    "x & 2" = joint_table(transform(cells, probability = 2 * probability)),
    "x & 8" = joint_table(transform(cells, probability = -probability)),
    "x & mass" = joint_table(transform(cells, probability = 0)),
    "x & row 9" = joint_table(rbind(cells, cells[2, ])),
    "x & probability & Freq & n" = joint_table(cells[1:3]),
    "x & colour" = joint_table(transform(cells, colour = replace(colour, 2, NA))),
    "probability" = joint_table(table(probability = 1:2, b = 1:2)),
    "x & probability & Freq & n" = joint_table(cells["probability"])
  )
  expect_fuzz_proof(joint_table, "x", list(), is_joint_table)
})

test_that("variables and values without names have those of their place", {
  dice <- joint_table(matrix(1 / 36, 6, 6))
  sides <- as.character(1:6)
  expect_identical(dimnames(dice), list(first = sides, second = sides))
  half <- joint_table(matrix(1:4, 2, dimnames = list(colour = c("red", "blue"), NULL)))
  expect_identical(dimnames(half), list(colour = c("red", "blue"), second = c("1", "2")))
  counted <- joint_table(table(c("u", "v", "v"), c("p", "p", "q")))
  expect_identical(dimnames(counted), list(first = c("u", "v"), second = c("p", "q")))
  many <- dimnames(joint_table(array(1, rep(1L, 7L))))
  expect_identical(names(many)[6:7], c("sixth", "variable_7"))
})

test_that("events, one given another: the lecture's queries", {
  joint <- joint_table(mooney_cells())
  expect_within(event_probability(joint, colour == "red" & shape == "circle"), 1 / 4, 1e-15)
  expect_within(event_probability(joint, colour == "red"), 57 / 100, 1e-15)
  given <- event_probability(
    joint, class == "positive", given = colour == "red" & shape == "circle"
  )
  expect_within(given, 4 / 5, 1e-15)
  expect_within(event_probability(joint, class == "positive"), 1 / 4, 1e-15)
  expect_within(event_probability(joint, shape == "circle"), 47 / 100, 1e-15)
  expect_within(event_probability(joint, colour == "red" | shape == "circle"), 79 / 100, 1e-15)
})

test_that("any table, a variable of the caller, no condition", {
  which <- "Male"
  expect_equal(
    event_probability(UCBAdmissions, Admit == "Admitted", given = Gender == which),
    sum(UCBAdmissions["Admitted", "Male", ]) / sum(UCBAdmissions[, "Male", ])
  )
  expect_equal(event_probability(mooney_cells(), TRUE), 1)
  expect_equal(event_probability(mooney_cells(), TRUE, NULL), 1)
})

test_that("given the impossible nothing is known", {
  expect_warning(
    p <- event_probability(mooney_cells(), TRUE, given = colour == "red" & colour == "blue"),
    class = "bayesrisk_warning_impossible"
  )
  expect_identical(p, NA_real_)
})

test_that("what is no event is said", {
  skip_on_cran()
  joint <- joint_table(mooney_cells())
  expect_refusals(
    "event" = event_probability(joint),
    "event & color & colour" = event_probability(joint, color == "red"),
    "event & gren" = event_probability(joint, "gren" != colour),
    "given & squares" =
      event_probability(joint, TRUE, given = !(shape %in% c("circle", "squares"))),
    "event & shape" = event_probability(joint, shape > "circle"),
    "event & 3" = event_probability(joint, 3),
    "event & logical" = event_probability(joint, c(TRUE, NA)),
    "given & red" = event_probability(joint, TRUE, given = "red"),
    "joint" = event_probability("red", TRUE)
  )
})

test_that("values that are numbers are numbers: two dice", {
  # Lecture "Bayesian Learning" (Galili, Shamir, Yakhini): the sum of two dice.
  dice <- joint_table(matrix(1 / 36, 6, 6))
  expect_within(event_probability(dice, first + second == 7), 6 / 36, 1e-15)
  expect_within(event_probability(dice, first == 6, given = first + second >= 10), 1 / 2, 1e-15)
  expect_within(event_probability(dice, (first * second) %% 2 == 0), 3 / 4, 1e-15)
  expect_within(event_probability(matrix(1, 6, 6), abs(first - second) == 1), 10 / 36, 1e-15)
  # Comparisons with text, as for factors.
  expect_within(event_probability(dice, first == "3" | second %in% c("1", "2")), 16 / 36, 1e-15)
  expect_bayesrisk_error(event_probability(dice, first == "7"), "argument", "none of its levels")
  expect_bayesrisk_error(event_probability(dice, third == 7), "argument", "first \\(numbers\\)")
})

test_that("numbers that R writes in another form stay as they are written", {
  income <- joint_table(data.frame(income = c(100000L, 250000L), n = c(1, 3)))
  expect_within(event_probability(income, income > 150000), 3 / 4, 1e-15)
  expect_within(event_probability(income, income == "100000"), 1 / 4, 1e-15)
  padded <- joint_table(data.frame(code = c("01", "02"), n = c(1, 3)))
  expect_within(event_probability(padded, code == "01"), 1 / 4, 1e-15)
  expect_bayesrisk_error(event_probability(padded, code + 1 == 2), "argument", "code \\(factor\\)")
  mixed <- joint_table(data.frame(size = c("1", "large"), n = c(1, 3)))
  expect_within(event_probability(mixed, size == "large"), 3 / 4, 1e-15)
})
