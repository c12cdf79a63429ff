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
