// What every page of the site does: contents, search, copying of code, light or dark colours.
(function () {
  "use strict";
  var byId = function (id) { return document.getElementById(id); };
  var make = function (tag, parts) { return Object.assign(document.createElement(tag), parts); };

  // "On this page": the sections, and their parts indented.
  function listSections() {
    var nav = byId("toc");
    if (!nav) return;
    var list = make("ul", { className: "nav flex-column" });
    document.querySelectorAll("main h2:not([data-toc-skip]), main h3:not([data-toc-skip])").forEach(function (heading) {
      var section = heading.closest(".section[id], section[id]");
      var id = heading.id || (section && section.id);
      if (!id) return;
      var words = heading.cloneNode(true);
      words.querySelectorAll(".anchor").forEach(function (anchor) { anchor.remove(); });
      var link = make("a", { className: "nav-link", href: "#" + id });
      link.append.apply(link, words.childNodes);
      link.querySelectorAll("a").forEach(function (inner) { inner.replaceWith.apply(inner, inner.childNodes); });
      if (heading.tagName === "H3") link.classList.add("part");
      var item = make("li", {});
      item.append(link);
      list.append(item);
    });
    if (list.children.length < 2) nav.remove(); else nav.append(list);
  }

  // A link to a place in folded code opens it.
  function openFold() {
    var place = location.hash && byId(decodeURIComponent(location.hash.slice(1)));
    for (var fold = place && place.closest("details"); fold; fold = fold.parentElement.closest("details")) {
      fold.open = true;
    }
  }

  // Code without its output goes to the clipboard.
  function addCopyButtons() {
    if (!navigator.clipboard) return;
    document.querySelectorAll("main div.sourceCode, main pre.usage").forEach(function (code) {
      var button = make("button", { type: "button", className: "copy", textContent: "Copy" });
      button.setAttribute("aria-label", "Copy the code");
      button.addEventListener("click", function () {
        var text = code.querySelector("code") || code;
        var lines = text.textContent.split("\n").filter(function (line) { return !/^#>/.test(line); });
        navigator.clipboard.writeText(lines.join("\n")).then(function () {
          button.textContent = "Copied";
          setTimeout(function () { button.textContent = "Copy"; }, 1500);
        });
      });
      code.append(button);
    });
  }

  function themeButton() {
    var button = byId("theme"), root = document.documentElement;
    var show = function () { button.setAttribute("aria-pressed", String(root.dataset.theme === "dark")); };
    button.addEventListener("click", function () {
      root.dataset.theme = root.dataset.theme === "dark" ? "light" : "dark";
      try { localStorage.setItem("theme", root.dataset.theme); } catch (error) { /* not kept */ }
      show();
    });
    show();
  }

  // The index is a script, so pages that are opened as files find it, too.
  var index = null;
  function withIndex(then) {
    if (index) return then();
    var script = make("script", { src: byId("search").dataset.root + "search.js" });
    script.onload = function () { index = window.siteIndex; then(); };
    document.head.append(script);
  }

  // Every word must occur. It counts most in the name of a page, then in a heading, then in the text.
  function find(query) {
    var words = query.toLowerCase().split(/\s+/).filter(Boolean);
    var rated = index.map(function (entry) {
      var points = 0;
      for (var i = 0; i < words.length; i++) {
        var word = words[i];
        var worth = entry.top && entry.name === word ? 1000 : entry.top && entry.name.indexOf(word) >= 0 ? 100 :
          entry.head.indexOf(word) >= 0 ? 30 : entry.text.indexOf(word) >= 0 ? 1 : 0;
        if (!worth) return null;
        points += worth;
      }
      return { entry: entry, points: points + (entry.top ? 20 : 0) };
    }).filter(Boolean);
    rated.sort(function (a, b) { return b.points - a.points; });
    return rated.slice(0, 12).map(function (item) { return item.entry; });
  }

  function search() {
    var input = byId("search-input"), results = byId("search-results"), root = byId("search").dataset.root;
    var chosen = -1;
    function choose(which) {
      var items = results.querySelectorAll("[role=option]");
      if (!items.length) return;
      chosen = (which + items.length) % items.length;
      items.forEach(function (item, i) { item.setAttribute("aria-selected", String(i === chosen)); });
      items[chosen].scrollIntoView({ block: "nearest" });
      input.setAttribute("aria-activedescendant", items[chosen].id);
    }
    function close() {
      results.hidden = true;
      input.setAttribute("aria-expanded", "false");
      input.removeAttribute("aria-activedescendant");
      chosen = -1;
    }
    function show() {
      if (input.value.trim().length < 2) return close();
      var found = find(input.value);
      results.replaceChildren.apply(results, found.map(function (entry, i) {
        var item = make("li", { id: "result-" + i });
        item.setAttribute("role", "option");
        item.setAttribute("aria-selected", "false");
        var link = make("a", { href: root + entry.path, tabIndex: -1 });
        link.append(make("strong", { textContent: entry.what }), make("span", { textContent: entry.where }));
        item.append(link);
        return item;
      }));
      if (!found.length) results.append(make("li", { className: "none", textContent: "Nothing found" }));
      results.hidden = false;
      input.setAttribute("aria-expanded", "true");
      chosen = -1;
    }
    input.addEventListener("focus", function () { withIndex(function () {}); });
    input.addEventListener("input", function () { withIndex(show); });
    input.addEventListener("keydown", function (event) {
      if (event.key === "Escape") { close(); return; }
      if (results.hidden) return;
      if (event.key === "ArrowDown") choose(chosen + 1);
      else if (event.key === "ArrowUp") choose(chosen - 1);
      else if (event.key === "Enter") {
        var link = results.querySelectorAll("a")[Math.max(chosen, 0)];
        if (link) location.href = link.href;
      } else return;
      event.preventDefault();
    });
    document.addEventListener("click", function (event) { if (!byId("search").contains(event.target)) close(); });
    document.addEventListener("keydown", function (event) {
      if (event.key === "/" && !/INPUT|SELECT|TEXTAREA/.test(document.activeElement.tagName)) {
        input.focus();
        event.preventDefault();
      }
    });
  }

  listSections();
  openFold();
  window.addEventListener("hashchange", openFold);
  addCopyButtons();
  themeButton();
  search();
})();
