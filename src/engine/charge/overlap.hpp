#pragma once

#include <engine/charge/block_moments.hpp>
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

// Collects the overlap of two classes of a model, bank by bank: numeric features by their
// marginals, blocks and tables of codes by their parameters.
struct OverlapCollector {
  Overlap& overlap;
  int one = 0, other = 1;

  template <class Plan>
  void operator()(const Plan& plan, const ParametersOf<Plan>& p) {
    add_members(plan, p);
  }

  // A block splits into independent normals along the axes in which both covariances are diagonal.
  void operator()(const MultivariateGaussian::Plan&, const MultivariateGaussian::Parameters& p) {
    const Eigen::VectorXd between =
        (p.mean.row(other) - p.mean.row(one)) + (p.mean_low.row(other) - p.mean_low.row(one));
    add_normals({Eigen::VectorXd::Zero(between.size()), p.factor_of(one)},
                {between, p.factor_of(other)});
  }

  // The overlap of sums of normals has no closed form: NaN.
  void operator()(const MultivariateMixture::Plan& plan, const MultivariateMixture::Parameters& p) {
    if (plan.size() == 1) return add_members(plan, p);
    const BlockMoments first = mixture_moments(p, one), second = mixture_moments(p, other);
    if (p.log_weight.size() == 2) return add_normals(first, second);
    overlap.parts.push_back([](double) { return kNaN; });
    add_moments(first, second);
  }

  // Both classes have the same cells, so the widths of the bins cancel.
  void operator()(const JointHistogram::Plan& plan, const JointHistogram::Parameters& p) {
    (*this)(plan.table(), p);
    add_moments(CellMoments(plan, p, one).moments(), CellMoments(plan, p, other).moments());
  }

  void operator()(const Categorical::Plan& plan, const Categorical::Parameters& p) {
    Index column = 0;
    for (int count : plan.levels) {
      std::vector<EventPair> table;
      for (int level = 0; level < count; ++level, ++column) {
        table.push_back({p.log_probability(one, column), p.log_probability(other, column)});
      }
      overlap.parts.push_back(log_overlap(std::move(table)));
    }
  }

  void operator()(const JointTable::Plan& plan, const JointTable::Parameters& p) {
    std::vector<EventPair> table;
    for (Index c = 0; c < p.cells.rows(); ++c) {
      table.push_back({p.log_probability(one, c), p.log_probability(other, c)});
    }
    const double unseen = plan.cells() - static_cast<double>(p.cells.rows());
    if (unseen > 0) table.push_back({p.log_unseen[one], p.log_unseen[other], std::log(unseen)});
    overlap.parts.push_back(log_overlap(std::move(table)));
  }

 private:
  template <class Plan>
  void add_members(const Plan& plan, const ParametersOf<Plan>& p) {
    using Likelihood = LikelihoodOf<Plan>;
    if constexpr (reads_bag<Plan>) {
      throw InvalidState("a bag has no density");
    } else {
      for (int j = 0; j < plan.members(); ++j) {
        const double origin = origin_of(Likelihood::marginal(plan, p, one, j, 0));
        add(Likelihood::marginal(plan, p, one, j, origin),
            Likelihood::marginal(plan, p, other, j, origin));
      }
    }
  }

  void add_normals(const BlockMoments& first, const BlockMoments& second) {
    for (const MeanAndSd& of_second : common_axes(first, second)) {
      add(Normals::unknown(), Normals::OfClass{{0, of_second.mean, of_second.sd}});
    }
  }

  void add_moments(const BlockMoments& first, const BlockMoments& second) {
    for (const MeanAndSd& of_second : common_axes(first, second)) {
      overlap.moments.push_back(compare_moments({0, 1}, of_second));
    }
  }

  // The means and deviations of the second class along the axes in which both covariances are
  // diagonal; the first class has mean 0 and deviation 1.
  static std::vector<MeanAndSd> common_axes(const BlockMoments& first, const BlockMoments& second) {
    const auto whiten = first.triangle.transpose().triangularView<Eigen::Lower>();
    const Eigen::JacobiSVD<Matrix> axes(whiten.solve(second.triangle.transpose()),
                                        Eigen::ComputeFullU);
    const Eigen::VectorXd distance =
        axes.matrixU().transpose() * whiten.solve(second.mean - first.mean);
    std::vector<MeanAndSd> result;
    for (Index j = 0; j < distance.size(); ++j) {
      result.push_back({distance[j], axes.singularValues()[j]});
    }
    return result;
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
