// The pictures of an explorer: the map of decisions and the sweep of a cost, on canvases.
(function () {
  "use strict";
  var numbers = window.bayesriskExplorer;
  var dashes = [[], [7, 4], [2, 3], [8, 3, 2, 3], [12, 4], [5, 2]];

  function format(x) {
    if (!isFinite(x)) return x > 0 ? "Inf" : "?";
    var size = Math.abs(x);
    if (size >= 1e5 || (size > 0 && size < 1e-3)) return x.toExponential(1);
    return String(+x.toPrecision(3));
  }

  function longFormat(x) { return isFinite(x) ? String(+x.toPrecision(4)) : format(x); }

  function rgb(colour) {
    return [1, 3, 5].map(function (i) { return parseInt(colour.slice(i, i + 2), 16); });
  }

  // The colours on a dark page: dark regions in the colours of the actions, and grey for black.
  function darken(look) {
    function lift(colour) { return colour === "#000000" ? "#AAAAAA" : colour; }
    return {
      classes: look.classes.map(lift), actions: look.actions.map(lift),
      regions: look.actions.map(function (colour) {
        return "#" + rgb(lift(colour)).map(function (v) {
          return Math.round(0.42 * v + 14).toString(16).padStart(2, "0");
        }).join("");
      })
    };
  }

  function isDark(el) {
    var colour = getComputedStyle(el).color.match(/[\d.]+/g).map(Number);
    return 0.3 * colour[0] + 0.59 * colour[1] + 0.11 * colour[2] > 140;
  }

  function ticks(from, to, most) {
    var step = Math.pow(10, Math.floor(Math.log10((to - from) / most)));
    step *= [1, 2, 5, 10].filter(function (m) { return (to - from) / (m * step) <= most; })[0];
    var out = [];
    for (var i = Math.ceil(from / step - 1e-9); i * step <= to + 1e-9 * step; i++) {
      out.push(+(i * step).toPrecision(12));
    }
    return out;
  }

  // Sizes a canvas for the screen's pixels; returns its context in CSS pixels.
  function prepare(canvas, width, height) {
    var ratio = Math.min(window.devicePixelRatio || 1, 3), g = canvas.getContext("2d");
    canvas.width = Math.round(width * ratio);
    canvas.height = Math.round(height * ratio);
    canvas.style.height = height + "px";
    g.setTransform(ratio, 0, 0, ratio, 0, 0);
    g.font = "12px system-ui, sans-serif";
    return g;
  }

  function fitText(g, text, room) {
    if (g.measureText(text).width <= room) return text;
    while (text.length > 1 && g.measureText(text + "\u2026").width > room) text = text.slice(0, -1);
    return text + "\u2026";
  }

  function box(size) {
    var left = 50, bottom = 40, top = 8, right = 8;
    return { x: left, y: top, w: size[0] - left - right, h: size[1] - top - bottom };
  }

  // An axis of numbers that is no feature.
  function numberAxis(name, from, to) {
    return { name: name, from: from, to: to, share: function (value) {
      return (value - from) / (to - from);
    } };
  }

  // Labels of an axis of the map; `along` draws one label at a share of the axis.
  function axisLabels(axis, room) {
    if (axis.labels) {
      return axis.labels.map(function (label, i) { return [axis.share(i), label]; })
        .filter(function (l, i) { return i % Math.ceil(axis.n * 16 / room) === 0; });
    }
    return ticks(axis.from, axis.to, Math.max(2, room / 60)).map(function (value) {
      return [axis.share(value), String(value)];
    });
  }

  function drawAxes(g, b, across, up, ink) {
    g.strokeStyle = g.fillStyle = ink;
    g.lineWidth = 1;
    g.strokeRect(b.x, b.y, b.w, b.h);
    g.textAlign = "center";
    g.textBaseline = "top";
    var wide = across.labels ? b.w / across.n : b.w;
    axisLabels(across, across.labels ? b.w / 3 : b.w).forEach(function (label) {
      var x = b.x + label[0] * b.w;
      g.beginPath(); g.moveTo(x, b.y + b.h); g.lineTo(x, b.y + b.h + 4); g.stroke();
      g.fillText(fitText(g, label[1], Math.max(wide - 2, 30)), x, b.y + b.h + 6);
    });
    g.fillText(fitText(g, across.name, b.w), b.x + b.w / 2, b.y + b.h + 23);
    g.textAlign = "right";
    g.textBaseline = "middle";
    axisLabels(up, b.h).forEach(function (label) {
      var y = b.y + (1 - label[0]) * b.h;
      g.beginPath(); g.moveTo(b.x - 4, y); g.lineTo(b.x, y); g.stroke();
      g.fillText(fitText(g, label[1], 30), b.x - 6, y);
    });
    g.save();
    g.translate(9, b.y + b.h / 2);
    g.rotate(-Math.PI / 2);
    g.textAlign = "center";
    g.fillText(fitText(g, up.name, b.h), 0, 0);
    g.restore();
  }

  // The regions as a picture of their own, with the names of the actions.
  function ground(action, width, height, look, dark) {
    var picture = document.createElement("canvas"), g = picture.getContext("2d");
    picture.width = width;
    picture.height = height;
    var image = g.createImageData(width, height), data = image.data;
    var fill = look.regions.map(rgb), edge = dark ? 225 : 50;
    for (var j = 0; j < height; j++) for (var i = 0; i < width; i++) {
      var a = action[j * width + i], at = 4 * ((height - 1 - j) * width + i);
      if (a === 255) continue;
      var between = (i && action[j * width + i - 1] !== a) ||
        (j && action[(j - 1) * width + i] !== a);
      for (var c = 0; c < 3; c++) data[at + c] = between ? edge : fill[a][c];
      data[at + 3] = 255;
    }
    g.putImageData(image, 0, 0);
    return picture;
  }

  // Another rule over the regions: dashed at its boundaries, hatched where it decides otherwise.
  function overlay(picture, action, other, width, height, ratio, dark) {
    var g = picture.getContext("2d"), image = g.getImageData(0, 0, width, height);
    var ink = dark ? 255 : 0, period = Math.max(4, Math.round(7 * ratio)), data = image.data;
    var thick = Math.max(1, Math.round(1.5 * ratio));
    function edge(i, j) {
      var o = other[j * width + i];
      for (var d = 1; d <= thick; d++) {
        if ((i >= d && other[j * width + i - d] !== o) ||
            (j >= d && other[(j - d) * width + i] !== o)) return true;
      }
      return false;
    }
    for (var j = 0; j < height; j++) for (var i = 0; i < width; i++) {
      var at = 4 * ((height - 1 - j) * width + i);
      var differs = action[j * width + i] !== other[j * width + i];
      var share = edge(i, j) && (i + 2.3 * j) % (3 * period) < 2 * period ? 1 :
        differs && (i + j) % period < Math.max(1, ratio) ? 0.55 : 0;
      for (var c = 0; c < 3; c++) data[at + c] = (1 - share) * data[at + c] + share * ink;
      if (share) data[at + 3] = 255;
    }
    g.putImageData(image, 0, 0);
  }

  // For each action the cell of a coarse grid that is farthest from other actions.
  function labelPlaces(action, width, height, step) {
    var w = Math.floor(width / step), h = Math.floor(height / step), far = new Int16Array(w * h);
    function of(i, j) {
      return action[Math.floor((j + 0.5) * step) * width + Math.floor((i + 0.5) * step)];
    }
    function pass(i, j, di, dj) {
      var at = j * w + i, a = of(i, j);
      function next(i, j) {
        return i < 0 || j < 0 || i >= w || j >= h || of(i, j) !== a ? 0 : far[j * w + i];
      }
      far[at] = Math.min(far[at], 1 + Math.min(next(i + di, j), next(i, j + dj)));
    }
    far.fill(9999);
    for (var j = 0; j < h; j++) for (var i = 0; i < w; i++) pass(i, j, -1, -1);
    for (j = h - 1; j >= 0; j--) for (i = w - 1; i >= 0; i--) pass(i, j, 1, 1);
    var best = {};
    for (i = 0; i < w * h; i++) {
      var a = of(i % w, Math.floor(i / w));
      if (a < 255 && (!best[a] || far[i] > best[a].far)) {
        best[a] = { far: far[i], x: (i % w + 0.5) / w, y: (Math.floor(i / w) + 0.5) / h };
      }
    }
    return best;
  }

  function drawLabels(g, b, places, step, actions, dark) {
    g.textAlign = "center";
    g.textBaseline = "middle";
    g.lineWidth = 3;
    g.lineJoin = "round";
    Object.keys(places).forEach(function (a) {
      var room = 2 * places[a].far * step;
      if (room < 16) return;
      var text = fitText(g, actions[a], Math.max(2 * room, 40));
      var half = g.measureText(text).width / 2 + 3;
      var x = Math.min(Math.max(b.x + places[a].x * b.w, b.x + half), b.x + b.w - half);
      var y = b.y + (1 - places[a].y) * b.h;
      g.strokeStyle = dark ? "rgba(0,0,0,.55)" : "rgba(255,255,255,.7)";
      g.strokeText(text, x, y);
      g.fillStyle = dark ? "#fff" : "#111";
      g.fillText(text, x, y);
    });
  }

  // Symbols differ by form, too.
  function symbol(g, k, x, y, r) {
    var corners = [null, [[0, -1.2], [1.1, 0.9], [-1.1, 0.9]], [[-1, -1], [1, -1], [1, 1], [-1, 1]],
      [[0, 1.2], [1.1, -0.9], [-1.1, -0.9]], [[0, -1.3], [1.1, 0], [0, 1.3], [-1.1, 0]]][k % 5];
    g.beginPath();
    if (!corners) g.arc(x, y, r, 0, 2 * Math.PI);
    else corners.forEach(function (c, i) {
      g[i ? "lineTo" : "moveTo"](x + r * c[0], y + r * c[1]);
    });
    g.closePath();
  }

  function drawCases(g, b, model, cases, view, look, dark) {
    var n = cases.class.length, r = Math.max(2, Math.min(4, 40 / Math.sqrt(n)));
    var K = model.classes.length;
    g.globalAlpha = Math.max(0.35, Math.min(1, Math.sqrt(200 / n)));
    for (var i = 0; i < n; i++) {
      var values = numbers.caseValues(cases, i, view), k = cases.class[i];
      if (!values) continue;
      var of = [view.x, view.y].map(function (f) {
        // Cases of one feature stand in a row for each class. Cases of one level are spread.
        if (f < 0) return 0.03 + 0.15 * ((k === null ? K : k) + 0.5) / (K + 1);
        var axis = model.axes[f], step = ((i * (f + 1) * 0.618034) % 1) - 0.5;
        return axis.share(values[f]) + (axis.labels ? 0.6 * step / axis.n : 0);
      });
      symbol(g, k === null ? 0 : k, b.x + of[0] * b.w, b.y + (1 - of[1]) * b.h, r);
      g.fillStyle = k === null ? "#888" : look.classes[k];
      g.fill();
      g.strokeStyle = dark ? "#fff" : "#222";
      g.lineWidth = 0.7;
      g.stroke();
    }
    g.globalAlpha = 1;
  }

  // The posterior of each class along the only feature of the map.
  function drawPosteriors(g, b, model, view, look, ink) {
    var axis = model.axes[view.x], values = view.values.slice();
    var lines = model.classes.map(function () { return []; });
    for (var i = 0; i <= 200; i++) {
      values[view.x] = axis.value(i / 200);
      var p = numbers.decide(model.log(values), view.prior, view.cost).posterior;
      lines.forEach(function (line, k) { line.push(p ? p[k] : NaN); });
    }
    lines.forEach(function (line, k) {
      g.beginPath();
      line.forEach(function (p, i) {
        var to = i && !isNaN(p) ? "lineTo" : "moveTo";
        g[to](b.x + i / 200 * b.w, b.y + (1 - (p || 0)) * b.h);
      });
      g.setLineDash(dashes[k % dashes.length]);
      g.strokeStyle = ink;
      g.lineWidth = 3.6;
      g.stroke();
      g.strokeStyle = look.classes[k];
      g.lineWidth = 2.4;
      g.stroke();
    });
    g.setLineDash([]);
  }

  // `at`: shares of both axes; without the second one, a line.
  function drawCross(g, b, at, ink) {
    var plane = at[1] !== null;
    g.strokeStyle = ink;
    g.lineWidth = 1;
    g.setLineDash([3, 3]);
    g.beginPath();
    g.moveTo(b.x + at[0] * b.w, b.y); g.lineTo(b.x + at[0] * b.w, b.y + b.h);
    if (plane) {
      g.moveTo(b.x, b.y + (1 - at[1]) * b.h); g.lineTo(b.x + b.w, b.y + (1 - at[1]) * b.h);
    }
    g.stroke();
    g.setLineDash([]);
    if (!plane) return;
    g.lineWidth = 2;
    g.beginPath();
    g.arc(b.x + at[0] * b.w, b.y + (1 - at[1]) * b.h, 6, 0, 2 * Math.PI);
    g.stroke();
  }

  // An expensive action leaves the picture at the top, so that it does not press the others onto
  // the axis.
  function costLimits(ends, pieces) {
    var all = [].concat.apply([], ends).filter(isFinite), least = pieces.map(function (piece) {
      var e = ends[piece.action];
      return Math.max(e[0] + piece.from * (e[1] - e[0]), e[0] + piece.to * (e[1] - e[0]));
    }).filter(isFinite);
    var low = Math.min.apply(null, all.concat(0)), high = Math.max.apply(null, all.concat(low));
    high = Math.min(high, low + 4 * (Math.max.apply(null, least.concat(low)) - low));
    if (!(high > low)) high = low + 1;
    return [low, high + 0.04 * (high - low)];
  }

  function drawSweep(canvas, size, sweep, pieces, look, label, ink) {
    var g = prepare(canvas, size[0], size[1]), b = box(size);
    b.y += 14;
    b.h -= 14;
    var limits = costLimits(sweep.ends, pieces), low = limits[0], high = limits[1];
    function x(t) { return b.x + t * b.w; }
    function y(cost) { return b.y + (1 - (cost - low) / (high - low)) * b.h; }
    function line(a, from, to, width) {
      var e = sweep.ends[a];
      if (!isFinite(e[0]) || !isFinite(e[1])) return;
      g.beginPath();
      g.moveTo(x(from), y(e[0] + from * (e[1] - e[0])));
      g.lineTo(x(to), y(e[0] + to * (e[1] - e[0])));
      g.lineWidth = width;
      g.strokeStyle = look.actions[a];
      g.setLineDash(dashes[a % dashes.length]);
      g.stroke();
      g.setLineDash([]);
    }
    g.save();
    g.beginPath(); g.rect(b.x, b.y - 2, b.w, b.h + 4); g.clip();
    sweep.ends.forEach(function (e, a) { line(a, 0, 1, 1.3); });
    pieces.forEach(function (piece) { line(piece.action, piece.from, piece.to, 4); });
    g.restore();
    var across = numberAxis(label, sweep.from, sweep.to);
    drawAxes(g, b, across, numberAxis("expected cost", low, high), ink);
    g.textAlign = "center";
    g.textBaseline = "bottom";
    g.lineWidth = 1;
    var last = -Infinity;
    pieces.slice(1).forEach(function (piece) {
      g.setLineDash([2, 3]);
      g.beginPath(); g.moveTo(x(piece.from), b.y); g.lineTo(x(piece.from), b.y + b.h); g.stroke();
      var text = format(sweep.from + piece.from * (sweep.to - sweep.from));
      if (x(piece.from) - last < 34) return;
      last = x(piece.from);
      g.fillText(text, last, b.y - 2);
    });
    g.setLineDash([]);
    if (isFinite(sweep.now)) {
      g.lineWidth = 2;
      g.globalAlpha = 0.6;
      var now = x(Math.min(Math.max(across.share(sweep.now), 0), 1));
      g.beginPath(); g.moveTo(now, b.y); g.lineTo(now, b.y + b.h); g.stroke();
      g.globalAlpha = 1;
    }
  }

  Object.assign(numbers, {
    dashes: dashes, format: format, longFormat: longFormat, isDark: isDark, darken: darken,
    numberAxis: numberAxis, prepare: prepare, box: box, fitText: fitText, drawAxes: drawAxes,
    ground: ground, overlay: overlay, labelPlaces: labelPlaces, drawLabels: drawLabels,
    drawCases: drawCases, drawPosteriors: drawPosteriors, drawCross: drawCross,
    drawSweep: drawSweep
  });
})();
