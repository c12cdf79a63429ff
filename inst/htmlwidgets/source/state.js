// What a user has chosen: axes, priors, costs, and the values of the case.
(function () {
  "use strict";
  var numbers = window.bayesriskExplorer;

  function readNumber(text) {
    if (/^\s*\+?inf(inity)?\s*$/i.test(text)) return Infinity;
    return /\d/.test(text) ? Number(text.replace(",", ".")) : NaN;
  }

  // The axis "up" of a map of one feature is no feature.
  var POSTERIOR = -1, DENSITY = -2;

  // `values`: of each feature, null if it is unknown; `hover`: the values on the axes at the
  // pointer; `sweep`: what varies, "class" or "action class"; `rule`: along a line, beside the best
  // rule, null if it is this one; `slid`: the cost that has a slider, [action, class].
  function State(x, model, part) {
    this.model = model;
    this.classes = x.classes;
    this.names = x.actions;
    this.own = x.own;
    this.part = part;
    this.prior = part.prior.slice();
    this.fine = this.prior.some(function (p) { return p > 0 && p <= 0.01; });
    this.cost = x.cost.map(function (row) { return row.map(readNumber); });
    this.first = this.setting();
    this.slid = this.firstSlid();
    this.slideFrom = Math.abs(this.cost[this.slid[0]][this.slid[1]]);
    this.dragged = false;
    this.rule = model.cells && part.rule ? copyRule(part.rule) : null;
    this.reject = false;
    var cells = [].concat.apply([], this.cost).filter(isFinite).map(Math.abs);
    this.rejectCost = +(0.2 * Math.max.apply(null, cells.concat(0)) || 0.2).toPrecision(2);
    this.values = model.axes.map(function () { return null; });
    this.hover = null;
    this.sweep = "0";
    this.x = 0;
    this.y = model.axes.length > 1 ? 1 : model.cells ? DENSITY : POSTERIOR;
    this.place(this.x);
    this.place(this.y);
  }

  function copyRule(rule) {
    return { cuts: [].concat(rule.cuts), actions: [].concat(rule.actions) };
  }

  // Another model. Priors that a user has chosen stay, unless the models differ in them.
  State.prototype.choose = function (model, part) {
    if (String(part.prior) !== String(this.part.prior)) this.prior = part.prior.slice();
    this.model = model;
    this.part = part;
    if (!this.dragged) this.rule = model.cells && part.rule ? copyRule(part.rule) : null;
    if (this.y === DENSITY && !model.cells) this.y = POSTERIOR;
    this.values.forEach(function (value, f) {
      if (this.onMap(f) || value === null) return;
      this.values[f] = null;
      if (this.isOpen(f)) this.values[f] = value;
    }, this);
  };

  // Whether priors and costs are those for which R has computed risks.
  State.prototype.setting = function () { return JSON.stringify([this.prior, this.cost]); };
  State.prototype.isFirst = function () { return !this.reject && this.setting() === this.first; };

  // Sliders of rare classes move the log odds, from one in a million on.
  State.prototype.toSlider = function (share) {
    if (!this.fine) return share;
    return Math.min(Math.max(0.5 + Math.log10(share / (1 - share)) / 12, 0), 1);
  };
  State.prototype.fromSlider = function (t) {
    return this.fine ? 1 / (1 + Math.pow(10, 12 * (0.5 - t))) : t;
  };

  // The slider of a cost multiplies it by up to 30.
  State.prototype.firstSlid = function () {
    for (var a = 0; a < this.own; a++) for (var k = 0; k < this.classes.length; k++) {
      if (isFinite(this.cost[a][k]) && this.cost[a][k] !== 0) return [a, k];
    }
    return [0, 0];
  };
  State.prototype.slide = function (text) {
    this.slid = text.split(" ").map(Number);
    var cost = this.cost[this.slid[0]][this.slid[1]];
    this.slideFrom = isFinite(cost) && cost !== 0 ? Math.abs(cost) : 1;
  };
  State.prototype.slideAt = function () {
    var size = Math.abs(this.cost[this.slid[0]][this.slid[1]]) / this.slideFrom;
    return Math.min(Math.max(0.5 + Math.log10(size) / 3, 0), 1);
  };
  State.prototype.slideTo = function (t) {
    var row = this.cost[this.slid[0]], sign = row[this.slid[1]] < 0 ? -1 : 1;
    row[this.slid[1]] = sign * +(this.slideFrom * Math.pow(10, 3 * (t - 0.5))).toPrecision(3);
  };

  // Moves a cut of the rule, at most to the next ones.
  State.prototype.setCut = function (i, x, best) {
    var axis = this.model.axes[this.x];
    if (!this.rule) this.rule = copyRule(best);
    if (axis.whole) x = Math.floor(x) + 0.5;
    var cuts = this.rule.cuts, low = i ? cuts[i - 1] : -Infinity;
    x = Math.min(Math.max(x, axis.from), axis.to);
    cuts[i] = Math.min(Math.max(x, low), i + 1 < cuts.length ? cuts[i + 1] : Infinity);
    this.dragged = true;
  };
  State.prototype.dropRule = function () { this.rule = null; this.dragged = true; };

  // A feature of the map always has a value.
  State.prototype.place = function (f) {
    if (f < 0 || this.values[f] !== null) return;
    var axis = this.model.axes[f];
    this.values[f] = axis.value(axis.labels ? 0 : 0.5);
  };

  State.prototype.onMap = function (f) { return f === this.x || f === this.y; };

  State.prototype.actions = function () {
    return this.names.slice(0, this.own + (this.reject ? 1 : 0));
  };

  // What is drawn: at the pointer, or else at the case.
  State.prototype.view = function () {
    var values = this.values.slice(), self = this, reject = this.rejectCost;
    (this.hover || []).forEach(function (value, i) { values[i ? self.y : self.x] = value; });
    return {
      x: this.x, y: this.y, values: values, prior: this.prior,
      cost: this.reject ? this.cost.concat([this.classes.map(function () { return reject; })]) :
        this.cost
    };
  };

  // At most two features of a block are known.
  State.prototype.isOpen = function (f) {
    return this.values[f] !== null ||
      this.model.knownIn(this.model.axes[f].block, this.values).length < 2;
  };

  // `which`: "x" or "y"; no feature (-1) can only be up.
  State.prototype.chooseAxis = function (which, f) {
    var old = this[which], other = which === "x" ? "y" : "x", self = this;
    if (f >= 0 && f === this[other]) this[other] = old;
    this[which] = f;
    if (this.x < 0) { this.x = this.y; this.y = -1; }
    if (old >= 0 && !this.onMap(old)) this.values[old] = null;
    this.hover = null;
    [this.x, this.y].forEach(function (f) {
      if (f < 0) return;
      self.model.blocks[self.model.axes[f].block].forEach(function (g) {
        if (!self.onMap(g) && !self.isOpen(f)) self.values[g] = null;
      });
      self.place(f);
    });
  };

  // The priors of the other classes keep their ratios.
  State.prototype.setPrior = function (k, share) {
    if (!(share >= 0 && share <= 1)) return false;
    var rest = 1 - this.prior[k], K = this.prior.length;
    if (K === 1) return share === 1;
    this.prior = this.prior.map(function (p, j) {
      if (j === k) return share;
      return rest > 0 ? p * (1 - share) / rest : (1 - share) / (K - 1);
    });
    return true;
  };

  State.prototype.put = function (values) {
    var self = this;
    values.forEach(function (value, i) { self.values[i ? self.y : self.x] = value; });
    this.hover = null;
  };

  State.prototype.step = function (axis, small) {
    return (axis.to - axis.from) * (small ? 0.002 : 0.02);
  };

  State.prototype.move = function (which, direction, small) {
    var f = this[which];
    if (f < 0) return;
    var axis = this.model.axes[f], step = this.step(axis, small);
    if (axis.whole) step = Math.max(1, Math.round(step));
    if (axis.labels) step = 1;
    var last = axis.labels ? axis.n - 1 : axis.to, value = this.values[f] + direction * step;
    this.values[f] = Math.min(Math.max(value, axis.from), last);
    this.hover = null;
  };

  // The choices of the sweep. All cells of the reject action are one cost, so none varies alone.
  State.prototype.sweeps = function () {
    return this.classes.map(function (name, k) { return [String(k), "posterior of " + name]; })
      .concat(this.costNames());
  };
  State.prototype.costNames = function () {
    var out = [];
    for (var a = 0; a < this.own; a++) for (var k = 0; k < this.classes.length; k++) {
      out.push([a + " " + k, "cost of " + this.names[a] + " if " + this.classes[k]]);
    }
    return out;
  };

  Object.assign(numbers, { State: State, POSTERIOR: POSTERIOR, DENSITY: DENSITY });
  numbers.readNumber = readNumber;
})();
