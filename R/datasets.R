#' Fourteen days, and whether tennis was played
#'
#' The table with which decision trees and naive Bayes are usually taught: four
#' properties of a day's weather, all categorical, and the class `play`. Small
#' enough to check every probability with pencil and paper.
#'
#' @format A data frame with 14 rows and 5 factors:
#' \describe{
#'   \item{outlook}{`sunny`, `overcast` or `rain`}
#'   \item{temperature}{`hot`, `mild` or `cool`}
#'   \item{humidity}{`high` or `normal`}
#'   \item{wind}{`weak` or `strong`}
#'   \item{play}{the class: `yes` (9 days) or `no` (5 days)}
#' }
#'
#' @source Quinlan, J. R. (1986). Induction of decision trees. *Machine Learning*,
#'   1, 81-106, \doi{10.1007/BF00116251}, as printed in the lectures "Chapter ML:IV
#'   Statistical Learning: Bayes Classification", "Applied Machine Learning
#'   Fundamentals, Unit III: Bayesian Decision Theory (Wehner)" and "CSE 4553
#'   Lecture 5: Probabilistic Classifier (Mahmud)". The lectures differ in the names
#'   of two levels: here they are `rain` and `cool`.
#'
#' @examples
#' model <- fit(bayes_naive(), play ~ ., data = play_tennis)
#' day <- data.frame(
#'   outlook = "sunny", temperature = "cool", humidity = "high", wind = "strong"
#' )
#' # The scores p(x | class) P(class) are 1/189 and 18/875.
#' exp(predict(model, day, type = "log_joint"))
#' predict(model, day, type = "prob")
"play_tennis"

#' Two dice, six ways to couple them
#'
#' Joint distributions of two dice in which each die is fair: the same marginals, and from one
#' coupling to the next another joint distribution.
#'
#' @format A data frame with 216 rows, 36 throws for each coupling:
#' \describe{
#'   \item{coupling}{a factor: `independent`; `equal` (the second die shows what the first
#'     shows); `opposite` (they add up to 7); `neighbour` (the second shows the same or the
#'     next number, 1 after 6, as often); `half_equal` (half the time `equal`, else
#'     `independent`); `parity` (independent but for both being odd or both even)}
#'   \item{first, second}{what the dice show, 1 to 6}
#'   \item{probability}{of this throw under this coupling}
#' }
#'
#' @source An answer to a question of the lecture "Bayesian Learning (Galili, Shamir, Yakhini)":
#'   is there a joint distribution of two fair dice that is not uniform?
#'
#' @examples
#' joint <- joint_table(subset(dice_couplings, coupling == "half_equal", -coupling))
#' joint
#' summary(joint)
#' event_probability(joint, first == second)
"dice_couplings"

#' The joint probabilities of a colour, a shape and a class
#'
#' Two by two kinds of things, and how often each is a positive example: the probability
#' of all eight combinations, which add up to 1. From it every question about the three
#' variables has an answer ([event_probability()]), and two classifiers can be made of it:
#' the exact one and the naive one, which gives other probabilities and the same decisions.
#'
#' @format A data frame with 8 rows, for [joint_table()]:
#' \describe{
#'   \item{colour}{a factor: `red` or `blue`}
#'   \item{shape}{a factor: `circle` or `square`}
#'   \item{class}{a factor: `positive` or `negative`}
#'   \item{probability}{how probable the three are together}
#' }
#'
#' @source The lecture "Naive Bayes Learning (after Mooney)": joint distribution.
#'
#' @examples
#' joint <- joint_table(mooney_joint)
#' event_probability(joint, colour == "red")
#' event_probability(joint, class == "positive", given = colour == "red" & shape == "circle")
#' fit(bayes_naive(), class ~ ., data = joint)
"mooney_joint"

#' Four examples, some of whose possible values were never seen
#'
#' Two positive and two negative examples of a concept. The factors declare the values
#' that could have been seen: of nine, `medium`, `green` and `square` were not. What a
#' classifier says of a medium thing depends on how it counts what it has not seen.
#'
#' @format A data frame with 4 rows and 4 factors:
#' \describe{
#'   \item{size}{`small`, `medium` (not seen) or `large`}
#'   \item{colour}{`red`, `blue` or `green` (not seen)}
#'   \item{shape}{`square` (not seen), `triangle` or `circle`}
#'   \item{class}{`positive` (2 examples) or `negative` (2 examples)}
#' }
#'
#' @source The lecture "Naive Bayes Learning (after Mooney)": estimating probabilities.
#'
#' @examples
#' medium <- data.frame(size = "medium", colour = "red", shape = "circle")
#' model <- fit(bayes_naive(laplace = 1), class ~ ., data = mooney_shapes)
#' predict(model, medium, type = "prob")
#' # Without smoothing both classes are impossible: `NA`, with a warning
#' predict(update(model, laplace = 0), medium, type = "prob")
"mooney_shapes"
