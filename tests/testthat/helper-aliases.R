# The aliases of a query that another part of the same SELECT names, or an expression of their own
# that is more than the column of this name. ClickHouse takes such a name for the alias.
hiding_aliases <- function(query) {
  words <- sql_words(query)
  depth <- cumsum((words == "(") - c(0, utils::head(words == ")", -1L)))
  found <- lapply(which(words == "SELECT"), function(start) {
    level <- depth[[start]]
    after <- seq(start, length(words))
    left <- match(TRUE, depth[after] < level, length(after) + 1L)
    own <- after[seq_len(left - 1L)]
    from <- own[match(TRUE, words[own] == "FROM" & depth[own] == level)]
    # The queries in its FROM are looked at by themselves.
    ends <- own > from & depth[own] == level & words[own] %in% c("WHERE", "GROUP")
    listed <- seq(start + 1L, from - 1L)
    item <- cumsum(words[listed] == "," & depth[listed] == level)
    hidden_in(split(words[listed], item), words[own[cumsum(ends) > 0]])
  })
  unique(unlist(found))
}

# In a text two quotes stand for one, or a backslash escapes the quote.
sql_words <- function(query) {
  word <- "'([^'\\\\]|''|\\\\.)*'|\"[^\"]*\"|`[^`]*`|[A-Za-z_]\\w*|[0-9][0-9.eE]*|[^\\s]"
  gsub("^[\"`]|[\"`]$", "", regmatches(query, gregexpr(word, query, perl = TRUE))[[1L]])
}

# `items`: the words of what is selected; `rest`: those of the conditions and the groups.
hidden_in <- function(items, rest) {
  items <- lapply(items, function(x) if (x[[1L]] == ",") x[-1L] else x)
  named <- vapply(items, function(x) "AS" %in% utils::head(utils::tail(x, 2L), 1L), NA)
  made <- items
  made[named] <- lapply(items[named], utils::head, -2L)
  hides <- vapply(which(named), function(i) {
    alias <- utils::tail(items[[i]], 1L)
    !identical(made[[i]], alias) && alias %in% c(unlist(made), rest)
  }, NA)
  vapply(items[named][hides], utils::tail, "", 1L)
}

# All queries that an expression sends to a database. `sender`: what sends them; open_query() sends
# those whose rows are read in blocks.
queries_of <- function(expr, sender = "db_rows_of") {
  sent <- character()
  note <- function(query) sent <<- c(sent, query)
  namespace <- asNamespace("bayesrisk")
  suppressMessages(
    trace(sender, as.call(list(note, quote(query))), print = FALSE, where = namespace)
  )
  on.exit(suppressMessages(untrace(sender, where = namespace)))
  force(expr)
  sent
}
