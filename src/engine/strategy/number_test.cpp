#include <engine/strategy/number_test.hpp>

#include <algorithm>
#include <utility>

namespace bayesrisk {

namespace {

using Answer = Eigen::VectorXd;

LogRange operator+(const LogRange& a, const LogRange& b) {
  return {a.low + b.low, a.high + b.high};
}

LogRange operator-(const LogRange& a, const LogRange& b) {
  return {a.low - b.high, a.high - b.low};
}

LogRange operator*(const LogRange& a, const LogRange& b) {
  const auto [low, high] =
      std::minmax({a.low * b.low, a.low * b.high, a.high * b.low, a.high * b.high});
  return {low, high};
}

constexpr double kSame = 1e-13;

bool are_parallel(const Answer& a, const Answer& b) {
  const double scale = a.sum() / b.sum();
  return ((a - scale * b).array().abs() <= kSame * a.array()).all();
}

// Each answer tells the class.
std::vector<Answer> telling(const Eigen::VectorXd& mass) {
  std::vector<Answer> answers;
  for (Index k = 0; k < mass.size(); ++k) {
    if (mass[k] > 0) answers.push_back(Answer::Unit(mass.size(), k) * mass[k]);
  }
  return answers;
}

// The answers of all intervals. Neighbours share a cut and so an answer.
class AnswerList {
 public:
  void add(const std::vector<Answer>& interval) {
    const std::size_t before = std::exchange(begin_, answers_.size());
    for (const Answer& answer : interval) {
      const auto same =
          std::find_if(answers_.begin() + static_cast<std::ptrdiff_t>(before),
                       answers_.begin() + static_cast<std::ptrdiff_t>(begin_),
                       [&](const Answer& other) { return are_parallel(answer, other); });
      if (same == answers_.begin() + static_cast<std::ptrdiff_t>(begin_)) {
        answers_.push_back(answer);
      } else {
        *same += answer;
      }
    }
  }

  Matrix columns(Index classes) const {
    Matrix result(classes, static_cast<Index>(answers_.size()));
    for (std::size_t i = 0; i < answers_.size(); ++i) {
      result.col(static_cast<Index>(i)) = answers_[i];
    }
    return result;
  }

 private:
  std::vector<Answer> answers_;
  std::size_t begin_ = 0;  // of the last interval
};

}  // namespace

// The ratios of the densities in an interval, in units of that of one class, the pivot. They are a
// curve. Each simplex that contains the curve gives answers: its corners, weighted such that they
// add up to the mass of the interval.
class NumberTest::Curve {
 public:
  Curve(const NumberTest& number, Eigen::VectorXd mass, double from, double to)
      : number_(number), mass_(std::move(mass)), from_(from), to_(to) {
    mass_.maxCoeff(&pivot_);
    mean_ = mass_ / mass_[pivot_];
  }

  // None if a ratio has no bounds.
  std::vector<Answer> answers() {
    if (!(find_ends() && find_main() && find_bends() && find_narrow())) find_box();
    return std::move(answers_);
  }

 private:
  // How the ratio of a class leaves the straight line between the ends: its tangents there meet at
  // this part of the way, so far from the line.
  struct Bend {
    Index of;
    double part, height;
  };

  bool find_ends();
  bool find_main();
  bool find_bends();
  bool find_narrow();
  bool adds_up() const;
  void find_box();
  bool add_bend(Index of);

  // The slope of the ratio of a class, as that of the main class goes from one end to the other.
  double slope(Index of, double x, const Eigen::VectorXd& ratio) const {
    const auto rate = [&](Index k) {
      return ratio[k] * number_.log_slopes(k, pivot_, x, x).first.low;
    };
    return rate(of) / rate(main_) * (end_[main_] - begin_[main_]);
  }

  bool is_constant(Index above, Index below) const {
    const LogRange range = number_.log_ratios(above, below, from_, to_);
    return range.high - range.low <= kSame;
  }

  void add(const Eigen::VectorXd& corner, double share) {
    if (share > 0) answers_.push_back(corner * (share * mass_[pivot_]));
  }

  const NumberTest& number_;
  const Eigen::VectorXd mass_;
  const double from_, to_;
  Index pivot_ = 0, main_ = 0;
  Eigen::VectorXd mean_, begin_, end_;  // ratios
  IntVector varying_;                   // classes
  std::vector<Bend> bends_;
  std::vector<Answer> answers_;
};

bool NumberTest::Curve::find_ends() {
  const auto ratios = [&](const Eigen::VectorXd& log_density) {
    return (log_density.array() - log_density[pivot_]).exp();
  };
  begin_ = ratios(number_.log_densities(from_));
  end_ = ratios(number_.log_densities(to_));
  for (Index k = 0; k < mass_.size(); ++k) {
    if (k == pivot_) continue;
    if (mass_[k] == 0 || is_constant(k, pivot_)) {
      begin_[k] = end_[k] = mean_[k];
    } else {
      varying_.push_back(static_cast<int>(k));
    }
  }
  return begin_.allFinite() && end_.allFinite();
}

// The main class is that of which the ratio varies most. It has to be monotone.
bool NumberTest::Curve::find_main() {
  double widest = 0;
  for (Index k : varying_) {
    const double width = std::abs(end_[k] - begin_[k]);
    if (width <= widest || number_.log_slopes(k, pivot_, from_, to_).first.has_zero()) continue;
    widest = width;
    main_ = k;
  }
  return widest > 0;
}

bool NumberTest::Curve::find_bends() {
  return std::all_of(varying_.begin(), varying_.end(),
                     [&](Index k) { return k == main_ || is_constant(k, main_) || add_bend(k); });
}

// As a function of the main ratio, another one is convex or concave if the Wronskian of both and 1
// has no zero.
bool NumberTest::Curve::add_bend(Index of) {
  const LogSlopes other = number_.log_slopes(of, pivot_, from_, to_);
  const LogSlopes main = number_.log_slopes(main_, pivot_, from_, to_);
  const LogRange difference = number_.log_slopes(of, main_, from_, to_).first;
  const LogRange wronskian =
      other.first * main.first * difference + other.second * main.first - main.second * other.first;
  if (wronskian.has_zero()) return false;
  const double chord = end_[of] - begin_[of];
  const double leaves = slope(of, from_, begin_) - chord, returns = chord - slope(of, to_, end_);
  if (!(leaves * returns > 0)) return false;
  const double part = returns / (leaves + returns);
  bends_.push_back({of, part, leaves * part});
  return true;
}

// Two corners are the ends. The curve lies between their line and tangents: for each class, the
// distance from the line is a share of that of a corner where the tangents meet. With `n` such
// corners, each `n` times as far from the line, the shares add up to at most 1 as they have to.
bool NumberTest::Curve::find_narrow() {
  const Eigen::VectorXd line = end_ - begin_;
  const double at = (mean_[main_] - begin_[main_]) / line[main_];
  double before = 1 - at, after = at;
  std::vector<std::pair<Eigen::VectorXd, double>> corners;
  for (const Bend& bend : bends_) {
    const double height = bend.height * static_cast<double>(bends_.size());
    const double share = (mean_[bend.of] - begin_[bend.of] - line[bend.of] * at) / height;
    Eigen::VectorXd corner = begin_ + line * bend.part;
    corner[bend.of] += height;
    if (!(share >= 0 && corner[bend.of] >= 0)) return false;
    before -= share * (1 - bend.part);
    after -= share * bend.part;
    corners.emplace_back(std::move(corner), share);
  }
  if (!(before >= 0 && after >= 0)) return false;
  add(begin_, before);
  for (const auto& corner : corners) add(corner.first, corner.second);
  add(end_, after);
  if (adds_up()) return true;
  answers_.clear();
  return false;
}

// Ratios of very different sizes are lost by rounding.
bool NumberTest::Curve::adds_up() const {
  Eigen::VectorXd left = mass_;
  for (const Answer& answer : answers_) left -= answer;
  return (left.array().abs() <= kSame * mass_.array()).all();
}

// If little is known of the curve: a corner at the least ratios, and one for each class whose ratio
// varies.
void NumberTest::Curve::find_box() {
  Eigen::VectorXd low = mean_, room = Eigen::VectorXd::Zero(mass_.size());
  for (Index k = 0; k < mass_.size(); ++k) {
    if (k == pivot_ || mass_[k] == 0) continue;
    const LogRange range = number_.log_ratios(k, pivot_, from_, to_);
    const double least = std::exp(range.low), largest = std::exp(range.high);
    if (!(largest < kInfinity) || std::isnan(least)) return;
    if (largest - least <= kSame * largest) continue;
    low[k] = std::min(least, low[k]);
    room[k] = std::max(largest, mean_[k]) - low[k];
  }
  const auto varying = static_cast<double>((room.array() > 0).count());
  double left = 1;
  for (Index k = 0; k < mass_.size(); ++k) {
    const double share = room[k] > 0 ? (mean_[k] - low[k]) / (varying * room[k]) : 0;
    if (!(share > 0)) continue;
    Eigen::VectorXd corner = low;
    corner[k] += varying * room[k];
    add(corner, share);
    left -= share;
  }
  add(low, left);
}

Vector thinned(const Vector& x, Index count) {
  const auto size = static_cast<Index>(x.size());
  if (size <= count) return x;
  Vector result;
  for (Index i = 0; i < count; ++i) {
    result.push_back(x[static_cast<std::size_t>((size - 1) * i / (count - 1))]);
  }
  return result;
}

// Each single value is a cut, and there may be many.
Matrix NumberTest::intervals(int count) const {
  constexpr Index kMore = 10;
  return probabilities(thinned(cuts(count), kMore * count));
}

bool NumberTest::tells(const Vector& cut, const Eigen::VectorXd& mass) const {
  if (cut.size() < 2) return true;
  Index pivot;
  mass.maxCoeff(&pivot);
  for (Index k = 0; k < mass.size(); ++k) {
    if (k == pivot || mass[k] == 0) continue;
    const LogRange range = log_ratios(k, pivot, cut.front(), cut.back());
    if (!(range.high - range.low <= kSame)) return true;
  }
  return false;
}

Matrix NumberTest::finer_answers(int count) const {
  const Vector cut = cuts(count);
  const Matrix mass = probabilities(cut);
  const Eigen::VectorXd all = mass.rowwise().sum();
  if (!is_constant() && !tells(cut, all)) return all;
  AnswerList list;
  for (Index i = 0; i < mass.cols(); ++i) {
    if (!(mass.col(i).maxCoeff() > 0)) continue;
    if (is_constant()) {
      list.add({mass.col(i)});
      continue;
    }
    const auto at = static_cast<std::size_t>(i);
    const bool inside = i > 0 && at < cut.size();
    const auto answers =
        inside ? Curve(*this, mass.col(i), cut[at - 1], cut[at]).answers() : std::vector<Answer>();
    // The ratios of the ends have no bounds.
    list.add(answers.empty() ? telling(mass.col(i)) : answers);
  }
  return list.columns(mass.rows());
}

}  // namespace bayesrisk
