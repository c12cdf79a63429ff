// The explorer: controls beside a map of decisions. numbers.js computes, state.js keeps the
// choices, controls.js makes inputs, pictures.js draws.
HTMLWidgets.widget({ name: "bayesrisk_explorer", type: "output", factory: function (el) {
  "use strict";
  var numbers = window.bayesriskExplorer, format = numbers.format, make = numbers.controls;
  var add = make.add, x, model, look, state, parts, ground, drawn, waiting, timer, changed;

  // ---- controls

  function buildAxes() {
    var names = model.axes.map(function (axis, f) { return [f, axis.name]; });
    function choose(which) {
      return function (f) {
        state.chooseAxis(which, +f);
        buildAxes();
        update(true);
      };
    }
    parts.axes.textContent = "";
    if (names.length > 1) {
      make.choice(parts.axes, "Across", names, state.x, choose("x"));
      make.choice(parts.axes, "Up", names.concat([[-1, "(posterior)"]]), state.y, choose("y"));
    }
    buildCase();
  }

  function buildPriors(parent) {
    var rows = add(make.fieldset(parent, "Prior"), "table", { role: "presentation" });
    function setter(k) {
      return function (share) {
        if (!state.setPrior(k, share)) return false;
        showPriors(k);
        update(true);
        return true;
      };
    }
    parts.priors = x.classes.map(function (name, k) {
      var row = add(rows, "tr"), label = "prior of " + name;
      make.named(row, "th", {}, name, look.classes[k]);
      return [
        make.slider(add(row, "td"), label, setter(k)),
        make.numberInput(add(row, "td"), label + ", as a number", "", setter(k))
      ];
    });
    showPriors(-1);
  }

  // A number that a user is writing stays as it is.
  function showPriors(active) {
    parts.priors.forEach(function (inputs, k) {
      inputs[0].value = state.prior[k];
      if (k === active && document.activeElement === inputs[1]) return;
      inputs[1].value = String(+state.prior[k].toFixed(4));
      inputs[1].setAttribute("aria-invalid", "false");
    });
  }

  function buildCosts(parent) {
    var set = make.fieldset(parent, "Cost");
    var body = make.table(set, ["if the truth is"].concat(x.classes), { class: "br-costs" });
    state.cost.forEach(function (cells, a) {
      var row = add(body, "tr");
      make.named(row, "th", { scope: "row" }, x.actions[a], look.actions[a]);
      cells.forEach(function (cell, k) {
        var label = "cost of " + x.actions[a] + " if " + x.classes[k];
        var shown = cell === Infinity ? "Inf" : cell;
        make.numberInput(add(row, "td"), label, shown, function (value) {
          if (isNaN(value) || value === -Infinity) return false;
          state.cost[a][k] = value;
          update(true);
          return true;
        });
      });
    });
    buildReject(add(set, "p"));
    add(set, "button", { type: "button" }, "Reset").addEventListener("click", function () {
      state = new numbers.State(x, model);
      build();
    });
  }

  function buildReject(line) {
    var name = x.actions[x.own];
    make.checkbox(line, "also " + name + ", at a cost of", function (checked) {
      state.reject = checked;
      buildReadout();
      update(true);
    });
    make.numberInput(line, "cost of " + name, state.rejectCost, function (value) {
      if (!isFinite(value)) return false;
      state.rejectCost = value;
      update(true);
      return true;
    });
  }

  function buildCase() {
    parts.case.textContent = "";
    add(parts.case, "legend", {}, "Case");
    var rows = add(parts.case, "table", { role: "presentation" });
    parts.values = model.axes.map(function (axis, f) {
      var row = add(rows, "tr");
      add(row, "th", {}, axis.name);
      var input = valueInput(add(row, "td"), axis, f);
      add(row, "td", {}, state.onMap(f) ? "on the map" : "");
      return input;
    });
    if (x.given.length) add(parts.case, "p", {}, "Given: " + x.given.join(", "));
    limitCase();
    showCase(state.values, true);
  }

  // The value of a feature. One that is not on the map may be unknown.
  function valueInput(cell, axis, f) {
    var needed = state.onMap(f), input;
    function set(value) {
      state.values[f] = value;
      limitCase();
      update(!needed);
      return true;
    }
    if (!axis.labels) {
      input = make.numberInput(cell, axis.name, "", function (value, text) {
        if (!text.trim() && !needed) return set(null);
        return isFinite(value) && set(value);
      });
      if (!needed) input.placeholder = "unknown";
      return input;
    }
    input = add(cell, "select", { "aria-label": axis.name });
    if (!needed) make.fill(input, [["", "unknown"]]);
    make.fill(input, axis.labels.map(function (label, i) { return [i, label]; }));
    input.addEventListener("change", function () {
      set(input.value === "" ? null : +input.value);
    });
    return input;
  }

  function limitCase() {
    (parts.values || []).forEach(function (input, f) {
      input.disabled = !state.isOpen(f);
      input.title = input.disabled ? "Of features of one block, two can be known." : "";
    });
  }

  function showCase(values, all) {
    parts.values.forEach(function (input, f) {
      if (!all && document.activeElement === input) return;
      input.value = values[f] === null ? "" :
        model.axes[f].labels ? values[f] : String(+values[f].toPrecision(5));
    });
  }

  function buildReadout() {
    parts.readout.textContent = "";
    function rows(titles, names, colours) {
      var body = make.table(parts.readout, titles);
      return names.map(function (name, i) {
        var row = add(body, "tr");
        make.named(row, "th", { scope: "row" }, name, colours[i]);
        return [row, add(row, "td", { class: "br-number" })];
      });
    }
    parts.posterior = rows(["class", "posterior"], x.classes, look.classes);
    parts.expected = rows(["action", "expected cost"], state.actions(), look.actions);
  }

  // ---- drawing

  function draw() {
    waiting = cancelAnimationFrame(waiting);
    var w = parts.map.parentNode.clientWidth;
    if (w < 60) return;
    var dark = numbers.isDark(el), now = state.view(), ink = getComputedStyle(el).color;
    el.style.colorScheme = dark ? "dark" : "light";
    look = dark ? numbers.darken(x.colours) : x.colours;
    var size = [w, Math.round(Math.min(0.85 * w, 460))], b = numbers.box(size);
    drawGround(b, now, dark);
    drawMap(numbers.prepare(parts.map, size[0], size[1]), b, now, ink, dark);
    showDecision(now, ink);
  }

  function drawMap(g, b, now, ink, dark) {
    var strong = dark ? "#fff" : "#000";
    var up = now.y < 0 ? numbers.numberAxis("posterior", 0, 1) : model.axes[now.y];
    g.drawImage(ground, b.x, b.y, b.w, b.h);
    numbers.drawAxes(g, b, model.axes[now.x], up, ink);
    g.save();
    g.beginPath();
    g.rect(b.x, b.y, b.w, b.h);
    g.clip();
    if (now.y < 0) numbers.drawPosteriors(g, b, model, now, look, strong);
    if (x.cases) numbers.drawCases(g, b, model, x.cases, now, look, dark);
    numbers.drawLabels(g, b, drawn.places, drawn.step, state.actions(), dark);
    var across = model.axes[now.x].share(now.values[now.x]);
    numbers.drawCross(g, b, [across, now.y < 0 ? null : up.share(now.values[now.y])], strong);
    g.restore();
  }

  // The regions change with priors, costs, axes and known values, but not with the pointer. Their
  // picture has a limited number of pixels, because each of them is decided.
  function drawGround(b, now, dark) {
    var ratio = Math.min(window.devicePixelRatio || 1, Math.sqrt(2e5 / (b.w * b.h)));
    var w = Math.round(b.w * ratio), h = Math.round(b.h * ratio), key = [w, h, dark].join();
    if (drawn && drawn.key === key) return;
    var action = model.decisions(now, w, h), step = Math.max(4, Math.round(8 * ratio));
    ground = numbers.ground(action, w, h, look, dark);
    drawn = {
      key: key, shares: numbers.shares(action, now.cost.length), step: step / ratio,
      places: numbers.labelPlaces(action, w, h, step)
    };
    summarise(now);
  }

  function summarise(now) {
    var text = "Decided on the map: " + state.actions().map(function (name, a) {
      return name + " " + (100 * drawn.shares[a]).toFixed(1) + "\u00a0%";
    }).join(", ") + ".";
    if (x.cases) {
      var cases = model.meanCost(x.cases, now);
      drawn.meanCost = cases.cost;
      text += cases.n ? " Mean cost of " + cases.n + " cases shown: " + format(cases.cost) + "." :
        " " + cases.shown + " cases shown.";
    }
    parts.summary.textContent = text;
  }

  function describe(values) {
    return values.map(function (value, f) {
      var axis = model.axes[f];
      if (value === null) return "";
      return axis.name + " = " + (axis.labels ? axis.labels[value] : format(value));
    }).filter(Boolean).join(", ");
  }

  function showDecision(now, ink) {
    var decided = numbers.decide(model.log(now.values), now.prior, now.cost);
    var chosen = decided.action;
    parts.posterior.forEach(function (row, k) {
      row[1].textContent = decided.posterior ? format(decided.posterior[k]) : "-";
    });
    parts.expected.forEach(function (row, a) {
      row[0].className = a === chosen ? "br-chosen" : "";
      row[1].textContent = (a === chosen ? "\u2192 " : "") +
        (decided.costs ? format(decided.costs[a]) : "-");
    });
    parts.decision.textContent = describe(now.values) + ": " + (chosen < 0 ?
      "impossible under every class." : "decide " + state.actions()[chosen] +
      ", expected cost " + format(decided.costs[chosen]) + ".");
    showCase(now.values, false);
    parts.sweep.style.visibility = decided.posterior ? "" : "hidden";
    if (decided.posterior) drawSweep(decided, now, ink);
  }

  function drawSweep(decided, now, ink) {
    var choice = state.sweep.split(" ").map(Number), names = state.actions();
    var varied = choice.length === 1 ? { class: choice[0] } :
      { action: choice[0], class: choice[1] };
    var sweep = numbers.sweep(decided, now.cost, varied), pieces = numbers.envelope(sweep.ends);
    var label = state.sweeps().filter(function (s) { return s[0] === state.sweep; })[0][1];
    numbers.drawSweep(parts.sweep, [parts.sweep.parentNode.clientWidth, 210], sweep, pieces, look,
                      label, ink);
    function at(t) { return format(sweep.from + t * (sweep.to - sweep.from)); }
    parts.sweep.setAttribute("aria-label", "Least expected cost against the " + label + ": " +
      pieces.map(function (p) {
        return names[p.action] + " from " + at(p.from) + " to " + at(p.to);
      }).join(", ") + ". Now " + format(sweep.now) + ".");
  }

  // ---- events

  // Draws once per frame. `all`: whether the regions change.
  function update(all) {
    if (all) { drawn = null; changed = true; }
    clearTimeout(timer);
    timer = setTimeout(speak, 500);
    if (!waiting) waiting = requestAnimationFrame(draw);
  }

  // A screen reader is told once a user pauses. A page in the background has no frames.
  function speak() {
    if (state.hover) return;
    if (waiting) draw();
    parts.said.textContent = (changed ? parts.summary.textContent + " " : "") +
      parts.decision.textContent;
    changed = false;
  }

  // The values at the pointer; null beside the map.
  function pointed(event) {
    var r = parts.map.getBoundingClientRect(), b = numbers.box([r.width, r.height]);
    var at = [(event.clientX - r.left - b.x) / b.w, 1 - (event.clientY - r.top - b.y) / b.h];
    if (at.some(function (t) { return t < 0 || t > 1; })) return null;
    var values = [model.axes[state.x].value(at[0])];
    if (state.y >= 0) values.push(model.axes[state.y].value(at[1]));
    return values;
  }

  function listen(map) {
    var keys = {
      ArrowLeft: ["x", -1], ArrowRight: ["x", 1], ArrowDown: ["y", -1], ArrowUp: ["y", 1]
    };
    map.addEventListener("keydown", function (event) {
      var key = keys[event.key];
      if (!key) return;
      event.preventDefault();
      state.move(key[0], key[1], event.shiftKey);
      update(false);
    });
    map.addEventListener("pointermove", function (event) {
      if (event.pointerType === "touch") return;
      state.hover = pointed(event);
      update(false);
    });
    map.addEventListener("pointerleave", function () { state.hover = null; update(false); });
    map.addEventListener("click", function (event) {
      var values = pointed(event);
      if (values) state.put(values);
      update(false);
    });
  }

  // Pages change their colours after loading, and tabs open.
  function watch() {
    function again() { if (parts) update(false); }
    if (window.ResizeObserver) new ResizeObserver(again).observe(el);
    if (window.matchMedia) {
      var dark = window.matchMedia("(prefers-color-scheme: dark)");
      if (dark.addEventListener) dark.addEventListener("change", again);
    }
    var looks = { attributes: true, attributeFilter: ["class", "style", "data-bs-theme"] };
    [document.documentElement, document.body].forEach(function (page) {
      new MutationObserver(again).observe(page, looks);
    });
  }

  function build() {
    el.textContent = "";
    el.setAttribute("role", "group");
    el.setAttribute("aria-label", "Explorer of decisions");
    parts = {};
    var columns = add(el, "div", { class: "br-columns" });
    var left = add(columns, "div"), right = add(columns, "div");
    parts.axes = add(left, "p");
    parts.map = add(add(left, "div"), "canvas", {
      tabindex: 0, role: "application", "aria-roledescription": "map",
      "aria-label": "Map of the decisions. The arrow keys move the case, with Shift in small steps."
    });
    parts.summary = add(left, "p");
    parts.decision = add(left, "p");
    parts.readout = add(left, "div", { class: "br-readout" });
    buildPriors(right);
    buildCosts(right);
    parts.case = add(right, "fieldset");
    make.choice(add(right, "p"), "Vary the", state.sweeps(), state.sweep, function (value) {
      state.sweep = value;
      update(false);
    });
    parts.sweep = add(add(right, "div"), "canvas", { role: "img", class: "br-sweep" });
    parts.said = add(el, "div", { class: "br-said", role: "status" });
    buildAxes();
    buildReadout();
    listen(parts.map);
    update(true);
  }

  watch();
  return {
    renderValue: function (value) {
      x = value;
      look = x.colours;
      model = new numbers.Model(x);
      state = new numbers.State(x, model);
      build();
    },
    resize: function () { if (parts) update(false); },
    // For scripts and tests: draws at once, and returns the shares of the actions and the mean cost
    // of the cases shown.
    summary: function () {
      draw();
      if (!drawn) return null;
      return { actions: state.actions(), shares: drawn.shares, meanCost: drawn.meanCost };
    },
    redraw: function () { drawn = null; draw(); }
  };
} });
