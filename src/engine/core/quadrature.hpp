#pragma once

#include <engine/core/types.hpp>

#include <algorithm>
#include <cmath>

namespace bayesrisk {

// Several integrals over the same interval, and a bound of the sum of their errors.
struct Integral {
  Eigen::ArrayXd value;
  double error = 0;
  int evaluations = 0;
};

// Adaptive quadrature by Gauss and Kronrod's pair of 10 and 21 points. `function` is
// called as function(x, value) and adds to value, an array of `size` zeros.
template <class Function>
class Quadrature {
 public:
  Quadrature(const Function& function, Index size) : function_(function), point_(size) {}

  // Integrates from the first to the last of the increasing breaks. Between two breaks the
  // integrand must be smooth; at a break it may behave like a square root.
  Integral integrate(const Vector& breaks, double tolerance, int most_evaluations) {
    panels_.clear();
    evaluations_ = 0;
    double error = 0;
    for (std::size_t i = 1; i < breaks.size(); ++i) {
      error += push(look({breaks[i - 1], breaks[i]}, 0, 1));
    }
    while (error > tolerance && evaluations_ < most_evaluations) {
      std::pop_heap(panels_.begin(), panels_.end());
      const Panel worst = std::move(panels_.back());
      panels_.pop_back();
      error += split(worst) - worst.error;
    }
    return sum();
  }

 private:
  struct Between {
    double low, high;
  };

  // A part of the interval between two breaks, in the coordinate t of at().
  struct Panel {
    Between between;
    double low, high;
    Eigen::ArrayXd value;
    double error;
    bool operator<(const Panel& other) const { return error < other.error; }
  };

  // x = low + (high - low) t^2 (3 - 2 t), t from 0 to 1: a square root at either end is smooth in
  // t.
  const Eigen::ArrayXd& at(const Between& between, double t) {
    const double width = between.high - between.low;
    point_.setZero();
    function_(between.low + width * t * t * (3 - 2 * t), point_);
    point_ *= width * 6 * t * (1 - t);
    ++evaluations_;
    return point_;
  }

  Panel look(const Between& between, double low, double high) {
    const double half = 0.5 * (high - low), middle = 0.5 * (high + low);
    Eigen::ArrayXd kronrod = kMiddleWeight * at(between, middle);
    Eigen::ArrayXd gauss = Eigen::ArrayXd::Zero(kronrod.size());
    for (int i = 0; i < 10; ++i) {
      for (double side : {-half, half}) {
        kronrod += kWeight[i] * at(between, middle + side * kNode[i]);
        // The nodes with odd indices are Gauss's nodes.
        if (i % 2 == 1) gauss += kGaussWeight[i / 2] * point_;
      }
    }
    return {between, low, high, half * kronrod, half * (kronrod - gauss).abs().sum()};
  }

  // Halves a panel. Both rules may miss the same detail, so their difference alone is no safe
  // error. The errors of the halves therefore add up to at least the change of the value by the
  // halving.
  double split(const Panel& whole) {
    const double middle = 0.5 * (whole.low + whole.high);
    Panel left = look(whole.between, whole.low, middle);
    Panel right = look(whole.between, middle, whole.high);
    const double off = (whole.value - left.value - right.value).abs().sum();
    left.error = std::max(left.error, 0.5 * off);
    right.error = std::max(right.error, 0.5 * off);
    return push(std::move(left)) + push(std::move(right));
  }

  double push(Panel panel) {
    const double error = panel.error;
    panels_.push_back(std::move(panel));
    std::push_heap(panels_.begin(), panels_.end());
    return error;
  }

  Integral sum() const {
    Integral result{Eigen::ArrayXd::Zero(point_.size()), 0, evaluations_};
    for (const Panel& panel : panels_) {
      result.value += panel.value;
      result.error += panel.error;
    }
    // The rounding error of the sums themselves.
    result.error += 16 * std::numeric_limits<double>::epsilon() * result.value.abs().sum();
    return result;
  }

  static constexpr double kMiddleWeight = 0.149445554002916905664936468389821;
  static constexpr double kNode[10] = {
      0.995657163025808080735527280689003, 0.973906528517171720077964012084452,
      0.930157491355708226001207180059508, 0.865063366688984510732096688423493,
      0.780817726586416897063717578345042, 0.679409568299024406234327365114874,
      0.562757134668604683339000099272694, 0.433395394129247190799265943165784,
      0.294392862701460198131126603103866, 0.148874338981631210884826001129720};
  static constexpr double kWeight[10] = {
      0.011694638867371874278064396062192, 0.032558162307964727478818972459390,
      0.054755896574351996031381300244580, 0.075039674810919952767043140916190,
      0.093125454583697605535065465083366, 0.109387158802297641899210590325805,
      0.123491976262065851077958109585166, 0.134709217311473325928054001771707,
      0.142775938577060080797094273138717, 0.147739104901338491374841515972068};
  static constexpr double kGaussWeight[5] = {
      0.066671344308688137593568809893332, 0.149451349150580593145863396957658,
      0.219086362515982043995534934228163, 0.269266719309996355091226921569469,
      0.295524224714752870173815619188769};

  const Function& function_;
  Eigen::ArrayXd point_;
  std::vector<Panel> panels_;
  int evaluations_ = 0;
};

}  // namespace bayesrisk
