#include <engine/risk/log_ratio.hpp>
#include <engine/risk/normal_parts.hpp>
#include <engine/risk/ratio_risk.hpp>

namespace bayesrisk {

Regions odds_regions(const Cost& cost, int first, int second) {
  const auto of = [&](int action, double odds) {
    return cost.of(action, first) / (1 + std::exp(odds)) +
           cost.of(action, second) / (1 + std::exp(-odds));
  };
  IntVector possible;
  for (int a = 0; a < cost.actions(); ++a) {
    if (std::isfinite(of(a, 0))) possible.push_back(a);
  }
  if (possible.empty()) return {{}, {0}, {}};
  Vector crossing;
  for (int a : possible) {
    for (int b : possible) {
      const double more = cost.of(a, first) - cost.of(b, first);
      const double less = cost.of(b, second) - cost.of(a, second);
      if (more > 0 && less > 0) crossing.push_back(std::log(more) - std::log(less));
    }
  }
  std::sort(crossing.begin(), crossing.end());
  Regions regions;
  for (std::size_t i = 0; i <= crossing.size(); ++i) {
    const double low = i > 0 ? crossing[i - 1] : crossing.empty() ? -1 : crossing[0] - 2;
    const double high = i < crossing.size() ? crossing[i] : low + 2;
    const int best = *std::min_element(possible.begin(), possible.end(), [&](int a, int b) {
      return of(a, low + 0.5 * (high - low)) < of(b, low + 0.5 * (high - low));
    });
    if (!regions.decision.empty()) {
      if (regions.decision.back() == best) continue;
      regions.cut.push_back(low);
    }
    regions.decision.push_back(best);
  }
  return regions;
}

Regions ratio_regions(Regions odds, const Cost& cost, int first, int second,
                      const Eigen::VectorXd& log_weight) {
  const auto open = [&](int k) { return k >= 0 && log_weight[k] > kNegativeInfinity; };
  if (!open(first) || !open(second)) return {{}, {RowRule(cost).decide(log_weight)}, {}};
  for (double& cut : odds.cut) cut += log_weight[first] - log_weight[second];
  return odds;
}

RatioMethod::RatioMethod(const View& world, const Combinations& combinations, const View& rule,
                         const Cost& cost, const Context& context)
    : world_(world), rule_(rule), combinations_(combinations), cost_(cost), context_(context) {
  const std::vector<std::size_t> possible = classes_of(rule.prior);
  if (reads_numbers(rule)) {
    require(possible.size() <= 2, "more than two classes");
    if (possible.size() == 2) {
      first_ = static_cast<int>(possible[0]);
      second_ = static_cast<int>(possible[1]);
    }
  }
  if (second_ < 0) {
    law_.assign(world.prior.size(), QuadraticLaw({}));
    return;
  }
  const RatioForms ratio(world, rule, first_, second_);
  for (QuadraticForm& form : ratio.in_classes(world.prior, context)) {
    law_.emplace_back(std::move(form));
  }
}

RiskTable RatioMethod::risk(const Vector& world, const Vector& rule) const {
  const Matrix met = combination_joints(world_.with_prior(world), combinations_);
  const Matrix seen = combination_joints(rule_.with_prior(rule), combinations_);
  Regions odds;
  if (second_ >= 0) odds = odds_regions(cost_, first_, second_);
  constexpr Index kBatch = 16;
  const Index batches = (met.cols() + kBatch - 1) / kBatch;
  RiskTable total = RiskTable::none(met.rows(), cost_.actions());
  std::vector<RiskTable> parts(static_cast<std::size_t>(batches), total);
  context_.run(batches, [&](Index batch) {
    const Index end = std::min(met.cols(), (batch + 1) * kBatch);
    for (Index i = batch * kBatch; i < end; ++i) {
      context_.check();
      add(met.col(i), ratio_regions(odds, cost_, first_, second_, seen.col(i)),
          parts[static_cast<std::size_t>(batch)]);
    }
  });
  for (const RiskTable& part : parts) total += part;
  return total;
}

std::vector<std::size_t> RatioMethod::classes_of(const Vector& prior) {
  std::vector<std::size_t> result;
  for (std::size_t k = 0; k < prior.size(); ++k) {
    if (prior[k] > 0) result.push_back(k);
  }
  return result;
}

bool RatioMethod::reads_numbers(const View& rule) {
  const IntVector levels = feature_levels(rule.plan);
  return std::any_of(rule.feature.begin(), rule.feature.end(), [&](int own) {
    return own >= 0 && levels[static_cast<std::size_t>(own)] == 0;
  });
}

void RatioMethod::add(const Eigen::VectorXd& log_joint, const Regions& rule, RiskTable& to) const {
  for (Index k = 0; k < log_joint.size(); ++k) {
    if (!(log_joint[k] > kNegativeInfinity)) continue;
    const double weight = std::exp(log_joint[k]);
    law_[static_cast<std::size_t>(k)].regions(
        rule.cut, [&](std::size_t region, double probability, double error) {
          to.table(k, rule.decision[region]) += weight * probability;
          to.error(k, rule.decision[region]) += weight * error;
        });
  }
}

void NormalGroup::add_to(QuadraticForm& form) {
  const auto size = static_cast<Index>(place_.size());
  square_ = Matrix::Zero(size, size);
  linear_ = Eigen::VectorXd::Zero(size);
  for (const auto& [first, second] : believed_) {
    const Seen low = see(*first), high = see(*second);
    const double power = first->power;
    form.add_constant(power * 0.5 * (low.centre - high.centre).dot(low.centre + high.centre),
                      power * 0.5 * (low.centre.squaredNorm() + high.centre.squaredNorm()));
    if (first->factor == second->factor) {
      add_linear(low, *first, power * (low.centre - high.centre));
      continue;
    }
    form.add_constant(
        power * (half_log_determinant(first->factor) - half_log_determinant(second->factor)),
        power * (size_of_logs(first->factor) + size_of_logs(second->factor)));
    add(low, *first, 0.5 * power);
    add(high, *second, -0.5 * power);
    bends_ = true;
  }
  if (!bends_) return form.add(0, linear_.norm(), 0, linear_size_);
  // Each eigenvalue has the rounding error of the largest one, and of what it is a difference of.
  const Spectrum spectrum = spectrum_of(square_, linear_);
  const double error = std::max(spectrum.value.cwiseAbs().maxCoeff(), square_size_);
  for (Index i = 0; i < size; ++i) {
    form.add(spectrum.value[i], spectrum.part[i], error, linear_size_);
  }
}

NormalGroup::Seen NormalGroup::see(const NormalPart& part) const {
  Seen seen{Eigen::VectorXd(part.size()), {}, place_in_world(part)};
  if (seen.same < 0) {
    seen.columns =
        Matrix::Zero(simd::whole_vectors(static_cast<Index>(place_.size())), part.size());
  }
  Index begin = 0;
  for (const NormalPart* met : met_) {
    for (Index i = 0; i < part.size(); ++i) {
      const auto found = std::find(met->features.begin(), met->features.end(),
                                   part.features[static_cast<std::size_t>(i)]);
      if (found == met->features.end()) continue;
      const Index j = found - met->features.begin();
      seen.centre[i] = (met->mean[j] - part.mean[i]) + (met->mean_low[j] - part.mean_low[i]);
      if (seen.same < 0) seen.columns.col(i).segment(begin, met->size()) = met->factor.col(j);
    }
    begin += met->size();
  }
  part.factor.transpose().triangularView<Eigen::Lower>().solveInPlace(seen.centre);
  return seen;
}

Index NormalGroup::place_in_world(const NormalPart& part) const {
  Index begin = 0;
  for (const NormalPart* met : met_) {
    if (met->features == part.features && met->factor == part.factor) return begin;
    begin += met->size();
  }
  return -1;
}

void NormalGroup::add(const Seen& seen, const NormalPart& part, double weight) {
  add_linear(seen, part, 2 * weight * seen.centre);
  if (seen.same < 0) {
    const Index size = square_.rows();
    const Matrix product = products_of_quotient(seen.columns, part.factor);
    square_ += weight * product.topLeftCorner(size, size);
    square_size_ += std::abs(weight) * product.diagonal().maxCoeff();
  } else {
    square_.diagonal().segment(seen.same, part.size()).array() += weight;
    square_size_ += std::abs(weight);
  }
}

void NormalGroup::add_linear(const Seen& seen, const NormalPart& part,
                             const Eigen::VectorXd& along) {
  if (seen.same < 0) {
    const Eigen::VectorXd z = part.factor.triangularView<Eigen::Upper>().solve(along);
    const Eigen::VectorXd share = seen.columns.topRows(linear_.size()) * z;
    linear_ += share;
    linear_size_ += share.norm();
  } else {
    linear_.segment(seen.same, part.size()) += along;
    linear_size_ += along.norm();
  }
}

RatioForms::RatioForms(const View& world, const View& rule, int first, int second)
    : first_class_(static_cast<std::size_t>(first)),
      second_class_(static_cast<std::size_t>(second)),
      features_(world.feature.size()),
      first_(NormalParts(rule, seen_by(rule)).of_class(first, false)),
      second_(NormalParts(rule, seen_by(rule)).of_class(second, false)),
      world_(world, used(world.feature.size())) {}

std::vector<QuadraticForm> RatioForms::in_classes(const Vector& prior,
                                                  const Context& context) const {
  const std::size_t classes = prior.size();
  std::vector<std::vector<NormalPart>> met(classes);
  for (std::size_t k = 0; k < classes; ++k) {
    if (prior[k] > 0) met[k] = world_.of_class(static_cast<int>(k), true);
  }
  // The densities of the rule are those of the world, which are not tempered.
  const bool known = is_large() && met[first_class_] == first_ && met[second_class_] == second_;
  std::vector<QuadraticForm> forms(classes);
  context.run(static_cast<Index>(classes), [&](Index i) {
    const auto k = static_cast<std::size_t>(i);
    if (prior[k] > 0 && !(known && k == second_class_)) forms[k] = form(met[k]);
  });
  if (known) {
    const QuadraticForm& first = forms[first_class_];
    forms[second_class_] = first.tilts() ? first.tilted() : form(met[second_class_]);
  }
  return forms;
}

QuadraticForm RatioForms::form(const std::vector<NormalPart>& met) const {
  QuadraticForm result;
  for (NormalGroup& group : groups(met)) group.add_to(result);
  return result;
}

bool RatioForms::is_large() const {
  constexpr Index kLarge = 64;
  Index size = 0;
  for (const NormalPart& part : first_) size = std::max(size, part.size());
  return size >= kLarge;
}

std::vector<bool> RatioForms::seen_by(const View& rule) {
  std::vector<bool> seen;
  for (int own : rule.feature) seen.push_back(own >= 0);
  return seen;
}

std::vector<bool> RatioForms::used(std::size_t features) const {
  std::vector<bool> result(features);
  for (const NormalPart& part : first_) {
    for (int feature : part.features) result[static_cast<std::size_t>(feature)] = true;
  }
  return result;
}

std::vector<NormalGroup> RatioForms::groups(const std::vector<NormalPart>& met) const {
  std::vector<std::size_t> root(features_);
  std::iota(root.begin(), root.end(), std::size_t{0});
  const auto root_of = [&](int feature) {
    auto j = static_cast<std::size_t>(feature);
    while (root[j] != j) j = root[j] = root[root[j]];
    return j;
  };
  const auto unite = [&](const NormalPart& part) {
    for (int feature : part.features) root[root_of(feature)] = root_of(part.features[0]);
  };
  for (const NormalPart& part : met) unite(part);
  for (const NormalPart& part : first_) unite(part);
  std::vector<NormalGroup> result;
  std::vector<std::size_t> at(features_, features_);
  const auto group_of = [&](const NormalPart& part) -> NormalGroup& {
    std::size_t& place = at[root_of(part.features[0])];
    if (place == features_) {
      place = result.size();
      result.emplace_back();
    }
    return result[place];
  };
  for (const NormalPart& part : met) group_of(part).add_met(part);
  for (std::size_t i = 0; i < first_.size(); ++i) {
    group_of(first_[i]).add_believed(first_[i], second_[i]);
  }
  return result;
}

NormalParts::NormalParts(const View& view, std::vector<bool> wanted)
    : view_(view), wanted_(std::move(wanted)) {
  for (std::size_t j = 0; j < view.feature.size(); ++j) {
    const int own = view.feature[j];
    if (own < 0) continue;
    place_.resize(std::max(place_.size(), static_cast<std::size_t>(own) + 1), -1);
    place_[static_cast<std::size_t>(own)] = static_cast<int>(j);
  }
}

std::vector<NormalPart> NormalParts::of_class(int k, bool as_world) const {
  std::vector<NormalPart> parts;
  const std::vector<BlockMembers> blocks = blocks_of(view_.plan);
  for (std::size_t b = 0; b < blocks.size(); ++b) {
    const BlockMembers& block = blocks[b];
    NormalPart part;
    const NormalView p = view_.plan.banks[block.bank]->normals(view_.parameters[block.bank]);
    if (p.sd) {
      read(p, block, k, as_world, part, Matrix::Constant(1, 1, (*p.sd)(k, block.from)));
    } else if (p.is_block() && !p.components) {
      read(p, block, k, as_world, part, p.factor_of(k));
    }
    if (part.features.empty()) continue;
    const bool tempered = view_.tempering && !view_.tempering->power.empty();
    if (tempered) part.power = view_.tempering->power[b];
    parts.push_back(std::move(part));
  }
  return parts;
}

void NormalParts::read(const NormalView& p, const BlockMembers& block, int k, bool as_world,
                       NormalPart& part, const Matrix& factor) const {
  std::vector<Index> kept;
  for (int j = block.from; j < block.to; ++j) {
    const auto own = static_cast<std::size_t>((*p.features)[static_cast<std::size_t>(j)]);
    const int place = own < place_.size() ? place_[own] : -1;
    if (place < 0 || !wanted_[static_cast<std::size_t>(place)]) continue;
    if ((*p.left_out)[j] && !as_world) continue;
    part.features.push_back(place);
    kept.push_back(j);
  }
  const auto size = static_cast<Index>(kept.size());
  part.mean.resize(size);
  part.mean_low.resize(size);
  Matrix columns(factor.rows(), size);
  for (Index i = 0; i < size; ++i) {
    const Index j = kept[static_cast<std::size_t>(i)];
    part.mean[i] = (*p.mean)(k, j);
    part.mean_low[i] = (*p.mean_low)(k, j);
    columns.col(i) = factor.col(j - block.from);
    if ((*p.left_out)[j]) columns.col(i).setZero();
  }
  part.factor = size == factor.cols() ? std::move(columns) : triangle_of_rows(columns);
}

}  // namespace bayesrisk
