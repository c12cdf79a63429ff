// The priors and the costs beside a map. `update` draws after a change of the state.
(function () {
  "use strict";
  var numbers = window.bayesriskExplorer, make = numbers.controls, add = make.add;

  // Returns a function that shows the priors of the state, apart from the number that a user is
  // writing (`active`: its class, or -1).
  numbers.priorControls = function (parent, x, look, state, update) {
    var rows = add(make.fieldset(parent, "Prior"), "table", { role: "presentation" });
    function setter(k) {
      return function (share) {
        if (!state.setPrior(k, share)) return false;
        show(k);
        update();
        return true;
      };
    }
    var inputs = x.classes.map(function (name, k) {
      var row = add(rows, "tr"), label = "prior of " + name;
      make.named(row, "th", {}, name, look.classes[k]);
      return [
        make.slider(add(row, "td"), label, function (t) { setter(k)(state.fromSlider(t)); }),
        make.numberInput(add(row, "td"), label + ", as a number", "", setter(k))
      ];
    });
    function show(active) {
      inputs.forEach(function (pair, k) {
        var prior = state.prior[k];
        pair[0].value = state.toSlider(prior);
        // Of log odds, the place of a slider says nothing.
        pair[0].setAttribute("aria-valuetext", numbers.format(prior));
        if (k === active && document.activeElement === pair[1]) return;
        pair[1].value = String(state.fine ? +prior.toPrecision(4) : +prior.toFixed(4));
        pair[1].setAttribute("aria-invalid", "false");
      });
    }
    show(-1);
    return show;
  };

  numbers.costControls = function (parent, x, look, state, update, rebuild) {
    var set = make.fieldset(parent, "Cost");
    var body = make.table(set, ["if the truth is"].concat(x.classes), { class: "br-costs" });
    var inputs = state.cost.map(function (cells, a) {
      var row = add(body, "tr");
      make.named(row, "th", { scope: "row" }, x.actions[a], look.actions[a]);
      return cells.map(function (cell, k) {
        var label = "cost of " + x.actions[a] + " if " + x.classes[k];
        return make.numberInput(add(row, "td"), label, cell === Infinity ? "Inf" : cell,
                                function (value) {
          if (isNaN(value) || value === -Infinity) return false;
          state.cost[a][k] = value;
          show();
          update();
          return true;
        });
      });
    });
    var line = add(set, "p");
    make.choice(line, "Slide the", state.costNames(), state.slid.join(" "), function (text) {
      state.slide(text);
      show();
    });
    var slider = make.slider(line, "", function (t) {
      var at = state.slid;
      state.slideTo(t);
      inputs[at[0]][at[1]].value = state.cost[at[0]][at[1]];
      show();
      update();
    });
    function show() {
      var a = state.slid[0], k = state.slid[1];
      slider.value = state.slideAt();
      slider.setAttribute("aria-label", "slider of the cost of " + x.actions[a] + " if " +
        x.classes[k]);
      slider.setAttribute("aria-valuetext", numbers.format(state.cost[a][k]));
    }
    show();
    rejectControl(add(set, "p"), x.actions[x.own], state, update, rebuild);
  };

  function rejectControl(line, name, state, update, rebuild) {
    make.checkbox(line, "also " + name + ", at a cost of", function (checked) {
      state.reject = checked;
      rebuild();
      update();
    });
    make.numberInput(line, "cost of " + name, state.rejectCost, function (value) {
      if (!isFinite(value)) return false;
      state.rejectCost = value;
      update();
      return true;
    });
  }
})();
