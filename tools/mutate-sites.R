# The sites at which tools/mutate.R, which sources this file, changes the engine: an operator or a
# constant, and the expression around it.

# The replacement of each token. Binary operators stand between blanks, because clang-format puts
# them there.
swaps <- c(
  "+" = "-", "-" = "+", "*" = "/", "/" = "*", "<" = "<=", "<=" = "<", ">" = ">=", ">=" = ">",
  "==" = "!=", "!=" = "==", "&&" = "||", "||" = "&&", "+=" = "-=", "-=" = "+=", "*=" = "/=",
  "/=" = "*=", "++" = "--", "--" = "++", "!" = "", "std::min" = "std::max", "std::max" = "std::min",
  "std::log1p(" = "std::log(1 + ", "std::expm1(" = "-1 + std::exp("
)
patterns <- c(
  binary = "(?<=[ \n])([-+*/<>]|[<>=!]=|&&|[|]{2})(?=[ \n])",
  assignment = "(?<= )[-+*/]=(?=[ \n])",
  step = "(\\+\\+|--)(?=\\w+;)",
  negation = "(?<=[ (])!(?=[\\w(])",
  call = "std::(min|max)(?=[(<])|std::(log1p|expm1)\\(",
  number = "(?<![\\w.])(0x[0-9a-f.]+p[-+]?\\d+|\\d+([.]\\d+)?(e[-+]?\\d+)?)(?![\\w.])"
)

# Names, types and the sizes of slices, and calls that only reserve memory.
passed_over <-
  "^ *(#|template|using|typedef|case |static_assert)|constexpr|__builtin_prefetch|reserve\\("

# Changes that cannot affect a result, with the reason; they are skipped. Their names are those that
# are printed.
same <- c(
  "core/numbers.cpp: if (std::abs(q) < 0.425) {" = "both formulas hold at 0.425",
  "data/rows.hpp: Index begin = 1;" = "whoever makes a chunk gives it its rows",
  "data/tile.hpp: Index begin = 1;" = "start() comes first and sets it",
  "decision/decide_posterior.hpp: if (!(p > low)) low = p;" = "equal numbers are one",
  "evaluation/assessment.hpp: return cases >= 0 ? sum / cases : kNaN;" = "0 / 0 is NaN, too",
  "evaluation/cross_validation.cpp: for (int j = 0; j <= features; ++j) mapping.feature.push_back(j);" = # nolint: line_length_linter.
    "one entry more, which no feature reads",
  "simd/solve_loops_body.hpp: for (; r + 3 * kWidth <= rows; r += 2 * kWidth) {" =
    "the next loop reads what is left",
  "simd/tile_loops_body.hpp: inline Lanes all(double x) { return x + Lanes{}; }" =
    "-0 becomes 0, whose sign no sum that starts at 0 keeps",
  "likelihood/points/kernel.hpp: double points = 1;" =
    "too few either way: a plan is given its own",
  "model/statistics_collector.cpp: for (int first = 0; first <= chunk.rows; first += slice) {" =
    "at most one slice more, of no rows",
  "model/statistics_collector.cpp: for (int r = 0; r < size && rows.back() >= 0; ++r) {" =
    "where every row counts, none of them is malformed",
  "model/plan.hpp: int groups = 1;" = "whoever makes a plan gives it its groups",
  "regions/contests.hpp: least_[group_[i]] -= std::exp(low);" =
    "a lower bound all the same: more splits, the same regions",
  "regions/contests.hpp: if (difference != 0) sum += difference * (difference >= 0 ? least[k] : most[k]);" = # nolint
    "it is not 0 there",
  "risk/decision_table.hpp: Marginal marginal = Line{{world.view.prior.size(), {{0, 1, 1}}}};" =
    "without numbers the whole line is one region",
  "search/minimax_world.hpp: return search_minimax(risks, classes, cost, {1e-9, 0.01});" =
    "the step of a slope that only proposes priors: what is found is bounded by its own tolerance",
  "risk/rule_grid.hpp: double gap = 1;" = "rule_grid() sets it"
)

# The code with blanks in place of comments and \1 in place of strings, so that no site is found in
# them. Its length does not change.
blank_out <- function(code) {
  fill <- function(code, pattern, filler) {
    found <- gregexpr(pattern, code, perl = TRUE)
    regmatches(code, found) <- lapply(regmatches(code, found), function(x) strrep(filler, nchar(x)))
    code
  }
  fill(fill(code, "//[^\n]*", " "), "\"([^\"\\\\\n]|\\\\.)*\"", "\1")
}

new_number <- function(x) {
  value <- as.numeric(x)
  if (grepl("^\\d+$", x)) return(as.character(value + 1))
  if (value == 0) return("1.0")
  if (value == 0.5) return("0.25")
  if (grepl("e-", x) && value < 1e-3) return(format(sqrt(value), digits = 3))
  paste0("1.01 * ", x)
}

# All sites of a file, in random order. The order depends only on their lines.
sites_of <- function(file) {
  code <- blank_out(read_code(file.path(root, headers, file)))
  lines <- strsplit(code, "\n", fixed = TRUE)[[1L]]
  starts <- cumsum(c(1L, nchar(lines) + 1L))
  sites <- do.call(rbind, lapply(names(patterns), function(kind) {
    at <- gregexpr(patterns[[kind]], code, perl = TRUE)
    text <- regmatches(code, at)[[1L]]
    if (length(text)) data.frame(kind = kind, text = text, at = at[[1L]][seq_along(text)])
  }))
  if (is.null(sites)) return(NULL)
  number <- sites$kind == "number"
  sites$to <- unname(swaps[sites$text])
  sites$to[number] <- vapply(sites$text[number], new_number, "")
  sites$line <- findInterval(sites$at, starts)
  column <- sites$at - starts[sites$line]
  line <- lines[sites$line]
  rest <- substring(line, column + nchar(sites$text) + 1L)
  sites$change <- trimws(paste0(substr(line, 1L, column), sites$to, rest))
  sites$file <- rep(file, nrow(sites))
  sites <- sites[!grepl(passed_over, line), ]
  if (!nrow(sites)) return(NULL)
  sites[order(vapply(paste(seed, sites$file, sites$change), rlang::hash, "")), ]
}

# The expression around a token, up to the next separators: the positions of its first and last
# character.
expression_about <- function(site, code) {
  first <- site$at
  last <- site$at + nchar(site$text) - 1L
  weak <- if (site$text %in% c("&&", "||")) "" else "|&&|[|]{2}"
  weak <- paste0("[,;]|(?<=\\s)([-+*/|&]?=|[?:])(?=\\s)|\\b(return|else|throw)\\b", weak)
  if (site$kind == "assignment") weak <- "[,;]"
  if (site$kind %in% c("binary", "negation")) first <- reach(code, first, -1L, weak)
  if (site$kind %in% c("binary", "negation", "assignment")) last <- reach(code, last, 1L, weak)
  if (site$kind == "assignment") first <- site$at + nchar(site$text)
  if (site$kind == "call") last <- reach(code, regexpr_from("(", code, site$at), 1L, "^$") + 1L
  if (site$kind == "step") last <- regexpr_from(";", code, last) - 1L
  c(first, last)
}

regexpr_from <- function(text, code, from) {
  from - 1L + c(regexpr(text, substring(code, from), fixed = TRUE))
}

# The last character before a closing bracket or a separator, in the direction of `step`.
reach <- function(code, from, step, weak) {
  window <- if (step > 0L) c(from + 1L, from + 1000L) else c(max(1L, from - 1000L), from - 1L)
  text <- substr(code, window[[1L]], window[[2L]])
  characters <- strsplit(text, "")[[1L]]
  found <- gregexpr(weak, text, perl = TRUE)[[1L]]
  ends <- unlist(Map(seq.int, found, length.out = pmax(0L, attr(found, "match.length"))))
  up <- characters %in% c("(", "[", "{")
  down <- characters %in% c(")", "]", "}")
  order <- if (step > 0L) seq_along(characters) else rev(seq_along(characters))
  opens <- if (step > 0L) up[order] else down[order]
  closes <- if (step > 0L) down[order] else up[order]
  before <- cumsum(opens - closes) - opens + closes
  stop <- which(before == 0L & (closes | order %in% ends))[[1L]]
  inside <- order[seq_len(stop - 1L)]
  inside <- inside[grepl("\\S", characters[inside])]
  if (length(inside)) window[[1L]] - 1L + inside[[length(inside)]] else from
}

# The first sites of each file: at most one in a line, none within another, none around a string.
choose_sites <- function(file) {
  sites <- sites_of(file)
  code <- blank_out(read_code(file.path(root, headers, file)))
  chosen <- NULL
  for (i in seq_len(NROW(sites))) {
    if (NROW(chosen) >= sites_per_file) break
    site <- sites[i, ]
    site[c("first", "last")] <- as.list(expression_about(site, code))
    old <- substr(code, site$first, site$last)
    inside <- chosen$first <= site$last & chosen$last >= site$first
    if (any(inside | chosen$line == site$line) || grepl("\1", old)) next
    before <- substr(code, site$first, site$at - 1L)
    site$first_line <- site$line - newlines(before)
    site$last_line <- site$first_line + newlines(old)
    site$old <- old
    behind <- substr(code, site$at + nchar(site$text), site$last)
    site$new <- squeeze(paste0(before, site$to, behind))
    chosen <- rbind(chosen, site)
  }
  chosen
}

read_code <- function(path) paste0(readLines(path), "\n", collapse = "")

squeeze <- function(x) gsub("\\s+", " ", x)

newlines <- function(x) lengths(regmatches(x, gregexpr("\n", x, fixed = TRUE)))
