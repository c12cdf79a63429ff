#pragma once

#include <engine/charge/overlap.hpp>

#include <memory>

namespace bayesrisk {

// The tilted density of a bank between two of its classes, proportional to p_i^(1 - s) p_j^s. It
// moves from p_i to p_j as s grows from 0 to 1. An exponential family contains it, as do tables.
class BankTilt {
 public:
  virtual ~BankTilt() = default;
  // The log of the integral of p_i^(1 - s) p_j^s.
  virtual double log_normaliser(double s) const = 0;
  // Writes the parameters of the tilted density as those of the class `row`.
  virtual void write(double s, AnyParameters& to, int row) const = 0;
  // Gives a bank room for more classes.
  virtual void resize(AnyParameters& to, int classes) const = 0;
};

// Every parameter of a class is a row, or an element of a list.
struct ResizeClasses {
  int classes;

  void operator()(const char*, Matrix& of) const { of.conservativeResize(classes, of.cols()); }
  void operator()(const char*, Vector& of) const { of.resize(static_cast<std::size_t>(classes)); }
  void operator()(const char*, std::vector<Matrix>& of) const {  // one if it is pooled
    if (of.size() > 1) of.resize(static_cast<std::size_t>(classes));
  }
  template <class Shared>
  void operator()(const char*, Shared&) const {}
};

// Two classes of a bank of the likelihood L.
template <class L>
class TiltOf : public BankTilt {
 public:
  TiltOf(const typename L::Parameters& p, int i, int j) : p_(p), i_(i), j_(j) {}

  void resize(AnyParameters& to, int classes) const override {
    const ResizeClasses resizing{classes};
    L::Parameters::fields(own(to), resizing);
  }

 protected:
  static typename L::Parameters& own(AnyParameters& to) {
    return std::get<typename L::Parameters>(to);
  }

  const typename L::Parameters& p_;
  int i_, j_;
};

// The same with the normaliser of risk_bounds().
template <class L>
class OverlapTilt : public TiltOf<L> {
 public:
  OverlapTilt(const typename L::Plan& plan, const typename L::Parameters& p, int i, int j)
      : TiltOf<L>(p, i, j) {
    OverlapCollector{overlap_, j, i}(plan, p);
  }

  double log_normaliser(double s) const override { return overlap_.log_at(s); }

 private:
  Overlap overlap_;
};

}  // namespace bayesrisk
