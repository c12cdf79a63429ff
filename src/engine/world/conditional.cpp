#include <engine/world/conditional.hpp>

namespace bayesrisk {

KnownMembers::KnownMembers(const IntVector& features, const Frame& frame, Index row, int unknown) {
  for (int j = 0; j < static_cast<int>(features.size()); ++j) {
    double buffer = 0;
    const Column& column =
        frame.columns[static_cast<std::size_t>(features[static_cast<std::size_t>(j)])];
    const double x = *load_numbers(column, row, 1, 1, &buffer);
    if (j == unknown || !std::isfinite(x)) continue;
    member.push_back(j);
    value.push_back(x);
  }
}

Conditional::Conditional(const NormalView& p, int k, const IntVector& members,
                         const KnownMembers& known, const Eigen::VectorXd& origin)
    : mean(origin.size()) {
  const Matrix& u = p.factor_of(k);
  const auto m = static_cast<Index>(known.member.size()), open = origin.size();
  Matrix columns(u.rows(), m + open);
  Eigen::VectorXd z(m);
  for (Index i = 0; i < m; ++i) {
    const int j = known.member[static_cast<std::size_t>(i)];
    columns.col(i) = u.col(j);
    z[i] = (known.value[static_cast<std::size_t>(i)] - (*p.mean)(k, j)) - (*p.mean_low)(k, j);
  }
  for (Index i = 0; i < open; ++i) {
    const int j = members[static_cast<std::size_t>(i)];
    columns.col(m + i) = u.col(j);
    mean[i] = ((*p.mean)(k, j) - origin[i]) + (*p.mean_low)(k, j);
  }
  const Matrix r = triangle_of_rows(columns);
  r.topLeftCorner(m, m).transpose().triangularView<Eigen::Lower>().solveInPlace(z);
  mean += r.topRightCorner(m, open).transpose() * z;
  factor = r.bottomRightCorner(open, open);
  log_density = -0.5 * z.squaredNorm() - half_log_determinant(r.topLeftCorner(m, m));
}

std::vector<ConditionalTerm> conditional_terms(const NormalView& block, int k,
                                               const IntVector& members, const KnownMembers& known,
                                               const Eigen::VectorXd& origin) {
  std::vector<ConditionalTerm> terms;
  double total = kNegativeInfinity;
  for (const auto& term : block.terms_of(k)) {
    terms.push_back({term.log_weight, {block, term.at, members, known, origin}});
    total = log_add(total, term.log_weight + terms.back().given.log_density);
  }
  // With one term, or where every density underflows, the weights stay.
  if (terms.size() == 1 || !std::isfinite(total)) return terms;
  for (ConditionalTerm& term : terms) term.log_weight += term.given.log_density - total;
  return terms;
}

bool stands_alone(const View& view, int feature) {
  const int own = view.feature[static_cast<std::size_t>(feature)];
  if (own < 0) return true;
  const std::size_t b = place_of(view.plan, own).bank;
  const Bank& bank = *view.plan.banks[b];
  return !bank.has_conditional() && !bank.normals(view.parameters[b]).is_block();
}

Marginal conditional_marginal(const View& view, const Frame& frame, Index row, int feature,
                              double origin) {
  const int own = view.feature[static_cast<std::size_t>(feature)];
  if (own < 0) return marginal_of(view, feature, origin);
  const Place place = place_of(view.plan, own);
  const Bank& bank = *view.plan.banks[place.bank];
  const AnyParameters& parameters = view.parameters[place.bank];
  if (bank.has_conditional()) {
    Marginal given =
        bank.conditional_density(parameters, view.prior, frame, row, place.member, origin);
    if (view.tempering) raise(given, power_at(view, place));
    return given;
  }
  const NormalView block = bank.normals(parameters);
  if (!block.is_block()) return marginal_of(view, feature, origin);
  const KnownMembers known(*block.features, frame, row, place.member);
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

Matrix conditional_levels(const View& view, const Frame& frame, Index row, int feature,
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
