#include <engine/core/log_math.hpp>
#include <engine/strategy/number_test.hpp>

namespace bayesrisk {

namespace {

struct Range {
  double low, high;
};

Range range_of(std::initializer_list<double> values) {
  const auto [low, high] = std::minmax(values);
  return {low, high};
}

// The log density of a normal times its weight has its largest value at its mean.
Range log_range(const NormalComponent& term, double from, double to) {
  const auto at = [&](double x) { return log_density(Normals::OfClass{term}, x); };
  const double mode = std::clamp(term.mean, from, to);
  return range_of({at(from), at(to), at(mode)});
}

// The least and the largest log ratio of two densities between `from` and `to`.
Range log_ratios(const Normals::OfClass& first, const Normals::OfClass& second, double from,
                 double to) {
  if (first.size() == 1 && second.size() == 1) {
    const LogRatio ratio(SignedTerm::of(first[0], 1, first[0].log_weight),
                         SignedTerm::of(second[0], 1, second[0].log_weight));
    const double vertex = ratio.curvature == 0 ? from : ratio.vertex(from, to);
    return range_of({ratio.at(from), ratio.at(to), ratio.at(std::clamp(vertex, from, to))});
  }
  const auto sums = [&](const Normals::OfClass& terms) {
    Range sum{kNegativeInfinity, kNegativeInfinity};
    for (const NormalComponent& term : terms) {
      const Range one = log_range(term, from, to);
      sum = {log_add(sum.low, one.low), log_add(sum.high, one.high)};
    }
    return sum;
  };
  const Range above = sums(first), below = sums(second);
  return {above.low - below.high, above.high - below.low};
}

Range log_ratios(const Gammas::OfClass& first, const Gammas::OfClass& second, double from,
                 double to) {
  const auto at = [&](double x) { return log_density(first, x) - log_density(second, x); };
  const double turn = (first.shape - second.shape) / (first.rate - second.rate) - first.origin;
  return range_of({at(from), at(to), at(turn > from && turn < to ? turn : from)});
}

// Of all counts from `from` to the last one below `to`.
Range log_ratios(const CountLaw& first, const CountLaw& second, double from, double to) {
  Range range{kInfinity, kNegativeInfinity};
  for (double x = std::ceil(from); x < to; ++x) {
    const double ratio = first.log_probability(x) - second.log_probability(x);
    range = {std::min(range.low, ratio), std::max(range.high, ratio)};
  }
  return range;
}

// Both are constant from one cut to the next.
template <class OfClass>
Range log_ratios(const OfClass& first, const OfClass& second, double from, double) {
  const double ratio = log_density(first, from) - log_density(second, from);
  return {ratio, ratio};
}

// Of many points about `count`, evenly chosen.
Vector thinned(const Vector& x, int count) {
  const auto size = static_cast<double>(x.size());
  if (size <= count) return x;
  Vector result;
  for (int i = 0; i < count; ++i) {
    result.push_back(x[static_cast<std::size_t>((size - 1) * i / (count - 1))]);
  }
  return result;
}

Vector sorted(Vector x) {
  std::sort(x.begin(), x.end());
  x.erase(std::unique(x.begin(), x.end()), x.end());
  return x;
}

template <class M>
Vector find_cuts(const M& marginal, const std::vector<char>& possible, int count) {
  Vector x;
  const auto classes = std::count(possible.begin(), possible.end(), 1);
  for (std::size_t k = 0; k < possible.size(); ++k) {
    if (!possible[k]) continue;
    const auto parts = static_cast<int>(parts_of(marginal.classes[k])) * static_cast<int>(classes);
    add_points(marginal.classes[k], std::max(1, count / parts), x);
  }
  return sorted(x);
}

// All counts, unless there are thousands.
Vector find_cuts(const Counts& counts, const std::vector<char>& possible, int) {
  constexpr int kMost = 2000;
  Vector x;
  for (std::size_t k = 0; k < possible.size(); ++k) {
    if (possible[k]) add_points(counts.classes[k], kMost, x);
  }
  return sorted(x);
}

Vector find_cuts(const Steps& steps, const std::vector<char>&, int) { return edges_of(steps); }
Vector find_cuts(const Atoms& atoms, const std::vector<char>&, int) { return values_of(atoms); }

}  // namespace

// Cuts beyond which hardly any value lies are left out, except for one at each end.
Vector NumberTest::cuts(int count) const {
  constexpr double kRare = 1e-9;
  const Vector all =
      std::visit([&](const auto& of) { return find_cuts(of, possible_, count); }, marginal_);
  const Matrix mass = probabilities(all);
  const auto column = [&](std::size_t i) { return mass.col(static_cast<Index>(i)); };
  Eigen::VectorXd below = column(0) + column(std::min<std::size_t>(1, all.size()));
  Eigen::VectorXd above = column(all.size()) + column(std::max<std::size_t>(1, all.size()) - 1);
  std::size_t first = 0, last = all.size();
  while (first + 1 < last && below.maxCoeff() < kRare) below += column(++first + 1);
  while (last > first + 1 && above.maxCoeff() < kRare) above += column(--last - 1);
  const Vector kept(all.begin() + static_cast<std::ptrdiff_t>(first),
                    all.begin() + static_cast<std::ptrdiff_t>(last));
  // Between other cuts the ratios of the densities of bins and single values are not constant.
  const bool constant =
      std::holds_alternative<Steps>(marginal_) || std::holds_alternative<Atoms>(marginal_);
  const bool whole = std::holds_alternative<Counts>(marginal_);
  return constant ? kept : thinned(kept, whole ? 2 * count : count);
}

Matrix NumberTest::probabilities(const Vector& cuts) const {
  const auto classes = static_cast<Index>(possible_.size());
  Matrix result = Matrix::Zero(static_cast<Index>(cuts.size()) + 1, classes);
  std::visit(
      [&](const auto& of) {
        for (Index k = 0; k < classes; ++k) {
          if (!possible_[static_cast<std::size_t>(k)]) continue;
          add_probabilities(of.classes[static_cast<std::size_t>(k)], 0, cuts, result.col(k).data());
        }
      },
      marginal_);
  return result.transpose();
}

// The answers that replace one interval. In units of the density of one class, the pivot, the
// ratios of the classes lie in a box. The simplex has a corner at the least ratios, and one for
// each class whose ratio varies.
class NumberTest::Simplex {
 public:
  Simplex(const Eigen::VectorXd& mass, double from, double to) : mass_(mass), from_(from), to_(to) {
    mass_.maxCoeff(&pivot_);
  }

  // Adds the answers; returns false if a ratio has no bounds.
  template <class M>
  bool add(const M& marginal, std::vector<Eigen::VectorXd>& answers) const {
    Eigen::VectorXd low = mass_ / mass_[pivot_], room = Eigen::VectorXd::Zero(mass_.size());
    for (Index k = 0; k < mass_.size(); ++k) {
      if (k == pivot_ || mass_[k] == 0) continue;
      const Range range =
          log_ratios(marginal.classes[static_cast<std::size_t>(k)],
                     marginal.classes[static_cast<std::size_t>(pivot_)], from_, to_);
      const double least = std::exp(range.low), largest = std::exp(range.high);
      if (!(largest < kInfinity) || std::isnan(least)) return false;
      if (largest - least <= kSame * largest) continue;
      low[k] = std::min(least, low[k]);
      room[k] = std::max(largest, mass_[k] / mass_[pivot_]) - low[k];
    }
    add_corners(low, room, answers);
    return true;
  }

 private:
  static constexpr double kSame = 1e-13;

  void add_corners(const Eigen::VectorXd& low, const Eigen::VectorXd& room,
                   std::vector<Eigen::VectorXd>& answers) const {
    const auto varying = static_cast<double>((room.array() > 0).count());
    double left = 1;
    for (Index k = 0; k < mass_.size(); ++k) {
      const double share =
          room[k] > 0 ? (mass_[k] / mass_[pivot_] - low[k]) / (varying * room[k]) : 0;
      if (!(share > 0)) continue;
      Eigen::VectorXd corner = low;
      corner[k] += varying * room[k];
      answers.push_back(corner * (share * mass_[pivot_]));
      left -= share;
    }
    if (left > 0) answers.push_back(low * (left * mass_[pivot_]));
  }

  const Eigen::VectorXd mass_;
  const double from_, to_;
  Index pivot_ = 0;
};

Matrix NumberTest::finer_answers(int count) const {
  const Vector cut = cuts(count);
  const Matrix mass = probabilities(cut);
  std::vector<Eigen::VectorXd> answers;
  for (Index i = 0; i < mass.cols(); ++i) {
    if (!(mass.col(i).maxCoeff() > 0)) continue;
    const auto at = static_cast<std::size_t>(i);
    const bool inside = i > 0 && at < cut.size();
    const bool bounded =
        inside && std::visit(
                      [&](const auto& of) {
                        return Simplex(mass.col(i), cut[at - 1], cut[at]).add(of, answers);
                      },
                      marginal_);
    // The ratios of the ends have no bounds. There an answer tells the class.
    for (Index k = 0; !bounded && k < mass.rows(); ++k) {
      if (mass(k, i) > 0) answers.push_back(Eigen::VectorXd::Unit(mass.rows(), k) * mass(k, i));
    }
  }
  Matrix result(mass.rows(), static_cast<Index>(answers.size()));
  for (std::size_t i = 0; i < answers.size(); ++i) result.col(static_cast<Index>(i)) = answers[i];
  return result;
}

Eigen::VectorXd NumberTest::densities(double x) const {
  Eigen::VectorXd result =
      Eigen::VectorXd::Constant(static_cast<Index>(possible_.size()), kNegativeInfinity);
  std::visit(
      [&](const auto& of) {
        for (std::size_t k = 0; k < possible_.size(); ++k) {
          if (possible_[k]) result[static_cast<Index>(k)] = log_density(of.classes[k], x);
        }
      },
      marginal_);
  const double largest = result.maxCoeff();
  if (!(largest > kNegativeInfinity)) return Eigen::VectorXd::Zero(result.size());
  return (result.array() - largest).exp();
}

Regions NumberTest::regions(const Eigen::VectorXd& weight, const Cost& cost) const {
  Vector log_weight(possible_.size(), kNegativeInfinity);
  for (std::size_t k = 0; k < possible_.size(); ++k) {
    if (possible_[k]) log_weight[k] = std::log(weight[static_cast<Index>(k)]);
  }
  return find_regions(marginal_, log_weight, cost);
}

}  // namespace bayesrisk
