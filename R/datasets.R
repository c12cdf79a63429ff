#' Fourteen days, and whether tennis was played
#'
#' The usual table for teaching decision trees and naive Bayes: four categorical properties of a
#' day's weather, and the class `play`. The table is small enough to check every probability with
#' pencil and paper.
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
#' predict(model, day, type = "joint")
#' predict(model, day, type = "prob")
"play_tennis"

#' Two dice, six ways to couple them
#'
#' Six joint distributions of two fair dice. All have the same marginals, but each coupling is a
#' different joint distribution.
#'
#' @format A data frame with 216 rows, 36 throws for each coupling:
#' \describe{
#'   \item{coupling}{a factor: `independent`; `equal` (both dice show the same number);
#'     `opposite` (the numbers add up to 7); `neighbour` (the second die shows the number of the
#'     first or the next number, 1 after 6, with equal probability); `half_equal` (`equal` with
#'     probability 1/2, else `independent`); `parity` (uniform over throws with two odd or two even
#'     numbers)}
#'   \item{first, second}{the numbers on the dice, 1 to 6}
#'   \item{probability}{the probability of this throw under this coupling}
#' }
#'
#' @source An answer to a question of the lecture "Bayesian Learning (Galili, Shamir, Yakhini)":
#'   is there a joint distribution of two fair dice that is not uniform over all throws?
#'
#' @examples
#' joint <- joint_table(subset(dice_couplings, coupling == "half_equal", -coupling))
#' joint
#' summary(joint)
#' event_probability(joint, first == second)
"dice_couplings"

#' The joint probabilities of a colour, a shape and a class
#'
#' The joint probabilities of two colours, two shapes and two classes. The eight probabilities add
#' up to 1. [event_probability()] computes any probability of the three variables from this table.
#' Two classifiers can be fitted to it: the exact one and the naive one. The naive classifier gives
#' different probabilities but the same decisions.
#'
#' @format A data frame with 8 rows, for [joint_table()]:
#' \describe{
#'   \item{colour}{a factor: `red` or `blue`}
#'   \item{shape}{a factor: `circle` or `square`}
#'   \item{class}{a factor: `positive` or `negative`}
#'   \item{probability}{the joint probability of colour, shape and class}
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

#' Four examples with unseen values
#'
#' Two positive and two negative examples of a concept. The factors declare nine possible values.
#' Three of them are not in the data: `medium`, `green` and `square`. The posterior of a medium
#' thing depends on the smoothing of unseen values.
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
