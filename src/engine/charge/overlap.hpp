#pragma once

#include <engine/model/plan.hpp>

namespace bayesrisk {

// The overlap of two classes. Features and blocks are independent, so the integral of p^s q^(1 - s)
// is a product over features and blocks.
struct Overlap {
  std::vector<LogOverlap> parts{};
  std::vector<MomentPair> moments{};  // of each numeric feature

  double log_at(double s) const {
    double total = 0;
    for (const LogOverlap& part : parts) total += part(s);
    return total;
  }

  // Squared Mahalanobis distance of the means of the numeric features, under the
  // covariance p S1 + (1 - p) S2; NaN without one.
  double squared_distance(double p) const {
    if (moments.empty()) return kNaN;
    double total = 0;
    for (const MomentPair& pair : moments) {
      if (pair.distance == 0) continue;
      total += pair.distance * pair.distance / (p * pair.first + (1 - p) * pair.second);
    }
    return total;
  }
};

// The mean of a class of a block of mixtures, relative to the first mean of the block, and the
// factor of its covariance.
struct BlockMoments {
  Eigen::VectorXd mean;
  Matrix factor;

  BlockMoments(const MultivariateMixture::Parameters& p, int k) {
    const int first = p.first_terms()[k], count = p.components[k];
    const auto& normals = p.normals;
    const Index size = normals.mean.cols();
    const Matrix away = (normals.mean.middleRows(first, count).rowwise() - normals.mean.row(0)) +
                        normals.mean_low.middleRows(first, count);
    const Eigen::VectorXd share =
        Eigen::Map<const Eigen::ArrayXd>(&p.log_weight[first], count).exp();
    mean = away.transpose() * share - normals.mean_low.row(0).transpose();
    Matrix rows(count * (size + 1), size);
    for (int t = 0; t < count; ++t) {
      rows.middleRows(t * size, size) = std::sqrt(share[t]) * normals.factor_of(first + t);
      rows.row(count * size + t) =
          std::sqrt(share[t]) * (away.row(t) - normals.mean_low.row(0) - mean.transpose());
    }
    factor = triangle_of_rows(rows);
  }
};

// Collects the overlap of a model's two classes, bank by bank: numeric features by their
// marginals, a Gaussian block and tables of codes by their parameters.
struct OverlapCollector {
  Overlap& overlap;

  template <class Plan>
  void operator()(const Plan& plan, const ParametersOf<Plan>& p) {
    add_members(plan, p);
  }

  // A block splits into independent normals along the axes in which both covariances are diagonal.
  void operator()(const MultivariateGaussian::Plan&, const MultivariateGaussian::Parameters& p) {
    const Eigen::VectorXd between =
        (p.mean.row(1) - p.mean.row(0)) + (p.mean_low.row(1) - p.mean_low.row(0));
    add_normals(p.factor_of(0), p.factor_of(1), between);
  }

  // The overlap of sums of normals has no closed form: NaN. Their moments are those of normals.
  void operator()(const MultivariateMixture::Plan& plan, const MultivariateMixture::Parameters& p) {
    if (plan.size() == 1) return add_members(plan, p);
    const BlockMoments first(p, 0), second(p, 1);
    add_normals(first.factor, second.factor, second.mean - first.mean);
    if (p.log_weight.size() == 2) return;
    overlap.parts.push_back([](double) { return kNaN; });
  }

  void operator()(const Categorical::Plan& plan, const Categorical::Parameters& p) {
    Index column = 0;
    for (int count : plan.levels) {
      std::vector<EventPair> table;
      for (int level = 0; level < count; ++level, ++column) {
        table.push_back({p.log_probability(0, column), p.log_probability(1, column)});
      }
      overlap.parts.push_back(log_overlap(std::move(table)));
    }
  }

  void operator()(const JointTable::Plan& plan, const JointTable::Parameters& p) {
    std::vector<EventPair> table;
    for (Index c = 0; c < p.cells.rows(); ++c) {
      table.push_back({p.log_probability(0, c), p.log_probability(1, c)});
    }
    const double unseen = plan.cells() - static_cast<double>(p.cells.rows());
    if (unseen > 0) table.push_back({p.log_unseen[0], p.log_unseen[1], std::log(unseen)});
    overlap.parts.push_back(log_overlap(std::move(table)));
  }

 private:
  template <class Plan>
  void add_members(const Plan& plan, const ParametersOf<Plan>& p) {
    using Likelihood = LikelihoodOf<Plan>;
    for (int j = 0; j < plan.members(); ++j) {
      const double origin = origin_of(Likelihood::marginal(plan, p, 0, j, 0));
      add(Likelihood::marginal(plan, p, 0, j, origin), Likelihood::marginal(plan, p, 1, j, origin));
    }
  }

  void add_normals(const Matrix& first, const Matrix& second, const Eigen::VectorXd& between) {
    const auto whiten = first.transpose().triangularView<Eigen::Lower>();
    const Eigen::JacobiSVD<Matrix> axes(whiten.solve(second.transpose()), Eigen::ComputeFullU);
    const Eigen::VectorXd distance = axes.matrixU().transpose() * whiten.solve(between);
    for (Index j = 0; j < distance.size(); ++j) {
      add(Normals::unknown(), Normals::OfClass{{0, distance[j], axes.singularValues()[j]}});
    }
  }

  template <class OfClass>
  void add(const OfClass& first, const OfClass& second) {
    overlap.parts.push_back(log_overlap(first, second));
    overlap.moments.push_back(compare_moments(moments_of(first), moments_of(second)));
  }
};

inline Overlap compare_classes(const ModelPlan& plan, const std::vector<AnyParameters>& banks) {
  require(plan.groups == 2, "bounds: not two classes");
  Overlap overlap;
  OverlapCollector collector{overlap};
  for (std::size_t b = 0; b < banks.size(); ++b) {
    std::visit(
        [&](const auto& of) { collector(of, std::get<ParametersOf<decltype(of)>>(banks[b])); },
        plan.banks[b]);
  }
  return overlap;
}

}  // namespace bayesrisk
