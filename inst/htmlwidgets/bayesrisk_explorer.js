// The explorer: controls beside a map of decisions. numbers.js computes, pictures.js draws.
HTMLWidgets.widget({ name: "bayesrisk_explorer", type: "output", factory: function (el) {
  "use strict";
  var numbers = window.bayesriskExplorer, format = numbers.format;
  var x, model, look, state, hover, parts, ground, drawn, waiting, timer;

  function add(parent, tag, attributes, text) {
    var e = document.createElement(tag);
    Object.keys(attributes || {}).forEach(function (name) {
      e.setAttribute(name, attributes[name]);
    });
    if (text !== undefined) e.textContent = text;
    return parent.appendChild(e);
  }

  function readNumber(text) {
    if (/^\s*\+?inf(inity)?\s*$/i.test(text)) return Infinity;
    return /\d/.test(text) ? Number(text.replace(",", ".")) : NaN;
  }

  // An input of a number; `set` returns whether it takes the number.
  function numberInput(parent, label, value, set) {
    var input = add(parent, "input", { type: "text", inputmode: "decimal", "aria-label": label });
    input.value = value;
    input.addEventListener("input", function () {
      input.setAttribute("aria-invalid", String(!set(readNumber(input.value), input.value)));
    });
    return input;
  }

  function select(parent, label, options, chosen, set) {
    var box = add(add(parent, "label", {}, label + " "), "select", {});
    options.forEach(function (option) {
      add(box, "option", { value: option[0] }, option[1]);
    });
    box.value = chosen;
    box.addEventListener("change", function () { set(box.value); });
    return box;
  }

  function swatch(parent, colour) {
    add(parent, "span", { class: "br-swatch", "aria-hidden": "true" }).style.background = colour;
  }

  // ---- state

  function middle(axis) { return axis.value(0.5); }

  function start() {
    state = {
      prior: x.prior.slice(), x: 0, y: model.axes.length > 1 ? 1 : -1,
      cost: x.cost.map(function (row) { return row.map(readNumber); }),
      reject: false, rejectCost: 0, sweep: "0", values: model.axes.map(function () { return null; })
    };
    var cells = [].concat.apply([], state.cost).filter(isFinite).map(Math.abs);
    state.rejectCost = +(0.2 * Math.max.apply(null, cells.concat(0)) || 0.2).toPrecision(2);
    place(state.x);
    place(state.y);
  }

  function place(f) {
    if (f >= 0 && state.values[f] === null) state.values[f] = middle(model.axes[f]);
  }

  // The case that is pointed at, or the one that was placed.
  function view() {
    var values = state.values.slice();
    if (hover) hover.forEach(function (value, i) { values[i ? state.y : state.x] = value; });
    return {
      x: state.x, y: state.y, values: values, prior: state.prior,
      cost: state.reject ?
        state.cost.concat([x.classes.map(function () { return state.rejectCost; })]) : state.cost
    };
  }

  function actions() { return x.actions.slice(0, x.own + (state.reject ? 1 : 0)); }

  // At most two features of a block are known.
  function isOpen(f) {
    return state.values[f] !== null || model.knownIn(model.axes[f].block, state.values).length < 2;
  }

  function chooseAxis(which, f) {
    var old = state[which], other = which === "x" ? "y" : "x";
    if (f >= 0 && f === state[other]) state[other] = old;
    state[which] = f;
    if (old >= 0 && old !== state.x && old !== state.y) state.values[old] = null;
    if (state.x < 0) { state.x = state.y; state.y = -1; }
    [state.x, state.y].forEach(function (f) {
      if (f < 0) return;
      model.blocks[model.axes[f].block].forEach(function (g) {
        if (g !== state.x && g !== state.y && !isOpen(f)) state.values[g] = null;
      });
      place(f);
    });
    buildControls();
    update(true);
  }

  function setPrior(k, share) {
    if (!(share >= 0 && share <= 1)) return false;
    var rest = 1 - state.prior[k], K = state.prior.length;
    if (K === 1) return share === 1;
    state.prior = state.prior.map(function (p, j) {
      if (j === k) return share;
      return rest > 0 ? p * (1 - share) / rest : (1 - share) / (K - 1);
    });
    showPriors(k);
    update(true);
    return true;
  }

  // The inputs of all classes but `active`, in which a user is writing.
  function showPriors(active) {
    parts.priors.forEach(function (inputs, k) {
      inputs[0].value = state.prior[k];
      if (k !== active || document.activeElement !== inputs[1]) {
        inputs[1].value = String(+state.prior[k].toFixed(4));
      }
    });
  }

  // ---- controls

  function buildControls() {
    var names = model.axes.map(function (axis, f) { return [f, axis.name]; });
    var row = parts.axes;
    row.textContent = "";
    if (names.length > 1) {
      select(row, "Across", names, state.x, function (f) { chooseAxis("x", +f); });
      select(row, "Up", names.concat([[-1, "(posterior)"]]), state.y,
             function (f) { chooseAxis("y", +f); });
    }
    buildCase();
  }

  function buildPriors(parent) {
    var set = add(parent, "fieldset"), table = add(set, "table", { role: "presentation" });
    set.insertBefore(document.createElement("legend"), table).textContent = "Prior";
    parts.priors = x.classes.map(function (name, k) {
      var row = add(table, "tr"), head = add(row, "th");
      swatch(head, look.classes[k]);
      head.appendChild(document.createTextNode(name));
      var slider = add(add(row, "td"), "input", {
        type: "range", min: 0, max: 1, step: 0.001, "aria-label": "prior of " + name
      });
      slider.addEventListener("input", function () { setPrior(k, +slider.value); });
      var input = numberInput(add(row, "td"), "prior of " + name + ", as a number", "",
                              function (share) { return setPrior(k, share); });
      return [slider, input];
    });
    showPriors(-1);
  }

  function buildCosts(parent) {
    var set = add(parent, "fieldset"), table = add(set, "table", { class: "br-costs" });
    var head = add(add(table, "thead"), "tr");
    set.insertBefore(document.createElement("legend"), table).textContent = "Cost";
    add(head, "th", { scope: "col" }, "if the truth is");
    x.classes.forEach(function (name) { add(head, "th", { scope: "col" }, name); });
    var body = add(table, "tbody");
    state.cost.forEach(function (cells, a) {
      var row = add(body, "tr"), name = add(row, "th", { scope: "row" });
      swatch(name, look.regions[a]);
      name.appendChild(document.createTextNode(x.actions[a]));
      cells.forEach(function (cell, k) {
        var label = "cost of " + x.actions[a] + " if " + x.classes[k];
        numberInput(add(row, "td"), label, cell === Infinity ? "Inf" : cell, function (value) {
          if (isNaN(value) || value === -Infinity) return false;
          state.cost[a][k] = value;
          update(true);
          return true;
        });
      });
    });
    var line = add(set, "p"), label = add(line, "label"), box = add(label, "input", { type: "checkbox" });
    label.appendChild(document.createTextNode(" also " + x.actions[x.own] + ", at a cost of"));
    box.checked = state.reject;
    box.addEventListener("change", function () {
      state.reject = box.checked;
      buildReadout();
      update(true);
    });
    numberInput(line, "cost of " + x.actions[x.own], state.rejectCost, function (value) {
      if (!isFinite(value)) return false;
      state.rejectCost = value;
      update(true);
      return true;
    });
    add(set, "button", { type: "button" }, "Reset").addEventListener("click", function () {
      start();
      build();
    });
  }

  // The values of all features: those on the map, and those that are known or not.
  function buildCase() {
    var set = parts.case;
    set.textContent = "";
    add(set, "legend", {}, "Case");
    var table = add(set, "table", { role: "presentation" });
    parts.values = model.axes.map(function (axis, f) {
      var row = add(table, "tr"), cell;
      add(row, "th", {}, axis.name);
      cell = add(row, "td");
      var shown = f === state.x || f === state.y, input;
      function set(value) { state.values[f] = value; limit(); update(!shown); return true; }
      if (axis.labels) {
        input = add(cell, "select", { "aria-label": axis.name });
        if (!shown) add(input, "option", { value: "" }, "unknown");
        axis.labels.forEach(function (label, i) { add(input, "option", { value: i }, label); });
        input.addEventListener("change", function () {
          set(input.value === "" ? null : +input.value);
        });
      } else {
        input = numberInput(cell, axis.name, "", function (value, text) {
          if (!text.trim() && !shown) return set(null);
          return isFinite(value) && set(value);
        });
        if (!shown) input.placeholder = "unknown";
      }
      add(row, "td", {}, shown ? "on the map" : "");
      return input;
    });
    if (x.given.length) add(set, "p", {}, "Given: " + x.given.join(", "));
    limit();
    showValues(true);
  }

  function limit() {
    parts.values.forEach(function (input, f) {
      input.disabled = !isOpen(f);
      input.title = input.disabled ? "Of features that depend on each other, two can be known." : "";
    });
  }

  function showValues(all) {
    var values = view().values;
    parts.values.forEach(function (input, f) {
      if (!all && document.activeElement === input) return;
      input.value = values[f] === null ? "" :
        model.axes[f].labels ? values[f] : String(+values[f].toPrecision(5));
    });
  }

  // Tables of the posterior and of the expected costs.
  function buildReadout() {
    var box = parts.readout;
    box.textContent = "";
    function table(title, names, colours) {
      var t = add(box, "table"), head = add(add(t, "thead"), "tr"), body = add(t, "tbody");
      title.forEach(function (text) { add(head, "th", { scope: "col" }, text); });
      return names.map(function (name, i) {
        var row = add(body, "tr"), cell = add(row, "th", { scope: "row" });
        swatch(cell, colours[i]);
        cell.appendChild(document.createTextNode(name));
        return [row, add(row, "td", { class: "br-number" })];
      });
    }
    parts.posterior = table(["class", "posterior"], x.classes, look.classes);
    parts.expected = table(["action", "expected cost"], actions(), look.actions);
    buildSweepChoice();
  }

  function buildSweepChoice() {
    var options = x.classes.map(function (name, k) {
      return [String(k), "posterior of " + name];
    });
    actions().forEach(function (action, a) {
      x.classes.forEach(function (name, k) {
        options.push([a + " " + k, "cost of " + action + " if " + name]);
      });
    });
    var known = options.some(function (option) { return option[0] === state.sweep; });
    if (!known || isReject(state.sweep)) state.sweep = "0";
    options = options.filter(function (option) { return !isReject(option[0]); });
    parts.sweepChoice.textContent = "";
    select(parts.sweepChoice, "Vary the", options, state.sweep, function (value) {
      state.sweep = value;
      update(false);
    });
  }

  // The cost of the reject action is the same under every class: no single cell can vary.
  function isReject(choice) { return +choice.split(" ")[0] === x.own && / /.test(choice); }

  // ---- drawing

  function width() { return parts.map.parentNode.clientWidth; }

  function draw() {
    if (!parts || width() < 60) return;
    var dark = numbers.isDark(el), now = view(), w = width();
    el.style.colorScheme = dark ? "dark" : "light";
    var ink = getComputedStyle(el).color, size = [w, Math.round(Math.min(0.85 * w, 460))];
    var g = numbers.prepare(parts.map, size[0], size[1]), b = numbers.box(size);
    var up = state.y < 0 ?
      { from: 0, to: 1, name: "posterior", share: function (p) { return p; } } : model.axes[state.y];
    drawGround(b, now, dark);
    g.imageSmoothingEnabled = true;
    g.drawImage(ground, b.x, b.y, b.w, b.h);
    numbers.drawAxes(g, b, model.axes[state.x], up, ink);
    g.save();
    g.beginPath(); g.rect(b.x, b.y, b.w, b.h); g.clip();
    if (state.y < 0) numbers.drawPosteriors(g, b, model, now, look, dark ? "#fff" : "#444");
    if (x.cases) numbers.drawCases(g, b, model, x.cases, now, look, dark);
    numbers.drawLabels(g, b, drawn.places, drawn.step, actions(), dark);
    numbers.drawCross(g, b, crossing(now), state.y >= 0, dark ? "#fff" : "#000");
    g.restore();
    showCase(now, ink);
  }

  function crossing(now) {
    return [model.axes[now.x].share(now.values[now.x]),
            now.y < 0 ? 0 : model.axes[now.y].share(now.values[now.y])];
  }

  // The regions change only with priors, costs, axes and known values, not with the pointer.
  function drawGround(b, now, dark) {
    var ratio = Math.min(window.devicePixelRatio || 1, Math.sqrt(3e5 / (b.w * b.h)));
    var w = Math.round(b.w * ratio), h = Math.round(b.h * ratio);
    var key = [w, h, dark].join();
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
    var text = "Decided on the map: " + actions().map(function (name, a) {
      return name + " " + (100 * drawn.shares[a]).toFixed(1) + " %";
    }).join(", ") + ".";
    if (x.cases) {
      var cases = model.meanCost(x.cases, now);
      drawn.meanCost = cases.cost;
      text += cases.n ? " Mean cost of " + cases.n + " cases shown: " + format(cases.cost) + "." :
        " " + cases.shown + " cases shown.";
    }
    parts.summary.textContent = text;
  }

  function describe(value, f) {
    var axis = model.axes[f];
    return axis.name + " = " + (axis.labels ? axis.labels[value] : format(value));
  }

  function showCase(now, ink) {
    var decided = numbers.decide(model.log(now.values), now.prior, now.cost), chosen = decided.action;
    parts.posterior.forEach(function (row, k) {
      row[1].textContent = decided.posterior ? format(decided.posterior[k]) : "-";
    });
    parts.expected.forEach(function (row, a) {
      row[0].className = a === chosen ? "br-chosen" : "";
      row[1].textContent = (a === chosen ? "\u2192 " : "") +
        (decided.costs ? format(decided.costs[a]) : "-");
    });
    var where = now.values.map(function (value, f) { return value === null ? "" : describe(value, f); })
      .filter(Boolean).join(", ");
    parts.decision.textContent = where + ": " + (chosen < 0 ? "impossible under every class." :
      "decide " + actions()[chosen] + ", expected cost " + format(decided.costs[chosen]) + ".");
    showValues(false);
    drawSweep(decided, now, ink);
  }

  function drawSweep(decided, now, ink) {
    parts.sweep.style.visibility = decided.posterior ? "" : "hidden";
    if (!decided.posterior) return;
    var choice = state.sweep.split(" ").map(Number), names = actions();
    var varied = choice.length === 1 ? { class: choice[0] } : { action: choice[0], class: choice[1] };
    var sweep = numbers.sweep(decided, now.cost, varied), pieces = numbers.envelope(sweep.ends);
    var label = choice.length === 1 ? "posterior of " + x.classes[choice[0]] :
      "cost of " + names[choice[0]] + " if " + x.classes[choice[1]];
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
    if (all) drawn = null;
    clearTimeout(timer);
    timer = setTimeout(speak, 500, all);
    if (waiting) return;
    waiting = requestAnimationFrame(function () { waiting = null; draw(); });
  }

  // A screen reader is told once a user pauses. A page in the background has no frames.
  function speak(all) {
    if (!parts || hover) return;
    if (waiting) draw();
    parts.said.textContent = (all ? parts.summary.textContent + " " : "") +
      parts.decision.textContent;
  }

  function pointed(event) {
    var r = parts.map.getBoundingClientRect(), b = numbers.box([r.width, r.height]);
    var at = [(event.clientX - r.left - b.x) / b.w, 1 - (event.clientY - r.top - b.y) / b.h];
    if (at.some(function (t) { return t < 0 || t > 1; })) return null;
    var values = [model.axes[state.x].value(at[0])];
    if (state.y >= 0) values.push(model.axes[state.y].value(at[1]));
    return values;
  }

  function putCase(values) {
    if (!values) return;
    values.forEach(function (value, i) { state.values[i ? state.y : state.x] = value; });
    hover = null;
    update(false);
  }

  function moveBy(f, direction, small) {
    if (f < 0) return;
    var axis = model.axes[f], step = (axis.to - axis.from) * (small ? 0.002 : 0.02);
    if (axis.whole) step = Math.max(1, Math.round(step));
    if (axis.labels) step = 1;
    var value = state.values[f] + direction * step;
    if (axis.labels) value = Math.min(Math.max(value, 0), axis.n - 1);
    state.values[f] = Math.min(Math.max(value, axis.from), axis.to);
    hover = null;
    update(false);
  }

  function listen(map) {
    var keys = { ArrowLeft: ["x", -1], ArrowRight: ["x", 1], ArrowDown: ["y", -1], ArrowUp: ["y", 1] };
    map.addEventListener("keydown", function (event) {
      var key = keys[event.key];
      if (!key) return;
      event.preventDefault();
      moveBy(state[key[0]], key[1], event.shiftKey);
    });
    map.addEventListener("pointermove", function (event) {
      if (event.pointerType === "touch") return;
      hover = pointed(event);
      update(false);
    });
    map.addEventListener("pointerleave", function () { hover = null; update(false); });
    map.addEventListener("click", function (event) { putCase(pointed(event)); });
  }

  // ---- layout

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
    parts.sweepChoice = add(right, "p");
    parts.sweep = add(add(right, "div"), "canvas", { role: "img", class: "br-sweep" });
    parts.said = add(el, "div", { class: "br-said", role: "status" });
    buildControls();
    buildReadout();
    listen(parts.map);
    update(true);
  }

  // Pages change their colours after loading, and tabs open.
  function watch() {
    if (window.ResizeObserver) new ResizeObserver(function () { update(false); }).observe(el);
    if (window.matchMedia) {
      var dark = window.matchMedia("(prefers-color-scheme: dark)");
      if (dark.addEventListener) dark.addEventListener("change", function () { update(false); });
    }
    [document.documentElement, document.body].forEach(function (page) {
      new MutationObserver(function () { update(false); })
        .observe(page, { attributes: true, attributeFilter: ["class", "style", "data-bs-theme"] });
    });
  }

  watch();
  return {
    renderValue: function (value) {
      x = value;
      look = x.colours;
      model = new numbers.Model(x);
      start();
      build();
    },
    resize: function () { if (parts) update(false); },
    // For scripts and tests: draws at once, and returns the shares of the actions and the mean cost
    // of the cases shown.
    summary: function () {
      draw();
      return { actions: actions(), shares: drawn.shares, meanCost: drawn.meanCost };
    },
    redraw: function () { drawn = null; draw(); }
  };
} });
