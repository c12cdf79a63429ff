# Pages in headless Chromium, which prints the page as it stands after a script has run.

chromium <- function() {
  found <- Sys.which(c("chromium", "chromium-browser", "google-chrome"))
  unname(found[nzchar(found)][1L])
}

skip_if_no_browser <- function() {
  skip_on_cran()
  skip_if_not_installed("htmlwidgets")
  skip_if(is.na(chromium()), "Chromium is not installed.")
}

run_chromium <- function(...) {
  profile <- withr::local_tempdir()
  arguments <- c(
    "--headless=new", "--no-sandbox", "--disable-gpu", "--no-first-run",
    paste0("--user-data-dir=", profile), ...
  )
  suppressWarnings(
    system2(chromium(), shQuote(arguments), stdout = TRUE, stderr = FALSE, timeout = 120)
  )
}

# Functions for scripts: the i-th widget of the page, what it says, and input by a user.
browser_script <- "
  const widgets = [...document.querySelectorAll('.bayesrisk_explorer')];
  const summary = i => HTMLWidgets.getInstance(widgets[i]).summary();
  const field = (i, label) => widgets[i].querySelector(`[aria-label=\"${label}\"]`) ||
    [...widgets[i].querySelectorAll('label')].find(l => l.textContent.trim().startsWith(label))
      .querySelector('input, select');
  const enter = (i, label, value) => {
    const at = field(i, label);
    if (at.type === 'checkbox') at.checked = value; else at.value = value;
    at.dispatchEvent(new Event(at.tagName === 'SELECT' || at.type === 'checkbox' ? 'change' :
      'input', { bubbles: true }));
  };
  const frame = () => new Promise(done => setTimeout(done, 50));
"

# The result of a script in a page of widgets, with the `errors` and the `requests` of the page.
browse <- function(widgets, script) {
  folder <- withr::local_tempdir()
  page <- file.path(folder, "page.html")
  caught <- "
    window.caught = [];
    window.onerror = message => { caught.push(String(message)); };
    console.error = console.warn = (...message) => { caught.push(message.join(' ')); };
    window.onunhandledrejection = event => { caught.push(String(event.reason)); };
  "
  run <- sprintf("
    window.addEventListener('load', async () => {
      let result = null;
      try { result = await (async () => { %s %s })(); } catch (e) { caught.push(String(e.stack)); }
      const requests = performance.getEntriesByType('resource').map(entry => entry.name);
      document.body.setAttribute('data-found', btoa(unescape(encodeURIComponent(JSON.stringify(
        { result: result, errors: caught, requests: requests })))));
    });", browser_script, script)
  tags <- htmltools::tagList(
    htmltools::tags$script(htmltools::HTML(caught)), widgets,
    htmltools::tags$script(htmltools::HTML(run))
  )
  htmltools::save_html(tags, page, libdir = "lib")
  shown <- run_chromium(
    "--window-size=1000,900", "--virtual-time-budget=20000", "--dump-dom",
    paste0("file://", normalizePath(page))
  )
  found <- regmatches(shown, regexpr("(?<=data-found=\")[^\"]+", shown, perl = TRUE))
  found <- rawToChar(jsonlite::base64_dec(found))
  Encoding(found) <- "UTF-8"
  jsonlite::fromJSON(found)
}
