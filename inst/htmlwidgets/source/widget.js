// The explorer: controls beside a map of decisions. numbers.js computes, state.js keeps the
// choices, controls.js makes inputs, pictures.js draws. line.js and cut.js do so for one feature.
HTMLWidgets.widget({ name: "bayesrisk_explorer", type: "output", factory: function (el) {
  "use strict";
  var numbers = window.bayesriskExplorer, format = numbers.format, make = numbers.controls;
  var add = make.add, x, model, look, state, parts, ground, drawn, waiting, timer, changed;
  // Of the chosen model: its part of the page, its cases, the rule that it is compared with.
  var part, cases, rival, cutSliders, showPriors, active = 0;

  function load(i) {
    part = x.parts[i];
    cases = part.cases || x.cases;
    model = new numbers.Model(x.classes, part);
    rival = part.rule && part.rule.features ? new numbers.Model(x.classes, part.rule) : null;
  }

  function has(control) { return x.controls.indexOf(control) >= 0; }

  // ---- controls

  function buildModels(parent) {
    var row = add(parent, "label", { class: "br-cut" }), name = add(row, "span");
    var input = add(row, "input", { type: "range", min: 0, max: x.models.length - 1, step: 1 });
    function show() {
      name.textContent = "Model: " + x.models[+input.value];
      input.setAttribute("aria-label", "model");
      input.setAttribute("aria-valuetext", x.models[+input.value]);
    }
    input.value = x.parts.indexOf(part);
    show();
    input.addEventListener("input", function () {
      load(+input.value);
      state.choose(model, part);
      show();
      if (has("prior")) showPriors(-1);
      buildAxes();
      update(true);
    });
  }

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
    if (names.length > 2 || (names.length > 1 && has("case"))) {
      make.choice(parts.axes, "Across", names, state.x, choose("x"));
      make.choice(parts.axes, "Up", names.concat([[numbers.POSTERIOR, "(posterior)"]]), state.y,
                  choose("y"));
    } else if (names.length === 1 && model.cells && has("case")) {
      make.choice(parts.axes, "Up", [
        [numbers.DENSITY, "prior \u00d7 " + (model.axes[0].labels ? "probability" : "density")],
        [numbers.POSTERIOR, "posterior"]
      ], state.y, choose("y"));
    }
    buildCase();
  }

  function buildCase() {
    if (!has("case")) return;
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
    (parts.values || []).forEach(function (input, f) {
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
    labelMap(now.y === numbers.DENSITY && !model.axes[now.x].labels);
    showDecision(now, ink);
  }

  // `cut`: whether the keys and a finger move a cut.
  function labelMap(cut) {
    var map = parts.map, moved = cut ? "cut" : has("case") ? "case" : "";
    map.style.touchAction = cut ? "pan-y" : "";
    map.setAttribute("role", moved ? "application" : "img");
    if (moved) map.setAttribute("tabindex", 0); else map.removeAttribute("tabindex");
    map.setAttribute("aria-label", (cut ? "Densities of the classes." : "Map of the decisions.") +
      (moved ? " The arrow keys move the " + moved + ", with Shift in small steps." : ""));
  }

  function drawMap(g, b, now, ink, dark) {
    var strong = dark ? "#fff" : "#000";
    if (now.y === numbers.DENSITY) return drawLine(g, b, now, ink, dark);
    var up = now.y < 0 ? numbers.numberAxis("posterior", 0, 1) : model.axes[now.y];
    g.drawImage(ground, b.x, b.y, b.w, b.h);
    numbers.drawAxes(g, b, model.axes[now.x], up, ink);
    g.save();
    g.beginPath();
    g.rect(b.x, b.y, b.w, b.h);
    g.clip();
    if (now.y < 0) numbers.drawPosteriors(g, b, model, now, look, strong);
    if (cases) numbers.drawCases(g, b, model, cases, now, look, dark);
    numbers.drawLabels(g, b, drawn.places, drawn.step, state.actions(), dark);
    if (has("case")) {
      var across = model.axes[now.x].share(now.values[now.x]);
      numbers.drawCross(g, b, [across, now.y < 0 ? null : up.share(now.values[now.y])], strong);
    }
    g.restore();
  }

  // The rule with the cuts that a user has moved, unless its actions are gone.
  function ruleNow(now) {
    var own = state.rule && state.rule.actions.every(function (a) { return a < now.cost.length; });
    return own ? state.rule : drawn.best;
  }

  function drawLine(g, b, now, ink, dark) {
    var picture = new numbers.CutPicture(model, now, b), rule = ruleNow(now);
    g.save();
    g.beginPath();
    g.rect(b.x, b.y, b.w, b.h);
    g.clip();
    picture.areas(g, rule, drawn.best, dark);
    picture.curves(g, look, ink);
    if (cases) numbers.drawCases(g, picture.box, model, cases, now, look, dark);
    g.restore();
    picture.ribbon(g, b, drawn.best, 0, "best", state.actions(), look, ink);
    if (!model.axes[now.x].labels) {
      picture.ribbon(g, b, rule, 1, "rule", state.actions(), look, ink);
      picture.cuts(g, b, rule, drawn.best, ink);
    }
    picture.names(g, look, dark);
    numbers.drawAxes(g, b, model.axes[now.x], picture.up, ink);
    if (has("case")) {
      var across = model.axes[now.x].share(now.values[now.x]);
      numbers.drawCross(g, picture.box, [across, null], ink);
    }
    showAreas(now, rule, dark);
  }

  function words(now) {
    var error = state.own === x.classes.length && now.cost.every(function (row, a) {
      return row.every(function (c, k) { return c === (x.actions[a] === x.classes[k] ? 0 : 1); });
    });
    return error ? { cost: "error", least: "Bayes error" } :
      { cost: "expected cost", least: "Bayes risk" };
  }

  function showAreas(now, rule, dark) {
    var label = words(now), lined = !model.axes[now.x].labels;
    var sums = lined ? model.areas(now, rule, drawn.best) : { irreducible: model.levelCost(now) };
    // R computes the risk of the best rule without a grid.
    if (part.risk && state.isFirst()) sums.irreducible = part.risk.best;
    if (lined) numbers.areaTable(parts.areas, sums, label, state.actions(), rule, dark);
    var said = lined ? label.cost + " " + format(sums.total) + ", of which reducible " +
      format(sums.reducible) + "; " : "";
    said += label.least + " " + format(sums.irreducible) + ".";
    said = said.charAt(0).toUpperCase() + said.slice(1);
    parts.summary.textContent = said;
    if (lined) cutSliders(rule, rule !== drawn.best, model.axes[now.x], said);
    drawn.areas = sums;
    drawn.rule = rule;
  }

  // The regions change with priors, costs, axes and known values, but not with the pointer. Their
  // picture has a limited number of pixels, because each of them is decided.
  function drawGround(b, now, dark) {
    var ratio = Math.min(window.devicePixelRatio || 1, Math.sqrt(2e5 / (b.w * b.h)));
    var w = Math.round(b.w * ratio), h = Math.round(b.h * ratio), key = [w, h, dark].join();
    if (drawn && drawn.key === key) return;
    var line = now.y === numbers.DENSITY;
    if (line) h = 1;
    var action = model.decisions(now, w, h), step = Math.max(4, Math.round(8 * ratio));
    drawn = { key: key, shares: numbers.shares(action, now.cost.length) };
    var lined = line && !model.axes[now.x].labels;
    parts.areas.style.display = parts.cuts.style.display = lined ? "" : "none";
    if (line) { drawn.best = numbers.bestAlong(model, now); return; }
    ground = numbers.ground(action, w, h, look, dark);
    drawn.step = step / ratio;
    drawn.places = numbers.labelPlaces(action, w, h, step);
    if (rival) {
      var other = rival.decisions(rivalView(now), w, h);
      drawn.differ = numbers.differing(action, other);
      numbers.overlay(ground, action, other, w, h, ratio, dark);
    }
    summarise(now);
  }

  // A rule has its own prior, unless it had that of the model.
  function rivalView(now) {
    return Object.assign({}, now, { prior: part.rule.prior || now.prior });
  }

  function summarise(now) {
    var text = "Decided on the map: " + state.actions().map(function (name, a) {
      return name + " " + (100 * drawn.shares[a]).toFixed(1) + "\u00a0%";
    }).join(", ") + ".";
    if (rival) {
      text += " The other rule (dashed) decides otherwise where the map is hatched, on " +
        (100 * drawn.differ).toFixed(1) + "\u00a0% of it.";
    }
    if (cases) {
      var mean = model.meanCost(cases, now);
      drawn.meanCost = mean.cost;
      text += mean.n ? " Mean cost of " + mean.n + " cases shown: " + format(mean.cost) + "." :
        " " + mean.shown + " cases shown.";
    }
    parts.summary.textContent = text;
    if (part.risk && !model.cells) showRisk(now);
  }

  // What R has computed, for the priors and costs of the start.
  function showRisk(now) {
    parts.areas.style.display = "";
    parts.areas.textContent = "";
    var first = state.isFirst(), body = make.table(parts.areas, ["rule", words(now).cost]);
    [["best", "the best rule"], ["rule", "the other rule"],
     ["believed", "the other rule, as it believes"]].forEach(function (row) {
      var risk = part.risk[row[0]], tr = add(body, "tr");
      if (risk === undefined || risk === null) return;
      add(tr, "th", { scope: "row" }, row[1]);
      add(tr, "td", { class: "br-number" }, first ? numbers.longFormat(risk) : "-");
    });
    if (!first) add(parts.areas, "p", {}, "Known for the priors and costs of the start only.");
  }

  function describe(values) {
    return values.map(function (value, f) {
      var axis = model.axes[f];
      if (value === null) return "";
      return axis.name + " = " + (axis.labels ? axis.labels[value] : format(value));
    }).filter(Boolean).join(", ");
  }

  function showDecision(now, ink) {
    if (!has("case") && !has("sweep")) return;
    var decided = numbers.decide(model.log(now.values), now.prior, now.cost);
    var chosen = decided.action;
    if (has("case")) showCosts(decided, chosen, now);
    if (!has("sweep")) return;
    parts.sweep.style.visibility = decided.posterior ? "" : "hidden";
    if (decided.posterior) drawSweep(decided, now, ink);
  }

  function otherDecision(now) {
    if (!rival) return "";
    var view = rivalView(now), other = numbers.decide(rival.log(now.values), view.prior, now.cost);
    return other.action < 0 ? "" : " The other rule decides " + state.actions()[other.action] + ".";
  }

  function showCosts(decided, chosen, now) {
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
      ", expected cost " + format(decided.costs[chosen]) + "." + otherDecision(now));
    showCase(now.values, false);
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

  function changeAll() { update(true); }

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
    if (!changed && !has("case")) return;
    parts.said.textContent = [changed ? parts.summary.textContent : "",
      has("case") ? parts.decision.textContent : ""].filter(Boolean).join(" ");
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

  // The cut that a pointer takes: the next one, where nothing else moves also from afar; -1: none.
  function cutAt(event) {
    if (state.y !== numbers.DENSITY || !drawn || !drawn.rule) return -1;
    var r = parts.map.getBoundingClientRect(), b = numbers.box([r.width, r.height]), found = -1;
    var near = !has("case") ? Infinity : event.pointerType === "touch" ? 28 : 12;
    numbers.insideCuts(model.axes[state.x], drawn.rule).forEach(function (i) {
      var at = b.x + model.axes[state.x].share(drawn.rule.cuts[i]) * b.w;
      var far = Math.abs(event.clientX - r.left - at);
      if (far < near) { near = far; found = i; }
    });
    return found;
  }

  function moveCut(i, value) {
    active = i;
    state.setCut(i, value, drawn.best);
    changed = true;
    update(false);
  }

  function dragTo(i, event) {
    var r = parts.map.getBoundingClientRect(), b = numbers.box([r.width, r.height]);
    moveCut(i, model.axes[state.x].from + (event.clientX - r.left - b.x) / b.w *
      (model.axes[state.x].to - model.axes[state.x].from));
  }

  // Whether an arrow key has moved a cut.
  function stepCut(event, direction) {
    if (state.y !== numbers.DENSITY || !drawn || !drawn.rule) return false;
    var axis = model.axes[state.x], at = numbers.insideCuts(axis, drawn.rule);
    if (!at.length) return false;
    var i = at.indexOf(active) < 0 ? at[0] : active;
    var step = axis.whole ? 1 : state.step(axis, event.shiftKey);
    moveCut(i, drawn.rule.cuts[i] + direction * step);
    return true;
  }

  function listen(map) {
    var dragged = -1, moved = false;
    var keys = {
      ArrowLeft: ["x", -1], ArrowRight: ["x", 1], ArrowDown: ["y", -1], ArrowUp: ["y", 1]
    };
    map.addEventListener("keydown", function (event) {
      var key = keys[event.key];
      if (!key) return;
      event.preventDefault();
      if (key[0] === "x" && stepCut(event, key[1])) return;
      if (!has("case")) return;
      state.move(key[0], key[1], event.shiftKey);
      update(false);
    });
    map.addEventListener("pointerdown", function (event) {
      dragged = cutAt(event);
      moved = dragged >= 0;
      if (!moved) return;
      try { map.setPointerCapture(event.pointerId); } catch (e) { /* a pointer of a script */ }
      if (!has("case")) dragTo(dragged, event);
    });
    ["pointerup", "pointercancel"].forEach(function (name) {
      map.addEventListener(name, function () { dragged = -1; });
    });
    map.addEventListener("pointermove", function (event) {
      if (dragged >= 0) return dragTo(dragged, event);
      if (event.pointerType === "touch" || !has("case")) return;
      state.hover = pointed(event);
      update(false);
    });
    map.addEventListener("pointerleave", function () { state.hover = null; update(false); });
    map.addEventListener("click", function (event) {
      var values = pointed(event);
      if (moved || !has("case")) return;
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
    var kind = x.controls.length ? "br-columns" : "br-columns br-alone";
    var columns = add(el, "div", { class: kind }), left = add(columns, "div");
    if (x.models) buildModels(left);
    parts.axes = add(left, "p");
    parts.map = add(add(left, "div"), "canvas", { "aria-roledescription": "map" });
    labelMap(state.y === numbers.DENSITY && !model.axes[0].labels);
    parts.cuts = add(left, "div");
    cutSliders = numbers.cutSliders(parts.cuts, function () { return state.actions(); }, moveCut,
                                    function () {
                                      state.dropRule();
                                      changed = true;
                                      update(false);
                                    });
    parts.summary = add(left, "p");
    parts.areas = add(left, "div", { class: "br-areas" });
    if (has("case")) {
      parts.decision = add(left, "p");
      parts.readout = add(left, "div", { class: "br-readout" });
    }
    if (x.controls.length) buildControls(add(columns, "div"));
    parts.said = add(el, "div", { class: "br-said", role: "status" });
    buildAxes();
    if (has("case")) buildReadout();
    listen(parts.map);
    update(true);
  }

  function buildControls(right) {
    var build = {
      prior: function () { showPriors = numbers.priorControls(right, x, look, state, changeAll); },
      cost: function () {
        numbers.costControls(right, x, look, state, changeAll, function () {
          if (has("case")) buildReadout();
        });
      },
      case: function () { parts.case = add(right, "fieldset"); },
      sweep: function () {
        make.choice(add(right, "p"), "Vary the", state.sweeps(), state.sweep, function (value) {
          state.sweep = value;
          update(false);
        });
        parts.sweep = add(add(right, "div"), "canvas", { role: "img", class: "br-sweep" });
      }
    };
    x.controls.forEach(function (name) { build[name](); });
    add(right, "button", { type: "button" }, "Reset").addEventListener("click", function () {
      state = new numbers.State(x, model, part);
      build();
    });
  }

  watch();
  return {
    renderValue: function (value) {
      x = value;
      look = x.colours;
      load(0);
      state = new numbers.State(x, model, part);
      build();
    },
    resize: function () { if (parts) update(false); },
    // For scripts and tests: draws at once, and returns the shares of the actions and the mean cost
    // of the cases shown.
    summary: function () {
      draw();
      if (!drawn) return null;
      return {
        actions: state.actions(), shares: drawn.shares, meanCost: drawn.meanCost,
        areas: drawn.areas, rule: drawn.rule, differ: drawn.differ
      };
    },
    redraw: function () { drawn = null; draw(); }
  };
} });
