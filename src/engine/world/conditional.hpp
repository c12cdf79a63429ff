#pragma once

#include <engine/world/world.hpp>

namespace bayesrisk {

// The known numbers of a row among the members of a Gaussian block.
struct KnownMembers {
  IntVector member;
  Vector value;

  KnownMembers(const MultivariateGaussian::Plan& plan, const Frame& frame, Index row, int unknown) {
    for (int j = 0; j < plan.size(); ++j) {
      double buffer = 0;
      const Column& column = frame.columns[static_cast<std::size_t>(plan.features[j])];
      const double x = *load_numbers(column, row, 1, 1, &buffer);
      if (j == unknown || !std::isfinite(x)) continue;
      member.push_back(j);
      value.push_back(x);
    }
  }
};

// The distribution of some members of a normal given the known ones. The known columns of the
// triangle come first. Then the last columns hold the regression and the remaining
// covariance. `factor` is an upper triangle.
struct Conditional {
  Eigen::VectorXd mean;  // relative to an origin
  Matrix factor;
  double log_density;  // of the known members, but for a constant

  Conditional(const MultivariateGaussian::Parameters& p, int k, const IntVector& members,
              const KnownMembers& known, const Eigen::VectorXd& origin)
      : mean(origin.size()) {
    const Matrix& u = p.factor_of(k);
    const auto m = static_cast<Index>(known.member.size()), open = origin.size();
    Matrix columns(u.rows(), m + open);
    Eigen::VectorXd z(m);
    for (Index i = 0; i < m; ++i) {
      const int j = known.member[static_cast<std::size_t>(i)];
      columns.col(i) = u.col(j);
      z[i] = (known.value[static_cast<std::size_t>(i)] - p.mean(k, j)) - p.mean_low(k, j);
    }
    for (Index i = 0; i < open; ++i) {
      const int j = members[static_cast<std::size_t>(i)];
      columns.col(m + i) = u.col(j);
      mean[i] = (p.mean(k, j) - origin[i]) + p.mean_low(k, j);
    }
    const Matrix r = triangle_of_rows(columns);
    r.topLeftCorner(m, m).transpose().triangularView<Eigen::Lower>().solveInPlace(z);
    mean += r.topRightCorner(m, open).transpose() * z;
    factor = r.bottomRightCorner(open, open);
    log_density = -0.5 * z.squaredNorm() - half_log_determinant(r.topLeftCorner(m, m));
  }
};

// Some members of a block given the known ones, in a class: one term for each normal. A term gains
// weight if the known numbers are probable under it.
struct ConditionalTerm {
  double log_weight;
  Conditional given;
};

inline std::vector<ConditionalTerm> conditional_terms(const NormalBlock& block, int k,
                                                      const IntVector& members,
                                                      const KnownMembers& known,
                                                      const Eigen::VectorXd& origin) {
  std::vector<ConditionalTerm> terms;
  double total = kNegativeInfinity;
  for (const auto& term : block.terms_of(k)) {
    terms.push_back({term.log_weight, {*block.normals, term.at, members, known, origin}});
    total = log_add(total, term.log_weight + terms.back().given.log_density);
  }
  // With one term, or where every density underflows, the weights stay.
  if (terms.size() == 1 || !std::isfinite(total)) return terms;
  for (ConditionalTerm& term : terms) term.log_weight += term.given.log_density - total;
  return terms;
}

// The density of a member of a joint histogram given the known values of a row.
inline Steps conditional_steps(const View& view, const Place& place,
                               const JointHistogram::Plan& plan, const Frame& frame, Index row,
                               double origin) {
  const auto& parameters = std::get<JointHistogram::Parameters>(view.parameters[place.bank]);
  IntVector known;
  for (int j = 0; j < plan.members(); ++j) {
    double buffer = 0;
    const Column& column = frame.columns[static_cast<std::size_t>(plan.features[j])];
    const double x = *load_numbers(column, row, 1, 1, &buffer);
    known.push_back(j == place.member ? kMissing : plan.of_member(j).find(x));
  }
  Steps steps;
  for (std::size_t k = 0; k < view.prior.size(); ++k) {
    steps.classes.push_back(view.prior[k] == 0
                                ? Steps::unknown()
                                : JointHistogram::conditional(plan, parameters, static_cast<int>(k),
                                                              place.member, known, origin));
  }
  return steps;
}

// Whether no other feature affects a feature given the class, so its density is marginal_of().
inline bool stands_alone(const View& view, int feature) {
  const int own = view.feature[static_cast<std::size_t>(feature)];
  if (own < 0) return true;
  const std::size_t bank = place_of(view.plan, own).bank;
  if (std::holds_alternative<JointHistogram::Plan>(view.plan.banks[bank])) return false;
  return !normal_block(view.plan.banks[bank], view.parameters[bank]).normals;
}

// A numeric feature given the known values of a row; only values of its own block affect it. The
// weights of the classes are the row's log joint with the feature missing.
inline Marginal conditional_marginal(const View& view, const Frame& frame, Index row, int feature,
                                     double origin) {
  const int own = view.feature[static_cast<std::size_t>(feature)];
  if (own < 0) return marginal_of(view, feature, origin);
  const Place place = place_of(view.plan, own);
  if (const auto* bins = std::get_if<JointHistogram::Plan>(&view.plan.banks[place.bank])) {
    Marginal steps = conditional_steps(view, place, *bins, frame, row, origin);
    if (view.tempering) raise(steps, power_at(view, place));
    return steps;
  }
  const NormalBlock block = normal_block(view.plan.banks[place.bank], view.parameters[place.bank]);
  if (!block.normals) return marginal_of(view, feature, origin);
  const KnownMembers known(*block.plan, frame, row, place.member);
  if (known.member.empty()) return marginal_of(view, feature, origin);
  Normals line = normals_of(view, feature, origin);
  for (std::size_t k = 0; k < view.prior.size(); ++k) {
    if (view.prior[k] == 0) continue;
    line.classes[k].clear();
    for (const ConditionalTerm& term :
         conditional_terms(block, static_cast<int>(k), {place.member}, known,
                           Eigen::VectorXd::Constant(1, origin))) {
      line.classes[k].push_back({term.log_weight, term.given.mean[0], term.given.factor(0, 0)});
    }
    if (view.tempering) raise(line.classes[k], power_at(view, place));
  }
  return line;
}

// log P(level | class, known values of a row), levels x classes, of a categorical feature with
// `levels` levels. The row is scored once for each level, by the block of this feature alone.
inline Matrix conditional_levels(const View& view, const Frame& frame, Index row, int feature,
                                 int levels) {
  const int own = view.feature[static_cast<std::size_t>(feature)];
  const Place place = place_of(view.plan, own);
  const Scorer scorer(view.plan, view.parameters, view.prior, levels);
  Matrix result(levels, scorer.classes());
  Tile tile(scorer.classes(), static_cast<int>(frame.columns.size()));
  for (int level = 0; level < levels; ++level) {
    Frame one = frame;
    one.rows = 1;
    for (Column& column : one.columns) {
      if (column.real) column.real += row;
      if (column.integer) column.integer += row;
    }
    one.columns[static_cast<std::size_t>(own)] = Column{nullptr, &level, 0, levels, nullptr};
    tile.start(0, 1);
    scorer.add_members(one, {place.bank, place.member, place.member + 1}, tile);
    for (int k = 0; k < tile.classes; ++k) result(level, k) = tile.of_class(k)[0];
  }
  for (int k = 0; k < tile.classes; ++k) {
    double total = kNegativeInfinity;
    for (int level = 0; level < levels; ++level) total = log_add(total, result(level, k));
    // If all levels are impossible under a class, the class itself is impossible.
    if (total > kNegativeInfinity) result.col(k).array() -= total;
  }
  return result;
}

}  // namespace bayesrisk
