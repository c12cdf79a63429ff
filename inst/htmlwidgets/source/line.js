// One feature: its probabilities by class, the cuts of the best rule, and what another rule costs.
// A rule along a line is { cuts, actions }: the actions before, between and after the cuts.
(function () {
  "use strict";
  var numbers = window.bayesriskExplorer;

  // The probabilities of cells of an axis, class by class; `above[k][i]`: of all before cell i.
  function Cells(cells, table, classes) {
    var self = this;
    this.n = cells.n;
    this.from = cells.from;
    this.to = cells.to;
    this.edges = cells.edges;
    this.share = table.value;
    this.before = [];
    for (var k = 0; k < classes; k++) {
      var sum = new Float64Array(this.n + 1);
      for (var i = 0; i < this.n; i++) {
        sum[i + 1] = sum[i] + Math.max(0, self.share[k * this.n + i]);
      }
      this.before.push(sum);
    }
  }
  Cells.prototype.edge = function (i) {
    return this.edges ? this.edges[i] : this.from + i * (this.to - this.from) / this.n;
  };
  Cells.prototype.middle = function (i) { return (this.edge(i) + this.edge(i + 1)) / 2; };
  Cells.prototype.cell = function (x) {
    var low = 0, high = this.n;
    while (high - low > 1) {
      var middle = (low + high) >> 1;
      if (this.edge(middle) <= x) low = middle; else high = middle;
    }
    return low;
  };
  // The probability below x. Densities are smooth between even edges, and constant between others.
  Cells.prototype.below = function (k, x) {
    var sum = this.before[k], n = this.n;
    if (x <= this.edge(0)) return 0;
    if (x >= this.edge(n)) return sum[n];
    var i = this.cell(x), t = (x - this.edge(i)) / (this.edge(i + 1) - this.edge(i));
    if (this.edges || i < 1 || i > n - 2) return sum[i] + t * (sum[i + 1] - sum[i]);
    return -t * (t - 1) * (t - 2) / 6 * sum[i - 1] + (t + 1) * (t - 1) * (t - 2) / 2 * sum[i] -
      (t + 1) * t * (t - 2) / 2 * sum[i + 1] + (t + 1) * t * (t - 1) / 6 * sum[i + 2];
  };
  Cells.prototype.density = function (k, x) {
    var self = this, at = k * this.n;
    function of(i) { return self.share[at + i] / (self.edge(i + 1) - self.edge(i)); }
    var i = this.cell(x);
    if (this.edges) return of(i);
    if (x < this.middle(i)) i--;
    if (i < 0 || i > this.n - 2) return of(Math.max(0, Math.min(i, this.n - 1)));
    var t = (x - this.middle(i)) / (this.middle(i + 1) - this.middle(i));
    return (1 - t) * of(i) + t * of(i + 1);
  };

  // Prior times density of each class.
  function joint(cells, prior, x) {
    return prior.map(function (p, k) { return p > 0 ? p * cells.density(k, x) : 0; });
  }

  // A cost of infinity counts where its class is possible.
  function expected(row, weight) {
    return row.reduce(function (sum, c, k) {
      return weight[k] > 0 ? sum + c * weight[k] : sum;
    }, 0);
  }

  // The best rule. A cut on the map is found between the middles of two cells, where the model
  // knows its densities exactly; any other one is the edge of a cell.
  numbers.Model.prototype.bestRule = function (view) {
    var cells = this.cells, self = this, axis = this.axes[view.x], values = view.values.slice();
    function of(x) {
      values[view.x] = x;
      return numbers.decide(self.log(values), view.prior, view.cost).action;
    }
    function cut(i, before, after) {
      var low = cells.middle(i), high = cells.middle(i + 1);
      if (cells.edges || low < axis.from || high > axis.to) return cells.edge(i + 1);
      if (of(low) !== before || of(high) !== after) return cells.edge(i + 1);
      for (var step = 0; step < 50; step++) {
        var middle = (low + high) / 2;
        if (of(middle) === before) low = middle; else high = middle;
      }
      return high;
    }
    var rule = { cuts: [], actions: [] }, last = -1;
    for (var i = 0; i < cells.n; i++) {
      var log = view.prior.map(function (p, k) {
        return Math.log(Math.max(0, cells.share[k * cells.n + i]));
      });
      var action = numbers.decide(log, view.prior, view.cost).action;
      if (action < 0 || action === last) continue;
      if (last >= 0) rule.cuts.push(cut(i - 1, last, action));
      rule.actions.push(action);
      last = action;
    }
    return rule;
  };

  function actionAt(rule, x) {
    var i = 0;
    while (i < rule.cuts.length && rule.cuts[i] <= x) i++;
    return rule.actions[i];
  }

  // The pieces between the cuts of two rules: [{ from, to, rule, best }] with their actions.
  function pieces(cells, rule, best) {
    var ends = rule.cuts.concat(best.cuts).filter(function (x) {
      return x > cells.edge(0) && x < cells.edge(cells.n);
    }).sort(function (s, t) { return s - t; });
    ends = [cells.edge(0)].concat(ends, cells.edge(cells.n));
    return ends.slice(1).map(function (to, i) {
      var middle = (ends[i] + to) / 2;
      return { from: ends[i], to: to, rule: actionAt(rule, middle), best: actionAt(best, middle) };
    }).filter(function (piece) { return piece.to > piece.from; });
  }

  // The expected cost of a rule: what the best rule would save, and for each action of the rule
  // what no rule avoids where it is taken.
  numbers.Model.prototype.areas = function (view, rule, best) {
    var cells = this.cells, out = { reducible: 0, irreducible: 0, at: view.cost.map(function () {
      return 0;
    }) };
    pieces(cells, rule, best).forEach(function (piece) {
      var weight = view.prior.map(function (p, k) {
        return p * Math.max(0, cells.below(k, piece.to) - cells.below(k, piece.from));
      });
      var least = expected(view.cost[piece.best], weight);
      out.at[piece.rule] += least;
      out.irreducible += least;
      if (piece.rule === piece.best) return;
      out.reducible += expected(view.cost[piece.rule], weight) - least;
    });
    out.reducible = Math.max(0, out.reducible);
    out.total = out.irreducible + out.reducible;
    return out;
  };

  // Of a feature with levels: the cost of the best decision for each level.
  numbers.Model.prototype.levelCost = function (view) {
    var cells = this.cells, sum = 0;
    for (var i = 0; i < cells.n; i++) {
      var weight = view.prior.map(function (p, k) { return p * cells.share[k * cells.n + i]; });
      sum += Math.min.apply(null, view.cost.map(function (row) { return expected(row, weight); }));
    }
    return sum;
  };

  Object.assign(numbers, {
    Cells: Cells, joint: joint, expected: expected, actionAt: actionAt, pieces: pieces
  });
})();
