#' Test plans as data frames
#'
#' A test plan as a table that a spreadsheet or another program can read, and its numbers in one
#' row.
#'
#' @param x A [test_plan()].
#' @param ... Not used: any further argument is an error.
#' @return
#' `tidy()` and `as.data.frame()`: a row for each node of the tree, parents before their children,
#' children in the order of the answers:
#' * `node`, `parent`: the numbers of the node and of the one above it, `NA` at the root;
#' * `path`: all answers that lead to the node, as text such as `"glu < 108.3; family = no"`, and
#'   `"start"` at the root. Cuts have four digits, more where two cuts of a test would be equal;
#' * `answer`: the last of these answers, `NA` at the root;
#' * `test`: the test, or the panel of tests, that comes next; `action`: the decision. One of both
#'   is `NA`;
#' * `probability`: that of the answer, for a case at the parent; `reach`: the probability that a
#'   case comes to the node at all;
#' * `cost`: the expected cost from this node on, with the prices of tests to come;
#' * `price`: that of `test`, with its visit; 0 where a further feature of a panel is read, `NA`
#'   with an action;
#' * `feature`: what is read, for a panel one of several features, or the numbers of a joint block;
#' * `from`, `to`: the exact ends of an interval of numbers, which contains `from` but not `to`;
#'   `NA` for levels, which are also in `plan$levels`;
#' * `class`: after a panel of numbers, the class whose probability the interval is of.
#'
#' `glance()`: one row: `value`, `lower`, `upper`, `exact`, `error`, `loss`, `now`, `all` and
#' `myopic`, as in [test_plan()]; `tests` and `nodes`, their numbers; `mean_tests` and `most_tests`:
#' the mean and the largest number of tests of a case, where a panel is one test.
#' @section Errors: `bayesrisk_error_object` if the plan is damaged.
#' @seealso [test_plan()], [plot()][plot.bayesrisk_test_plan]
#' @examples
#' test <- rbind(ill = c(pos = 0.9, neg = 0.1), well = c(pos = 0.2, neg = 0.8))
#' model <- bayes_known(c(ill = 0.1, well = 0.9), first = test, second = test)
#' cost <- cost_matrix(treat = c(ill = 0, well = 4), wait = c(ill = 8, well = 0))
#' plan <- test_plan(model, cost, price = 0.1)
#' tidy(plan)
#' glance(plan)
#' @name tidy.bayesrisk_test_plan
#' @export
tidy.bayesrisk_test_plan <- function(x, ...) {
  check_no_dots(...)
  as.data.frame(x)
}

#' @rdname tidy.bayesrisk_test_plan
#' @export
glance.bayesrisk_test_plan <- function(x, ...) {
  call <- check_no_dots(...)
  unless_damaged({
    steps <- count_steps(x$tree)
    numbers <- c("value", "lower", "upper", "exact", "error", "loss", "now", "all", "myopic")
    data.frame(
      unclass(x)[numbers], tests = nrow(x$tests), nodes = nrow(x$tree), mean_tests = steps$mean,
      most_tests = steps$most
    )
  }, call)
}
