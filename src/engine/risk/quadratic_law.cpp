#include <engine/risk/quadratic_law.hpp>

namespace bayesrisk {

void QuadraticForm::add(double of_square, double of_linear, double of_square_error,
                        double of_linear_error) {
  if (of_square == 0 && of_linear == 0) return;
  square.push_back(of_square);
  linear.push_back(of_linear);
  square_error.push_back(of_square_error);
  linear_error.push_back(of_linear_error);
}

double QuadraticForm::mean() const {
  double total = constant;
  for (double w : square) total += w;
  return total;
}

bool QuadraticForm::finite() const {
  bool all = std::isfinite(constant);
  for (double w : square) all = all && std::isfinite(w);
  for (double l : linear) all = all && std::isfinite(l);
  return all;
}

bool QuadraticForm::tilts() const {
  constexpr double kMostLoss = 50;
  for (std::size_t i = 0; i < square.size(); ++i) {
    if (!(square_error[i] <= kMostLoss * (1 - 2 * square[i]))) return false;
  }
  return true;
}

QuadraticForm QuadraticForm::tilted() const {
  QuadraticForm result;
  result.constant = constant;
  result.constant_error = constant_error;
  for (std::size_t i = 0; i < square.size(); ++i) {
    const double q = 1 - 2 * square[i], root = std::sqrt(q), shift = linear[i] / q;
    const double moved = shift * shift * (1 - square[i]);
    result.add_constant(moved, std::abs(moved));
    const double lost = square_error[i] / q, away = std::abs(shift);
    result.constant_error += away * ((1 + q) / q * linear_error[i] + away * (2 + q) * lost);
    result.add(square[i] / q, shift / root, lost / q,
               (linear_error[i] / q + 3 * away * lost) / root);
  }
  return result;
}

QuadraticForm QuadraticForm::negative() const {
  QuadraticForm result = *this;
  result.constant = -constant;
  for (double& w : result.square) w = -w;
  for (double& l : result.linear) l = -l;
  return result;
}

Tail UpperTail::find() {
  if (!form_.finite() || std::isnan(at_)) return {0.5, 0.5};
  if (form_.square.empty()) return {form_.constant > at_ ? 1.0 : 0.0, 0};
  scale();
  read();
  if (widest_ <= 0 && !has_line_ && at_ >= centre_) return {0, 0};
  find_saddle();
  prepare();
  // A probability that underflows.
  if (!(height_ > -800)) return {0, 0};
  return integrate();
}

void UpperTail::scale() {
  double most = 0;
  for (double w : form_.square) most = std::max(most, std::abs(w));
  for (double l : form_.linear) most = std::max(most, std::abs(l));
  const double unit = most > 0 ? std::ldexp(1.0, -std::ilogb(most)) : 1;
  for (double& w : form_.square) w *= unit;
  for (double& l : form_.linear) l *= unit;
  form_.constant *= unit;
  form_.constant_error *= unit;
  form_.square_error.resize(form_.square.size(), 0.0);
  form_.linear_error.resize(form_.square.size(), 0.0);
  for (double& e : form_.square_error) e *= unit;
  for (double& e : form_.linear_error) e *= unit;
  at_ *= unit;
}

void UpperTail::read() {
  centre_ = form_.constant;
  for (std::size_t i = 0; i < form_.square.size(); ++i) {
    const double w = form_.square[i], l = form_.linear[i];
    widest_ = std::max(widest_, w);
    if (w == 0) {
      has_line_ = true;
    } else {
      centre_ -= l / w * l / 4;
    }
  }
}

UpperTail::Slopes UpperTail::slopes(double s) const {
  Slopes result{form_.constant - at_ - 1 / s, 1 / (s * s)};
  for (std::size_t i = 0; i < form_.square.size(); ++i) {
    const double w = form_.square[i], l = form_.linear[i], q = 1 - 2 * s * w;
    const double a = w / q, b = l / q;
    result.first += a + s * b * b * (1 - s * w);
    result.second += 2 * a * a + b * b / q;
  }
  return result;
}

void UpperTail::find_saddle() {
  double low = 0, high = widest_ > 0 ? 0.5 / widest_ : kInfinity;
  double s = 0;
  for (std::size_t i = 0; i < form_.square.size(); ++i) {
    const double w = form_.square[i], l = form_.linear[i];
    s = std::hypot(s, std::hypot(w, l));
  }
  s = std::min(1 / s, 0.5 * high);
  for (int i = 0; i < 200; ++i) {
    const Slopes at = slopes(s);
    if (std::abs(at.first) <= 1e-3 * std::sqrt(at.second)) break;
    (at.first > 0 ? high : low) = s;
    const double next = s - at.first / at.second;
    const double middle = high == kInfinity ? 2 * s : low + 0.5 * (high - low);
    s = next > low && next < high && i % 4 != 3 ? next : middle;
  }
  saddle_ = s;
  width_ = kWidest / std::sqrt(slopes(s).second);
}

void UpperTail::prepare() {
  height_ = saddle_ * (form_.constant - at_) - std::log(saddle_);
  rounding_ = saddle_ * (form_.constant_error + std::abs(form_.constant) + std::abs(at_));
  for (bool positive : {true, false}) {
    for (std::size_t i = 0; i < form_.square.size(); ++i) {
      const double w = form_.square[i], l = form_.linear[i], q = 1 - 2 * saddle_ * w;
      if ((w > 0) != positive) continue;
      ratio_.push_back(2 * w / q);
      shift_.push_back(0.5 * l / q * l);
      const double of_square = -0.5 * std::log1p(-2 * saddle_ * w);
      const double of_line = saddle_ * saddle_ * shift_.back();
      height_ += of_square + of_line;
      const double reach = saddle_ * l / q;
      rounding_ += std::abs(of_square) + 2 * of_line +
                   saddle_ * (form_.square_error[i] / q + reach * reach * form_.square_error[i] +
                              std::abs(reach) * form_.linear_error[i]);
    }
    if (positive) positive_ = ratio_.size();
  }
}

UpperTail::Complex UpperTail::relative(const Complex& step) const {
  const double x = step.real(), y = step.imag();
  double real = 0, imaginary = 0, log_size = 0, a = 1, b = 0, size = 1;
  int turns = 0;
  for (std::size_t i = 0; i < ratio_.size(); ++i) {
    // The factor 1 - ratio step. The factors of each sign turn their product in one direction,
    // so each crossing of the negative axis adds a full turn to its argument.
    const double v = ratio_[i], f = 1 - v * x, g = -v * y, norm = f * f + g * g;
    const double next_a = a * f - b * g, next_b = a * g + b * f;
    if (i < positive_ && b <= 0 && next_b > 0) --turns;
    if (i >= positive_ && b >= 0 && next_b < 0) ++turns;
    a = next_a;
    b = next_b;
    size *= norm;
    if (!(size > 1e-100 && size < 1e100)) {
      log_size += std::log(size);
      const double scale = std::hypot(a, b);
      a /= scale;
      b /= scale;
      size = 1;
    }
    if (shift_[i] == 0) continue;
    const double c = saddle_ * (2 + saddle_ * v) + x;
    const double share = shift_[i] / norm;
    real += share * (c * f + y * g);
    imaginary += share * (y * f - c * g);
  }
  log_size += std::log(size);
  const double angle = std::atan2(b, a) + turns * 2 * kPi;
  const Complex exponent = step * (Complex(real, imaginary) + (form_.constant - at_)) -
                           Complex(0.25 * log_size, 0.5 * angle);
  return std::exp(exponent) * saddle_ / (saddle_ + step);
}

UpperTail::Slopes UpperTail::drift(double y) const {
  const double x = saddle_, size = x * x + y * y;
  Slopes result{form_.constant - at_ - x / size, 2 * x * y / (size * size)};
  for (std::size_t i = 0; i < form_.square.size(); ++i) {
    const double w = form_.square[i], l = form_.linear[i];
    const double f = 1 - 2 * x * w, g = -2 * y * w, norm = f * f + g * g;
    const double a = f / norm, b = -g / norm;  // 1 / (1 - 2 s w)
    const double a2 = a * a - b * b, b2 = 2 * a * b;
    result.first += w * a;
    result.second -= 2 * w * b2 * w;
    if (l == 0) continue;
    const double c = x - w * (x * x - y * y), d = y - 2 * w * x * y;  // s (1 - s w)
    result.first += l * (c * a2 - d * b2) * l;
    result.second -= l * (a2 * b + b2 * a) * l;
  }
  return result;
}

double UpperTail::value(double u) const {
  const double y = width_ * std::sinh(u), dy = width_ * std::cosh(u);
  const Slopes at = drift(y);
  const double q = y * at.first, root = std::hypot(1.0, q), side = q / root;
  const double dq = at.first + y * at.second;
  const Complex step(-kBend * y * side, y);
  const Complex slope(-kBend * (side + y * dq / (root * root * root)), 1);
  return (relative(step) * slope).imag() * dy;
}

double UpperTail::sum(double first, double step) const {
  double total = 0;
  int small = 0;
  for (int i = 0; i < kMostTerms && small < kFewTerms; ++i) {
    const double more = value(first + i * step);
    total += more;
    if (!std::isfinite(more)) break;
    small = std::abs(more) <= kNegligible * width_ ? small + 1 : 0;
  }
  return total;
}

Tail UpperTail::integrate() const {
  double step = 0.25, total = step * (0.5 * width_ + sum(step, step)), change = kInfinity;
  for (int i = 0; i < kMostHalvings && change > kSharp * std::abs(total); ++i) {
    const double finer = 0.5 * total + 0.5 * step * sum(0.5 * step, step);
    change = std::abs(finer - total);
    total = finer;
    step /= 2;
  }
  constexpr double kEpsilon = std::numeric_limits<double>::epsilon();
  const double scale = std::exp(height_) / kPi, found = std::min(scale * total, 1.0);
  const double error = scale * change + 4 * kEpsilon * (1 + rounding_) * found;
  // Chernoff's bound.
  const double most = std::min(kPi * scale * saddle_, 1.0);
  if (found > 0 && error < most) return {found, error};
  return {0.5 * most, 0.5 * most};
}

}  // namespace bayesrisk
