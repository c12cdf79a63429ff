// The numbers of an explorer: log likelihoods between the points of a grid, posteriors, expected
// costs and decisions. R computes the grids; explore-grid.R says what they hold.
(function () {
  "use strict";
  var numbers = window.bayesriskExplorer = {};

  // Stands for minus infinity, which would give NaN when it is multiplied by a weight of 0.
  var IMPOSSIBLE = -1e30;

  // A table of 32-bit floats: class by class, the first feature varies fastest.
  function readTable(text, classes, smooth) {
    var bytes = Uint8Array.from(atob(text), function (c) { return c.charCodeAt(0); });
    var value = new Float32Array(bytes.buffer), size = value.length / classes, nearest = false;
    for (var k = 0; k < classes; k++) {
      var lost = 0;
      for (var i = k * size; i < (k + 1) * size; i++) {
        if (value[i] === -Infinity) { value[i] = IMPOSSIBLE; lost++; }
      }
      // Between a finite and an infinite number nothing can be interpolated.
      if (smooth && lost > 0 && lost < size) nearest = true;
    }
    return { value: value, size: size, nearest: nearest };
  }

  // An axis turns values into shares of its length (0 to 1) and back, and into the points of the
  // grid around a value with their weights. The axis of a feature with levels has their indices as
  // values. Kinds: "line" (interpolated), "steps" (constant between edges), "levels".
  function Axis(feature) {
    this.kind = feature.kind;
    this.name = feature.name;
    this.labels = feature.labels;
    this.whole = feature.whole;
    this.edges = feature.edges;
    this.block = feature.block;
    this.n = feature.n;
    this.from = feature.range ? feature.range[0] : 0;
    this.to = feature.range ? feature.range[1] : feature.n;
  }
  Axis.prototype.share = function (value) {
    return (value - this.from + (this.labels ? 0.5 : 0)) / (this.to - this.from);
  };
  Axis.prototype.value = function (share) {
    share = Math.min(Math.max(share, 0), 1);
    if (this.labels) return Math.min(Math.floor(share * this.n), this.n - 1);
    var value = this.from + share * (this.to - this.from);
    return this.whole ? Math.round(value) : value;
  };
  Axis.prototype.cell = function (value) {
    if (this.labels) return value;
    var low = 0, high = this.n;
    while (high - low > 1) {
      var middle = (low + high) >> 1;
      if (this.edges[middle] <= value) low = middle; else high = middle;
    }
    return low;
  };
  // Cubic polynomials through four points: exact for the quadratic log density of a normal.
  Axis.prototype.stencil = function (value, nearest) {
    if (this.kind !== "line") return { at: this.cell(value), weight: [1] };
    var u = Math.min(Math.max(this.share(value), 0), 1) * (this.n - 1);
    if (nearest) return { at: Math.round(u), weight: [1] };
    var at = Math.min(Math.max(Math.floor(u) - 1, 0), this.n - 4), t = u - at;
    return { at: at, weight: [
      -(t - 1) * (t - 2) * (t - 3) / 6, t * (t - 2) * (t - 3) / 2,
      -t * (t - 1) * (t - 3) / 2, t * (t - 1) * (t - 2) / 6
    ] };
  };

  // `part`: the tables of a model, or of a rule that is compared with it.
  function Model(classes, part) {
    var K = classes.length, self = this;
    this.classes = classes;
    this.axes = part.features.map(function (feature) { return new Axis(feature); });
    this.singles = part.features.map(function (feature) {
      return readTable(feature.table, K, feature.kind === "line");
    });
    this.pairs = {};
    part.pairs.forEach(function (pair) {
      var smooth = [pair.x, pair.y].some(function (f) { return self.axes[f].kind === "line"; });
      var table = readTable(pair.table, K, smooth);
      table.x = pair.x;
      table.y = pair.y;
      // Grids of pairs may be coarser than those of single features.
      table.axes = [pair.x, pair.y].map(function (f, i) {
        var axis = Object.create(self.axes[f]);
        axis.n = pair.n[i];
        return axis;
      });
      self.pairs[pair.x + " " + pair.y] = self.pairs[pair.y + " " + pair.x] = table;
    });
    this.base = readTable(part.base, K, false).value;
    this.blocks = this.axes.reduce(function (blocks, axis, f) {
      (blocks[axis.block] = blocks[axis.block] || []).push(f);
      return blocks;
    }, []);
    if (part.cells) {
      this.cells = new numbers.Cells(part.cells, readTable(part.cells.table, K, false), K);
    }
  }

  // The known features of a block. A block has tables of one and of two features.
  Model.prototype.knownIn = function (block, values) {
    return this.blocks[block].filter(function (f) { return values[f] !== null; });
  };

  // Adds the log likelihood of a block's known values.
  Model.prototype.addBlock = function (block, values, log) {
    var known = this.knownIn(block, values), K = log.length;
    if (known.length === 0) return;
    var single = known.length === 1;
    var table = single ? this.singles[known[0]] : this.pairs[known[0] + " " + known[1]];
    var first = single ? this.axes[known[0]] : table.axes[0];
    var across = first.stencil(values[single ? known[0] : table.x], table.nearest);
    var up = single ? { at: 0, weight: [1] } :
      table.axes[1].stencil(values[table.y], table.nearest);
    for (var k = 0; k < K; k++) {
      for (var j = 0; j < up.weight.length; j++) {
        var row = k * table.size + (up.at + j) * first.n + across.at, sum = 0;
        for (var i = 0; i < across.weight.length; i++) {
          sum += across.weight[i] * table.value[row + i];
        }
        log[k] += up.weight[j] * sum;
      }
    }
  };

  Model.prototype.log = function (values) {
    var log = Float64Array.from(this.base);
    for (var b = 0; b < this.blocks.length; b++) this.addBlock(b, values, log);
    return log;
  };

  // Posterior, expected costs and action of one case; the action is -1 where no class is possible.
  function decide(log, prior, cost) {
    var K = log.length, top = -Infinity, sum = 0, k, p = new Float64Array(K);
    for (k = 0; k < K; k++) { p[k] = log[k] + Math.log(prior[k]); top = Math.max(top, p[k]); }
    if (!(top > IMPOSSIBLE / 10)) return { action: -1, posterior: null, costs: null };
    for (k = 0; k < K; k++) { p[k] = Math.exp(p[k] - top); sum += p[k]; }
    for (k = 0; k < K; k++) p[k] /= sum;
    var costs = cost.map(function (row) {
      return row.reduce(function (sum, c, k) { return p[k] > 0 ? sum + c * p[k] : sum; }, 0);
    });
    return { action: cheapest(costs), posterior: p, costs: costs };
  }

  // The first of the actions that cost the same.
  function cheapest(costs) {
    var best = 0, scale = 0, a;
    for (a = 0; a < costs.length; a++) {
      if (isFinite(costs[a])) scale = Math.max(scale, Math.abs(costs[a]));
    }
    for (a = 1; a < costs.length; a++) if (costs[a] < costs[best] - 1e-12 * scale) best = a;
    return best;
  }

  // The log likelihoods of a plane: of each class, those of columns and rows add up; or the two
  // features are of one block, and `of(row)` gives those of a row.
  Model.prototype.plane = function (x, y, values, width, height) {
    var K = this.classes.length, self = this, axes = this.axes, known = values.slice();
    var same = y >= 0 && axes[x].block === axes[y].block, log = Float64Array.from(this.base);
    known[x] = null;
    if (y >= 0) known[y] = null;
    for (var b = 0; b < this.blocks.length; b++) {
      if (b !== axes[x].block && !(y >= 0 && b === axes[y].block)) this.addBlock(b, known, log);
    }
    if (same) return this.pairPlane(x, y, log, width, height);
    function along(f, n, start) {
      var out = new Float64Array(K * n), one = new Float64Array(K), at = known.slice();
      for (var i = 0; i < n; i++) {
        one.set(start);
        if (f >= 0) {
          at[f] = axes[f].value((i + 0.5) / n);
          self.addBlock(axes[f].block, at, one);
        }
        for (var k = 0; k < K; k++) out[k * n + i] = one[k];
      }
      return out;
    }
    var columns = along(x, width, log), rows = along(y, height, new Float64Array(K));
    return function (j, out) {
      for (var k = 0; k < K; k++) {
        var add = rows[k * height + j];
        for (var i = 0; i < width; i++) out[k * width + i] = columns[k * width + i] + add;
      }
    };
  };

  Model.prototype.pairPlane = function (x, y, log, width, height) {
    var table = this.pairs[x + " " + y], K = this.classes.length, turned = table.x !== x;
    var across = table.axes[turned ? 1 : 0], up = table.axes[turned ? 0 : 1];
    var step = turned ? up.n : 1, stride = turned ? 1 : across.n;
    // First between columns, at each row of the grid.
    var part = new Float64Array(K * up.n * width);
    for (var i = 0; i < width; i++) {
      var s = across.stencil(across.value((i + 0.5) / width), table.nearest);
      for (var k = 0; k < K; k++) for (var j = 0; j < up.n; j++) {
        var at = k * table.size + s.at * step + j * stride, sum = 0;
        for (var m = 0; m < s.weight.length; m++) sum += s.weight[m] * table.value[at + m * step];
        part[(k * up.n + j) * width + i] = sum;
      }
    }
    return function (row, out) {
      var s = up.stencil(up.value((row + 0.5) / height), table.nearest);
      for (var k = 0; k < K; k++) for (var i = 0; i < width; i++) {
        var sum = log[k];
        for (var m = 0; m < s.weight.length; m++) {
          sum += s.weight[m] * part[(k * up.n + s.at + m) * width + i];
        }
        out[k * width + i] = sum;
      }
    };
  };

  // The costs of all actions one after the other. A huge number stands for an infinite cost, which
  // would give NaN under an impossible class.
  function flatten(cost) {
    return Float64Array.from([].concat.apply([], cost), function (c) {
      return c === Infinity ? 1e290 : c;
    });
  }

  // The action at each pixel, from the bottom row; 255 where no class is possible.
  Model.prototype.decisions = function (view, width, height) {
    var K = this.classes.length, A = view.cost.length, cost = flatten(view.cost);
    var rowOf = this.plane(view.x, view.y, view.values, width, height);
    var log = new Float64Array(K * width), action = new Uint8Array(width * height);
    var prior = Float64Array.from(view.prior, Math.log), e = new Float64Array(K);
    var tie = 1e-12 * cost.reduce(function (most, c) {
      return Math.abs(c) < 1e290 ? Math.max(most, Math.abs(c)) : most;
    }, 0);
    for (var j = 0; j < height; j++) {
      if (j === 0 || view.y >= 0) rowOf(j, log);
      for (var i = 0; i < width; i++) {
        var top = -Infinity, best = 255, least = Infinity, k;
        for (k = 0; k < K; k++) {
          e[k] = log[k * width + i] + prior[k];
          if (e[k] > top) top = e[k];
        }
        if (top > IMPOSSIBLE / 10) {
          for (k = 0; k < K; k++) {
            var below = e[k] - top;
            e[k] = below === 0 ? 1 : below < -745 ? 0 : Math.exp(below);
          }
          for (var a = 0, at = 0; a < A; a++) {
            var sum = 0;
            for (k = 0; k < K; k++) sum += cost[at++] * e[k];
            if (sum < least - tie || best === 255) { least = sum; best = a; }
          }
        }
        action[j * width + i] = best;
      }
    }
    return action;
  };

  // The shares of the actions in the plane.
  function shares(action, actions) {
    var count = new Array(actions).fill(0);
    for (var i = 0; i < action.length; i++) if (action[i] < actions) count[action[i]]++;
    return count.map(function (n) { return n / action.length; });
  }

  // The share of the plane in which two rules decide otherwise.
  function differing(first, second) {
    var count = 0;
    for (var i = 0; i < first.length; i++) if (first[i] !== second[i]) count++;
    return count / first.length;
  }

  // The mean cost of the cases of known class that are on the map.
  Model.prototype.meanCost = function (cases, view) {
    var sum = 0, n = 0, shown = 0;
    for (var i = 0; i < cases.class.length; i++) {
      var values = caseValues(cases, i, view);
      if (!values) continue;
      shown++;
      if (cases.class[i] === null) continue;
      var action = decide(this.log(values), view.prior, view.cost).action;
      if (action < 0) continue;
      sum += view.cost[action][cases.class[i]];
      n++;
    }
    return { cost: n ? sum / n : NaN, n: n, shown: shown };
  };

  // The values of a case on the axes, beside those that are known of all; null if one is missing.
  function caseValues(cases, i, view) {
    var values = view.values.slice();
    values[view.x] = cases.values[view.x][i];
    if (view.y >= 0) values[view.y] = cases.values[view.y][i];
    var missing = values[view.x] === null || (view.y >= 0 && values[view.y] === null);
    return missing ? null : values;
  }

  // The expected cost of each action as a line, while `varied` goes from 0 to 1 (the posterior of a
  // class) or through the values of one cost: { from, to, now, ends: [at from, at to] by action }.
  function sweep(decided, cost, varied) {
    var p = decided.posterior, c = varied.class, rest = 1 - p[c];
    var largest = Math.max.apply(null, [].concat.apply([], cost).filter(isFinite).map(Math.abs));
    if (varied.action === undefined) {
      return { from: 0, to: 1, now: p[c], ends: cost.map(function (row) {
        var other = row.reduce(function (sum, cell, k) {
          var share = rest > 1e-12 ? p[k] / rest : 1 / (p.length - 1);
          return k === c || share === 0 ? sum : sum + share * cell;
        }, 0);
        return [p.length === 1 ? row[c] : other, row[c]];
      }) };
    }
    var now = cost[varied.action][c], to = 2 * (largest || 1);
    var negative = cost.some(function (row) {
      return row.some(function (cell) { return cell < 0; });
    });
    var from = negative ? -to : 0;
    return { from: from, to: to, now: now, ends: decided.costs.map(function (sum, a) {
      if (a !== varied.action) return [sum, sum];
      var others = cost[a].reduce(function (sum, cell, k) {
        return k === c || p[k] === 0 ? sum : sum + p[k] * cell;
      }, 0);
      return [others + p[c] * from, others + p[c] * to];
    }) };
  }

  // The pieces of the lower envelope of lines: [{ from, to, action }], positions from 0 to 1.
  function envelope(ends) {
    function at(a, t) { return t === 0 ? ends[a][0] : t === 1 ? ends[a][1] :
      (1 - t) * ends[a][0] + t * ends[a][1]; }
    function best(t) { return cheapest(ends.map(function (e, a) { return at(a, t); })); }
    var cuts = [0, 1];
    ends.forEach(function (e, a) {
      for (var b = 0; b < a; b++) {
        var before = e[0] - ends[b][0], after = e[1] - ends[b][1];
        var t = before / (before - after);
        if (t > 0 && t < 1) cuts.push(t);
      }
    });
    cuts.sort(function (s, t) { return s - t; });
    var pieces = [];
    for (var i = 1; i < cuts.length; i++) {
      if (cuts[i] - cuts[i - 1] < 1e-9) continue;
      var action = best((cuts[i] + cuts[i - 1]) / 2), last = pieces[pieces.length - 1];
      if (last && last.action === action) last.to = cuts[i];
      else pieces.push({ from: last ? last.to : 0, to: cuts[i], action: action });
    }
    return pieces;
  }

  Object.assign(numbers, {
    Model: Model, decide: decide, shares: shares, differing: differing, sweep: sweep,
    envelope: envelope, caseValues: caseValues
  });
})();
