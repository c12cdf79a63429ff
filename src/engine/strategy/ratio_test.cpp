#include <engine/decision/row_rule.hpp>
#include <engine/risk/log_ratio.hpp>
#include <engine/risk/ratio_risk.hpp>
#include <engine/strategy/ratio_test.hpp>

namespace bayesrisk {

namespace {

NormalPart part_of(const Conditional& given) {
  NormalPart part;
  part.features.resize(static_cast<std::size_t>(given.mean.size()));
  std::iota(part.features.begin(), part.features.end(), 0);
  part.mean = given.mean;
  part.mean_low = Eigen::VectorXd::Zero(given.mean.size());
  part.factor = given.factor;
  return part;
}

QuadraticLaw law_in(const NormalPart& met, const NormalPart& first, const NormalPart& second) {
  NormalGroup group;
  group.add_met(met);
  group.add_believed(first, second);
  QuadraticForm form;
  group.add_to(form);
  return QuadraticLaw(std::move(form));
}

// `count` numbers that divide the mass of even intervals into equal parts.
Vector quantiles(const Vector& cuts, const Eigen::VectorXd& mass, int count) {
  Vector result;
  const double total = mass.sum();
  double below = mass[0];
  for (std::size_t i = 0; i + 1 < cuts.size(); ++i) {
    const double share = mass[static_cast<Index>(i) + 1];
    for (int j = 1; j <= count; ++j) {
      const double wanted = total * j / (count + 1);
      if (wanted <= below || wanted > below + share) continue;
      result.push_back(cuts[i] + (cuts[i + 1] - cuts[i]) * (wanted - below) / share);
    }
    below += share;
  }
  return result;
}

Vector even_cuts(const LogRange& ends, int count) {
  Vector result;
  for (int i = 0; i <= count; ++i) result.push_back(ends.low + (ends.high - ends.low) * i / count);
  return result;
}

}  // namespace

RatioTest::RatioTest(const Conditional& of_first, const Conditional& of_second, int first,
                     int second, Index classes)
    : first_(first), second_(second), classes_(classes) {
  const NormalPart low = part_of(of_first), high = part_of(of_second);
  law_.push_back(law_in(low, low, high));
  law_.push_back(law_in(high, low, high));
}

LogRange RatioTest::ends() const {
  constexpr double kRare = 1e-9, kTells = 100;
  const auto end = [&](double sign) {
    double at = sign;
    while (std::abs(at) < kTells) {
      const Matrix mass = probabilities({at});
      if (mass.col(sign < 0 ? 0 : 1).maxCoeff() < kRare) break;
      at *= 1.5;
    }
    return at;
  };
  return {end(-1), end(1)};
}

// Half of them are quantiles. The others are even, because rare ratios may decide.
Vector RatioTest::cuts(int count) const {
  const LogRange range = ends();
  const Vector even = even_cuts(range, std::max(1, count / 2));
  const Eigen::VectorXd mass = probabilities(even).colwise().sum().transpose();
  Vector all = quantiles(even, mass, count / 2);
  all.insert(all.end(), even.begin(), even.end());
  std::sort(all.begin(), all.end());
  all.erase(std::unique(all.begin(), all.end()), all.end());
  return all;
}

Matrix RatioTest::probabilities(const Vector& cuts) const {
  Matrix result = Matrix::Zero(classes_, static_cast<Index>(cuts.size()) + 1);
  for (std::size_t i = 0; i < law_.size(); ++i) {
    law_[i].regions(cuts, [&](std::size_t region, double probability, double) {
      result(i == 0 ? first_ : second_, static_cast<Index>(region)) = probability;
    });
  }
  return result;
}

Eigen::VectorXd RatioTest::log_densities(double log_ratio) const {
  Eigen::VectorXd result = Eigen::VectorXd::Constant(classes_, kNegativeInfinity);
  result[first_] = std::min(0.0, -log_ratio);
  result[second_] = std::min(0.0, log_ratio);
  return result;
}

double RatioTest::probability(double log_ratio, const Eigen::VectorXd& weight) const {
  return 1 / (1 + weight[first_] / weight[second_] * std::exp(-log_ratio));
}

LogRange RatioTest::log_ratios(Index above, Index, double from, double to) const {
  if (above == second_) return {from, to};
  return {-to, -from};
}

Regions RatioTest::regions(const Eigen::VectorXd& weight, const Cost& cost) const {
  return ratio_regions(odds_regions(cost, first_, second_), cost, first_, second_,
                       weight.array().log());
}

}  // namespace bayesrisk
