# Rscript tools/explorer.R FOLDER: the size and the time of a redraw of pages of explorer(), and
# their pictures in Chromium: 1000 and 400 pixels wide, light and dark. For the eyes; nothing is
# checked.

library(bayesrisk)
for (helper in c("helper-browser.R", "helper-plot.R")) source(file.path("tests/testthat", helper))
folder <- normalizePath(commandArgs(TRUE)[[1L]])

pages <- list(
  naive = explorer(fit(bayes_naive(), Species ~ ., iris), data = iris),
  full = explorer(fit(bayes_full(), Species ~ ., iris), data = iris),
  levels = explorer(fit(bayes_naive(laplace = 1), play ~ ., play_tennis), data = play_tennis),
  single = explorer(two_classes()),
  cut = explorer(two_classes(), rule = "likelihood", controls = NULL),
  rule = explorer(fit(bayes_full(), Species ~ Petal.Length + Petal.Width, iris), data = iris,
                  rule = fit(bayes_naive(), Species ~ Petal.Length + Petal.Width, iris))
)

times <- "
  const times = [];
  for (let i = 0; i < 40; i++) {
    const start = performance.now();
    HTMLWidgets.getInstance(widgets[0]).redraw();
    times.push(performance.now() - start);
  }
  return times.sort((a, b) => a - b)[20];
"

# A dark page by the wish of the reader. A frame is narrower than any window of Chromium.
picture <- function(page, width, dark) {
  file <- file.path(folder, sprintf("%s-%d%s.png", page, width, if (dark) "-dark" else ""))
  frame <- sprintf(
    "<meta name='color-scheme' content='light dark'><body style='margin: 0'>
     <iframe src='%s.html' style='width: %dpx; height: 1500px; border: 0'></iframe>", page, width
  )
  outer <- file.path(folder, "frame.html")
  writeLines(frame, outer)
  run_chromium(
    "--hide-scrollbars", sprintf("--window-size=%d,1500", max(500, width)),
    if (dark) "--blink-settings=preferredColorScheme=0", paste0("--screenshot=", file),
    paste0("file://", outer)
  )
}

for (name in names(pages)) {
  page <- pages[[name]]
  redraw <- browse(list(page), times)$result
  size <- nchar(jsonlite::toJSON(page$x, auto_unbox = TRUE, digits = 16), "bytes") / 1000
  cat(sprintf("%-7s %5.1f kB, a redraw in %.0f ms\n", name, size, redraw))
  tags <- htmltools::tagList(
    htmltools::tags$head(htmltools::tags$meta(name = "color-scheme", content = "light dark")), page
  )
  htmltools::save_html(tags, file.path(folder, paste0(name, ".html")), NULL, "lib")
  for (width in c(1000L, 400L)) for (dark in c(FALSE, TRUE)) picture(name, width, dark)
}
