// Prior times density of each class along one feature, with the decisions of the best rule and of
// another one as ribbons, and the costs of the other rule as areas. Its cuts can be dragged.
(function () {
  "use strict";
  var numbers = window.bayesriskExplorer, make = numbers.controls, add = make.add;
  var RIBBON = 18, HANDLE = 9;

  // The area that the best rule would save, and those that no rule avoids, by action of the rule.
  var areas = {
    light: { reducible: "#E2231A", at: ["#3CB371", "#5B8FF9", "#E6B800", "#B07CC6", "#8C8C8C"] },
    dark: { reducible: "#FF5A4D", at: ["#2E8B57", "#3F6FD8", "#A88600", "#8A5AA3", "#777777"] }
  };
  var named = ["green", "blue", "yellow", "violet", "grey"];
  function areaColour(a, dark) {
    var colours = areas[dark ? "dark" : "light"];
    return a < 0 ? colours.reducible : colours.at[a % colours.at.length];
  }

  // The densities have the upper part of the box, the ribbons the lower part.
  function upper(b) {
    return { x: b.x, y: b.y + HANDLE, w: b.w, h: b.h - HANDLE - 2 * RIBBON - 6 };
  }

  // The numbers at which lines bend, between two numbers: all middles of cells, or both sides of
  // each edge.
  function bends(cells, from, to) {
    var out = [from], tiny = 1e-9 * (to - from);
    for (var i = cells.cell(from); i < cells.n && cells.edge(i) < to; i++) {
      var edge = cells.edge(i), middle = cells.middle(i);
      if (cells.edges && edge > from) out.push(edge - tiny, edge);
      if (!cells.edges && middle > from && middle < to) out.push(middle);
    }
    return out.concat(to - tiny);
  }

  function Picture(model, now, b) {
    var axis = model.axes[now.x], self = this;
    this.model = model;
    this.now = now;
    this.axis = axis;
    this.box = upper(b);
    this.ends = [axis.from, axis.to];
    this.at = axis.labels ? [] : bends(model.cells, axis.from, axis.to);
    var top = 0;
    this.joint = axis.labels ? levelJoint(model, now) : this.at.map(function (x) {
      return numbers.joint(model.cells, now.prior, x);
    });
    this.joint.forEach(function (p) {
      var least = Math.min.apply(null, now.cost.map(function (row) {
        return numbers.expected(row, p);
      }));
      top = Math.max(top, Math.max.apply(null, p), axis.labels || !isFinite(least) ? 0 : least);
    });
    this.top = 1.12 * top || 1;
    this.x = function (value) { return self.box.x + axis.share(value) * self.box.w; };
    this.y = function (p) { return self.box.y + (1 - p / self.top) * self.box.h; };
    // The axis "up" of the whole box.
    var share = self.box.h / b.h, base = 1 - (self.box.y - b.y) / b.h - share;
    this.up = { name: axis.labels ? "prior \u00d7 probability" : "prior \u00d7 density", from: 0,
      to: self.top, share: function (p) { return base + share * p / self.top; } };
  }

  function levelJoint(model, now) {
    return model.axes[now.x].labels.map(function (label, i) {
      return now.prior.map(function (p, k) {
        return p * model.cells.share[k * model.cells.n + i];
      });
    });
  }

  // The curves of the classes, or bars of the levels side by side.
  Picture.prototype.curves = function (g, look, ink) {
    var self = this, K = this.now.prior.length;
    if (this.axis.labels) {
      var wide = 0.8 * this.box.w / this.axis.n / K;
      this.joint.forEach(function (p, i) {
        p.forEach(function (p, k) {
          g.fillStyle = look.classes[k];
          g.fillRect(self.x(i) + (k - K / 2) * wide, self.y(p), wide - 1, self.y(0) - self.y(p));
        });
      });
      return;
    }
    this.now.prior.forEach(function (prior, k) {
      g.beginPath();
      self.at.forEach(function (x, i) {
        g[i ? "lineTo" : "moveTo"](self.x(x), self.y(self.joint[i][k]));
      });
      g.setLineDash(numbers.dashes[k % numbers.dashes.length]);
      g.strokeStyle = look.classes[k];
      g.lineWidth = 2.6;
      g.stroke();
    });
    g.setLineDash([]);
  };

  // The name of each class at its highest density, or over its bars.
  Picture.prototype.names = function (g, look, dark) {
    var self = this;
    g.textAlign = "center";
    g.textBaseline = "bottom";
    g.lineWidth = 3;
    g.lineJoin = "round";
    this.model.classes.forEach(function (name, k) {
      var most = 0;
      self.joint.forEach(function (p, i) { if (p[k] > self.joint[most][k]) most = i; });
      var room = self.axis.labels ? 0.8 * self.box.w / self.axis.n / self.now.prior.length : 120;
      var x = self.x(self.axis.labels ? most : self.at[most]), y = self.y(self.joint[most][k]) - 3;
      if (self.axis.labels) x += (k + 0.5 - self.now.prior.length / 2) * room;
      var text = numbers.fitText(g, name, room), half = g.measureText(text).width / 2 + 4;
      x = Math.min(Math.max(x, self.box.x + half), self.box.x + self.box.w - half);
      y = Math.max(y, self.box.y + 8);
      g.strokeStyle = dark ? "rgba(0,0,0,.7)" : "rgba(255,255,255,.85)";
      g.strokeText(text, x, y);
      g.fillStyle = dark ? "#fff" : "#111";
      g.fillText(text, x, y);
    });
  };

  // Fills between two costs by density, each a row of costs or null for 0.
  Picture.prototype.fill = function (g, from, to, low, high, colour) {
    var self = this, at = bends(this.model.cells, from, to).map(function (x) {
      return [x, numbers.joint(self.model.cells, self.now.prior, x)];
    });
    function line(row) {
      return function (point) {
        var cost = row ? numbers.expected(row, point[1]) : 0;
        return [self.x(point[0]), self.y(Math.min(cost, 2 * self.top))];
      };
    }
    g.beginPath();
    at.map(line(high)).concat(at.map(line(low)).reverse()).forEach(function (point, i) {
      g[i ? "lineTo" : "moveTo"](point[0], point[1]);
    });
    g.closePath();
    g.fillStyle = colour;
    g.fill();
  };

  function hatched(g, colour) {
    var tile = document.createElement("canvas"), t = tile.getContext("2d");
    tile.width = tile.height = 6;
    t.fillStyle = colour;
    t.globalAlpha = 0.55;
    t.fillRect(0, 0, 6, 6);
    t.globalAlpha = 1;
    t.strokeStyle = colour;
    t.lineWidth = 1.6;
    t.beginPath(); t.moveTo(-1, 7); t.lineTo(7, -1); t.moveTo(-1, 1); t.lineTo(1, -1);
    t.moveTo(5, 7); t.lineTo(7, 5); t.stroke();
    return g.createPattern(tile, "repeat");
  }

  // Gains have no areas.
  Picture.prototype.areas = function (g, rule, best, dark) {
    var self = this, cost = this.now.cost, ends = this.ends;
    if (this.axis.labels || cost.some(function (row) {
      return row.some(function (c) { return c < 0; });
    })) return;
    numbers.pieces(this.model.cells, rule, best).forEach(function (piece) {
      var from = Math.max(piece.from, ends[0]), to = Math.min(piece.to, ends[1]);
      if (!(to > from)) return;
      self.fill(g, from, to, null, cost[piece.best], areaColour(piece.rule, dark));
      if (piece.rule === piece.best) return;
      self.fill(g, from, to, cost[piece.best], cost[piece.rule], hatched(g, areaColour(-1, dark)));
    });
  };

  // `place`: 0 for the best rule, at the bottom; 1 for the other one above it.
  Picture.prototype.ribbon = function (g, b, rule, place, title, actions, look, ink) {
    var y = b.y + b.h - (place + 1) * (RIBBON + 1), self = this;
    var axis = this.axis, ends = axis.labels ? rule.cuts : rule.cuts.filter(function (x) {
      return x > axis.from && x < axis.to;
    });
    g.textBaseline = "middle";
    g.textAlign = "center";
    [axis.from].concat(ends).forEach(function (from, i) {
      var to = i < ends.length ? ends[i] : axis.to, middle = (from + to) / 2;
      var a = numbers.actionAt(rule, middle);
      var left = self.box.x + (from - axis.from) / (axis.to - axis.from) * self.box.w;
      var width = (to - from) / (axis.to - axis.from) * self.box.w;
      g.fillStyle = look.regions[a] || "transparent";
      g.fillRect(left, y, width, RIBBON);
      g.strokeStyle = ink;
      g.lineWidth = 1;
      g.strokeRect(left, y, width, RIBBON);
      g.fillStyle = ink;
      if (width < 18) return;
      var name = numbers.fitText(g, actions[a] || "", width - 4);
      g.fillText(name, left + width / 2, y + RIBBON / 2);
    });
    g.textAlign = "right";
    g.fillText(title, b.x - 5, y + RIBBON / 2);
  };

  // Dotted: the best cuts. With a handle: those that can be dragged.
  Picture.prototype.cuts = function (g, b, rule, best, ink) {
    var self = this, bottom = b.y + b.h;
    function line(x) {
      g.beginPath(); g.moveTo(x, b.y); g.lineTo(x, bottom); g.stroke();
    }
    g.strokeStyle = g.fillStyle = ink;
    g.lineWidth = 1;
    g.setLineDash([2, 3]);
    this.inside(best).forEach(function (i) { line(self.x(best.cuts[i])); });
    g.setLineDash([]);
    g.lineWidth = 2;
    this.inside(rule).forEach(function (i) {
      var x = self.x(rule.cuts[i]);
      line(x);
      g.beginPath(); g.arc(x, b.y + HANDLE, HANDLE - 2, 0, 2 * Math.PI); g.fill();
    });
  };

  // The places of the cuts on the map.
  Picture.prototype.inside = function (rule) { return insideCuts(this.axis, rule); };
  function insideCuts(axis, rule) {
    if (axis.labels) return [];
    return rule.cuts.map(function (x, i) { return i; }).filter(function (i) {
      return rule.cuts[i] >= axis.from && rule.cuts[i] <= axis.to;
    });
  }

  // The best decision of each level, as a rule with cuts between the levels.
  function levelRule(model, now) {
    var values = now.values.slice(), rule = { cuts: [], actions: [] };
    model.axes[now.x].labels.forEach(function (label, i) {
      values[now.x] = i;
      if (i) rule.cuts.push(i);
      rule.actions.push(numbers.decide(model.log(values), now.prior, now.cost).action);
    });
    return rule;
  }

  numbers.bestAlong = function (model, now) {
    return model.axes[now.x].labels ? levelRule(model, now) : model.bestRule(now);
  };

  // A slider below the picture for each cut on the map: { update(rule, axis, text) }.
  numbers.cutSliders = function (parent, actions, move, back) {
    var rows = add(parent, "div"), inputs = [], shown = "";
    var button = add(parent, "button", { type: "button" }, "Back to the best rule");
    button.addEventListener("click", back);
    return function update(rule, moved, axis, said) {
      var at = insideCuts(axis, rule), key = at.join();
      if (key !== shown) {
        shown = key;
        rows.textContent = "";
        inputs = at.map(function (i) {
          var row = add(rows, "label", { class: "br-cut" });
          var name = add(row, "span"), input = add(row, "input", {
            type: "range", min: axis.from, max: axis.to, step: (axis.to - axis.from) / 500
          });
          input.addEventListener("input", function () { move(i, +input.value); });
          return [input, name];
        });
      }
      inputs.forEach(function (pair, j) {
        var i = at[j], of = actions(), cut = +rule.cuts[i].toPrecision(4);
        var name = "Cut between " + of[rule.actions[i]] + " and " + of[rule.actions[i + 1]];
        pair[0].value = rule.cuts[i];
        pair[0].setAttribute("aria-label", name);
        pair[0].setAttribute("aria-valuetext", cut + ". " + said);
        pair[1].textContent = name + ": " + cut;
      });
      button.style.display = moved ? "" : "none";
    };
  };

  // The areas of the picture with their numbers.
  numbers.areaTable = function (parent, sums, words, actions, rule, dark) {
    parent.textContent = "";
    var body = make.table(parent, ["area", words.cost]);
    function row(colour, name, value, strong) {
      var r = add(body, "tr", strong ? { class: "br-chosen" } : {});
      if (colour) make.named(r, "th", { scope: "row" }, name, colour);
      else add(r, "th", { scope: "row" }, name);
      add(r, "td", { class: "br-number" }, numbers.longFormat(value));
    }
    row(areaColour(-1, dark), "red, hatched: reducible", sums.reducible);
    sums.at.forEach(function (value, a) {
      if (rule.actions.indexOf(a) < 0) return;
      var name = named[a % named.length] + ": irreducible, " + actions[a] + " decided";
      row(areaColour(a, dark), name, value);
    });
    row(null, words.cost + " of this rule", sums.total, true);
    row(null, words.least, sums.irreducible, true);
  };

  Object.assign(numbers, { CutPicture: Picture, insideCuts: insideCuts });
})();
