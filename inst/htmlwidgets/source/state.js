// What a user has chosen: axes, priors, costs, and the values of the case.
(function () {
  "use strict";
  var numbers = window.bayesriskExplorer;

  function readNumber(text) {
    if (/^\s*\+?inf(inity)?\s*$/i.test(text)) return Infinity;
    return /\d/.test(text) ? Number(text.replace(",", ".")) : NaN;
  }

  // `values`: of each feature, null if it is unknown; `hover`: the values on the axes at the
  // pointer; `sweep`: what varies, "class" or "action class".
  function State(x, model) {
    this.model = model;
    this.classes = x.classes;
    this.names = x.actions;
    this.own = x.own;
    this.prior = x.prior.slice();
    this.cost = x.cost.map(function (row) { return row.map(readNumber); });
    this.reject = false;
    var cells = [].concat.apply([], this.cost).filter(isFinite).map(Math.abs);
    this.rejectCost = +(0.2 * Math.max.apply(null, cells.concat(0)) || 0.2).toPrecision(2);
    this.values = model.axes.map(function () { return null; });
    this.hover = null;
    this.sweep = "0";
    this.x = 0;
    this.y = model.axes.length > 1 ? 1 : -1;
    this.place(this.x);
    this.place(this.y);
  }

  // A feature of the map always has a value.
  State.prototype.place = function (f) {
    if (f >= 0 && this.values[f] === null) this.values[f] = this.model.axes[f].value(0.5);
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

  State.prototype.move = function (which, direction, small) {
    var f = this[which];
    if (f < 0) return;
    var axis = this.model.axes[f], step = (axis.to - axis.from) * (small ? 0.002 : 0.02);
    if (axis.whole) step = Math.max(1, Math.round(step));
    if (axis.labels) step = 1;
    var last = axis.labels ? axis.n - 1 : axis.to, value = this.values[f] + direction * step;
    this.values[f] = Math.min(Math.max(value, axis.from), last);
    this.hover = null;
  };

  // The choices of the sweep. All cells of the reject action are one cost, so none varies alone.
  State.prototype.sweeps = function () {
    var out = this.classes.map(function (name, k) { return [String(k), "posterior of " + name]; });
    for (var a = 0; a < this.own; a++) for (var k = 0; k < this.classes.length; k++) {
      out.push([a + " " + k, "cost of " + this.names[a] + " if " + this.classes[k]]);
    }
    return out;
  };

  numbers.State = State;
  numbers.readNumber = readNumber;
})();
