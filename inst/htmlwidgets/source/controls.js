// Elements of a page: inputs, choices and tables with their labels.
(function () {
  "use strict";
  var numbers = window.bayesriskExplorer;

  function add(parent, tag, attributes, text) {
    var e = document.createElement(tag);
    Object.keys(attributes || {}).forEach(function (name) {
      e.setAttribute(name, attributes[name]);
    });
    if (text !== undefined) e.textContent = text;
    return parent.appendChild(e);
  }

  // `set` returns whether it takes the number.
  function numberInput(parent, label, value, set) {
    var input = add(parent, "input", { type: "text", inputmode: "decimal", "aria-label": label });
    input.value = value;
    input.addEventListener("input", function () {
      var taken = set(numbers.readNumber(input.value), input.value);
      input.setAttribute("aria-invalid", String(!taken));
    });
    return input;
  }

  function slider(parent, label, set) {
    var input = add(parent, "input", {
      type: "range", min: 0, max: 1, step: 0.001, "aria-label": label
    });
    input.addEventListener("input", function () { set(+input.value); });
    return input;
  }

  // `options`: pairs of a value and a text.
  function fill(box, options) {
    options.forEach(function (option) { add(box, "option", { value: option[0] }, option[1]); });
  }

  function choice(parent, label, options, chosen, set) {
    var box = add(add(parent, "label", {}, label + " "), "select");
    fill(box, options);
    box.value = chosen;
    box.addEventListener("change", function () { set(box.value); });
  }

  function checkbox(parent, text, set) {
    var label = add(parent, "label"), box = add(label, "input", { type: "checkbox" });
    label.appendChild(document.createTextNode(" " + text));
    box.addEventListener("change", function () { set(box.checked); });
  }

  // The name of a class or an action, with its colour.
  function named(parent, tag, attributes, name, colour) {
    var cell = add(parent, tag, attributes);
    add(cell, "span", { class: "br-swatch", "aria-hidden": "true" }).style.background = colour;
    cell.appendChild(document.createTextNode(name));
  }

  function fieldset(parent, title) {
    var set = add(parent, "fieldset");
    add(set, "legend", {}, title);
    return set;
  }

  // A table with a head; returns its body.
  function table(parent, titles, attributes) {
    var t = add(parent, "table", attributes), head = add(add(t, "thead"), "tr");
    titles.forEach(function (title) { add(head, "th", { scope: "col" }, title); });
    return add(t, "tbody");
  }

  numbers.controls = {
    add: add, numberInput: numberInput, slider: slider, fill: fill, choice: choice,
    checkbox: checkbox, named: named, fieldset: fieldset, table: table
  };
})();
