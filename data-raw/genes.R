# What the article "Genes" shows: its session, as vignettes/articles/genes-session.txt, and the
# numbers that it computes with, as genes-*.csv there. Needs ISLR2, which has the data, and takes
# a minute. Run from the repository's root: Rscript data-raw/genes.R

library(bayesrisk)
source(file.path("data-raw", "session.R"))
options(digits = 3, width = 90, cli.unicode = FALSE)
set.seed(1)

sessions <- list(
  data = '
khan <- ISLR2::Khan
kinds <- c("BL", "EWS", "NB", "RMS")
cases <- function(genes, kind) data.frame(tumour = factor(kinds[kind], kinds), genes)
train <- cases(khan$xtrain, khan$ytrain)
test <- cases(khan$xtest, khan$ytest)
rbind(train = table(train$tumour), test = table(test$tumour))
',
  error = "
fit(bayes_full(), tumour ~ ., train)
",
  models = '
single <- fit(bayes_naive(numeric = likelihood_gaussian(pooled = TRUE)), tumour ~ ., train)
tempered <- temper(single, train, by = "block")
full <- fit(bayes_full(covariance = "pooled", identity = "auto"), tumour ~ ., train)
full
summary(coef(tempered)$temper$power)
',
  temper = "
still <- temper(full, train)
",
  coordinates = '
print(discriminants(full), n = 3)
plot(full, type = "discriminants", data = test)
'
)

shown <- lapply(sessions, function(code) {
  # The article draws the figures itself.
  grDevices::pdf(NULL)
  on.exit(grDevices::dev.off())
  record_session(code, globalenv())
})

folder <- file.path("vignettes", "articles")
marked <- unlist(Map(c, paste("==", names(shown)), shown), use.names = FALSE)
writeLines(marked, file.path(folder, "genes-session.txt"), useBytes = TRUE)

write_rows <- function(rows, file) {
  utils::write.csv(rows, file.path(folder, file), row.names = FALSE, quote = FALSE)
}
rounded <- function(x) signif(as.data.frame(x), 10)

models <- list(single = single, tempered = tempered, full = full)
measures <- c("error", "lower", "upper", "log_loss", "believed")
scores <- lapply(models, function(model) {
  suppressWarnings(generics::glance(assess_decisions(model, test)))[measures]
})
write_rows(data.frame(model = names(models), rounded(do.call(rbind, scores))), "genes-models.csv")

posteriors <- lapply(names(models), function(name) {
  posterior <- predict(models[[name]], test, type = "prob")
  data.frame(model = name, tumour = test$tumour, rounded(posterior))
})
write_rows(do.call(rbind, posteriors), "genes-posteriors.csv")

# The class means, and the rows.
means <- discriminants(full)$means
places <- list(
  mean = data.frame(tumour = rownames(means), rounded(means)),
  train = data.frame(tumour = train$tumour, rounded(predict(full, train, type = "discriminant"))),
  test = data.frame(tumour = test$tumour, rounded(predict(full, test, type = "discriminant")))
)
places <- Map(function(rows, name) data.frame(place = name, rows), places, names(places))
write_rows(do.call(rbind, places), "genes-coordinates.csv")
