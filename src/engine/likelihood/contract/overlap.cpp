#include <engine/likelihood/contract/overlap.hpp>

namespace bayesrisk {

namespace {

// Every parameter of a class is a row, or an element of a list.
struct ClassResizer : FieldEditor {
  int classes;

  explicit ClassResizer(int count) : classes(count) {}
  void operator()(const char*, Matrix& of) override { of.conservativeResize(classes, of.cols()); }
  void operator()(const char*, Vector& of) override {
    of.resize(static_cast<std::size_t>(classes));
  }
  void operator()(const char*, std::vector<Matrix>& of) override {  // one if it is pooled
    if (of.size() > 1) of.resize(static_cast<std::size_t>(classes));
  }
  // All classes share the others.
  void operator()(const char*, IntMatrix&) override {}
  void operator()(const char*, IntVector&) override {}
  void operator()(const char*, double&) override {}
  void operator()(const char*, bool&) override {}
};

}  // namespace

void resize_classes(AnyParameters& parameters, int classes) {
  ClassResizer resizer(classes);
  parameters.edit(resizer);
}

}  // namespace bayesrisk
