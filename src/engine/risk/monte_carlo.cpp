#include <engine/risk/bounds.hpp>
#include <engine/risk/monte_carlo.hpp>
#include <engine/risk/proposal.hpp>

namespace bayesrisk {

Proposal::Proposal(const View& world, const Cost& cost, const Context& context)
    : prior_(world.prior), plan_(world.plan), parameters_(world.parameters) {
  const auto classes = static_cast<Index>(prior_.size());
  for (Index k = 0; k < classes; ++k) {
    density_prior_.push_back(prior_[static_cast<std::size_t>(k)] > 0 ? 1 : 0);
    if (density_prior_.back() > 0) densities_.push_back(static_cast<int>(k));
  }
  read_regrets(cost);
  if (!cost.of.allFinite()) return;
  find_pairs(world, cost, context);
  find_bounds();
  choose_pairs();
  add_densities(world);
}

double Proposal::unseen(double rows, bool best) const {
  const auto count = static_cast<double>(densities_.size());
  const double of_any = worst_.maxCoeff() * count / rows;
  if (!best || bound_.size() == 0) return of_any;
  const Matrix unseen = bound_.cwiseMin(weight_ * (count / rows));
  return std::min(of_any, unseen.rowwise().sum().maxCoeff());
}

void Proposal::read_regrets(const Cost& cost) {
  const Matrix finite = cost.of.array().isFinite().select(cost.of, 0.0);
  const auto classes = finite.cols();
  const Eigen::RowVectorXd least = finite.colwise().minCoeff();
  const Matrix regret = finite.rowwise() - least;
  worst_ = regret.colwise().maxCoeff().transpose();
  share_ = Matrix::Zero(classes, classes);
  for (Index i = 0; i < classes; ++i) {
    Index best;
    finite.col(i).minCoeff(&best);
    for (Index k = 0; k < classes; ++k) {
      if (worst_[k] > 0) share_(i, k) = regret(best, k) / worst_[k];
    }
  }
  worst_.array() *= Eigen::Map<const Eigen::ArrayXd>(prior_.data(), classes);
}

bool Proposal::is_small() const {
  double cells = 0;
  for (std::size_t b = 0; b < parameters_.size(); ++b) {
    cells += static_cast<double>(plan_.banks[b]->cells(parameters_[b]));
  }
  const auto classes = static_cast<double>(densities_.size());
  return 0.5 * classes * classes * cells <= kMostCells;
}

void Proposal::find_pairs(const View& world, const Cost& cost, const Context& context) {
  const std::size_t classes = densities_.size();
  if (!is_small()) return;
  std::vector<std::vector<Pair>> of_class(classes);
  context.run(static_cast<Index>(classes), [&](Index place) {
    const auto first = static_cast<std::size_t>(place);
    for (std::size_t other = first + 1; other < classes; ++other) {
      context.check();
      const int i = densities_[first], j = densities_[other];
      if (!matters(i, j)) continue;
      const std::vector<AnyTilt> tilts = tilts_of(world, i, j);
      if (!tilts.empty()) of_class[first].push_back(find_pair(tilts, cost, i, j));
    }
  });
  for (const std::vector<Pair>& of : of_class) pairs_.insert(pairs_.end(), of.begin(), of.end());
}

std::vector<AnyTilt> Proposal::tilts_of(const View& world, int i, int j) {
  std::vector<AnyTilt> tilts;
  for (std::size_t b = 0; b < world.plan.banks.size(); ++b) {
    tilts.push_back(world.plan.banks[b]->tilt(world.parameters[b], i, j));
    if (!tilts.back()) return {};
  }
  return tilts;
}

Proposal::Pair Proposal::find_pair(const std::vector<AnyTilt>& tilts, const Cost& cost, int i,
                                   int j) const {
  const double log_i = std::log(worst_[i]), log_j = std::log(worst_[j]);
  const double log_odds =
      std::log(prior_[static_cast<std::size_t>(j)]) - std::log(prior_[static_cast<std::size_t>(i)]);
  const auto log_normaliser = [&](double s) {
    double total = 0;
    for (const AnyTilt& tilt : tilts) total += tilt->log_normaliser(s);
    return total;
  };
  const double least = std::min(log_i, log_j);
  Pair pair{i, j, {}, least};
  for (double cut : odds_regions(cost, i, j).cut) {
    const double at = cut - log_odds;
    const double s =
        std::clamp(least_on_unit_interval([&](double t) { return log_normaliser(t) - t * at; }),
                   kInside, 1 - kInside);
    const double bound = (1 - s) * log_i + s * log_j + log_normaliser(s);
    // Near an end it is the class itself, unless values are impossible in the other class.
    const bool inside = s > kInside && s < 1 - kInside;
    if (inside || bound < least + std::log(kRare)) pair.tilt.push_back(s);
    pair.log_bound = std::min(pair.log_bound, bound);
  }
  return pair;
}

void Proposal::choose_pairs() {
  if (pairs_.empty()) return;
  std::stable_sort(pairs_.begin(), pairs_.end(),
                   [&](const Pair& a, const Pair& b) { return importance(a) > importance(b); });
  const double least = kNegligible * importance(pairs_[0]);
  std::size_t tilts = 0;
  for (Pair& pair : pairs_) {
    if (!(importance(pair) > least) || tilts + pair.tilt.size() > kMostTilts) break;
    pair.drawn = share_of_least(pair) < kRare;
    if (pair.drawn) tilts += pair.tilt.size();
  }
  const double errors = bound_.rowwise().sum().maxCoeff() / least_of(pairs_[0]);
  const auto classes = static_cast<double>(densities_.size());
  const bool too_many = errors * (1 + static_cast<double>(tilts) / classes) > kMostErrors;
  for (Pair& pair : pairs_) {
    if (too_many) pair.drawn = false;
    if (pair.drawn) mark_drawn(pair);
  }
}

void Proposal::mark_drawn(const Pair& pair) {
  plan_.groups += static_cast<int>(pair.tilt.size());
  weight_(pair.i, pair.j) = bound_(pair.i, pair.j);
  weight_(pair.j, pair.i) = bound_(pair.j, pair.i);
}

void Proposal::add_densities(const View& world) {
  int next = world.plan.groups;
  density_prior_.resize(static_cast<std::size_t>(plan_.groups), 1);
  for (const Pair& pair : pairs_) {
    if (!pair.drawn) continue;
    const std::vector<AnyTilt> tilts = tilts_of(world, pair.i, pair.j);
    for (double s : pair.tilt) {
      for (std::size_t b = 0; b < tilts.size(); ++b) {
        if (next == world.plan.groups) resize_classes(parameters_[b], plan_.groups);
        tilts[b]->write(s, parameters_[b], next);
      }
      densities_.push_back(next++);
    }
  }
}

void Proposal::find_bounds() {
  const Index classes = worst_.size();
  weight_ = share_;
  for (Index i = 0; i < classes; ++i) {
    weight_.row(i).array() *= worst_.array().min(worst_[i]).transpose();
    weight_(i, i) = 0;
  }
  bound_ = weight_;
  for (const Pair& pair : pairs_) {
    for (const auto& [i, k] : {std::pair(pair.i, pair.j), std::pair(pair.j, pair.i)}) {
      bound_(i, k) = share_(i, k) * std::exp(pair.log_bound);
    }
  }
}

Matrix score_log_joint(const Scorer& scorer, const Frame& frame) {
  Matrix result(frame.rows, scorer.classes());
  Request request;
  request.output = Output::log_joint;
  request.numbers = result.data();
  score(scorer, frame, request, Context());
  return result;
}

void decide_rows(const Matrix& log_joint, const Cost& cost, int* decisions) {
  RowRule rule(cost);
  for (Index r = 0; r < log_joint.rows(); ++r) {
    decisions[r] = rule.decide(log_joint.row(r).transpose());
  }
}

ModelDecisions::ModelDecisions(const View& view, const Cost& cost)
    : view_(view),
      cost_(cost),
      levels_(feature_levels(view.plan)),
      scorer_(view.plan, view.parameters, view.prior, MonteCarloOptions().most_rows,
              tempering_of(view)) {}

void ModelDecisions::decide(const Frame& rows, const Matrix&, int* decisions) const {
  const IntVector missing(static_cast<std::size_t>(rows.rows), kMissingInteger);
  Frame seen;
  seen.rows = rows.rows;
  for (int levels : levels_) seen.columns.push_back({nullptr, missing.data(), 0, levels, nullptr});
  for (std::size_t j = 0; j < view_.feature.size(); ++j) {
    if (view_.feature[j] < 0) continue;
    Column& column = seen.columns[static_cast<std::size_t>(view_.feature[j])];
    column = rows.columns[j];
    if (column.integer) column.remap = view_.level[j].data();
  }
  decide_rows(score_log_joint(scorer_, seen), cost_, decisions);
}

MonteCarlo::MonteCarlo(const View& world, const std::vector<const RowDecisions*>& rules,
                       const Cost& cost, const MonteCarloOptions& options, const Context& context)
    : rules_(rules),
      weight_(cost.of.array().isFinite().select(cost.of, 0.0).transpose()),
      options_(options),
      context_(context),
      prior_(world.prior),
      log_prior_(world.log_prior()),
      proposal_(world, cost, context),
      densities_(static_cast<Index>(proposal_.densities().size())),
      drawer_(proposal_.plan(), proposal_.parameters()),
      scorer_(proposal_.plan(), proposal_.parameters(), proposal_.prior(), options.most_rows) {
  for (Index n = 0; n < kShifts * densities_; ++n) {
    lattices_.emplace_back(drawer_.uniforms(), options.seed, static_cast<std::uint64_t>(n));
  }
  sums_.assign(rules.size() * kShifts, Matrix::Zero(weight_.rows(), weight_.cols()));
}

MonteCarloRisk MonteCarlo::run() {
  const Index rows_per_point = kShifts * densities_;
  Index points = kMostFirst;
  const Index first = std::min(options_.most_rows, kMostFirstRows);
  while (points > kFewestFirst && points * rows_per_point > first) points /= 2;
  const Index most = options_.most_rows / rows_per_point;
  Index expected = tasks(points);
  for (Index more = points; 2 * more <= most; more *= 2) expected += tasks(more);
  context_.expect(expected);
  extend(0, points);
  while (!is_close(points) && 2 * points <= most) {
    extend(points, 2 * points);
    points *= 2;
  }
  MonteCarloRisk result;
  for (std::size_t r = 0; r < rules_.size(); ++r) {
    const RuleRisk found = risk(r, points);
    result.table.push_back(found.table);
    result.error.push_back(found.error);
  }
  result.rows = points * rows_per_point;
  return result;
}

Index MonteCarlo::task_points(Index points) const {
  const Index width = drawer_.uniforms() + proposal_.plan().groups + 1;
  const Index fitting = (Index{1} << 21) / (width * densities_);
  Index size = 16;
  while (2 * size <= std::min<Index>({fitting, 4096, points})) size *= 2;
  return size;
}

void MonteCarlo::extend(Index begin, Index end) {
  const Index size = task_points(end - begin), runs = (end - begin) / size;
  std::vector<std::vector<Matrix>> parts(static_cast<std::size_t>(runs * kShifts));
  context_.run(runs * kShifts, [&](Index task) {
    parts[static_cast<std::size_t>(task)] =
        sum_points(task / runs, begin + task % runs * size, size);
  });
  for (std::size_t task = 0; task < parts.size(); ++task) {
    for (std::size_t r = 0; r < rules_.size(); ++r) {
      sums_[r * kShifts + task / static_cast<std::size_t>(runs)] += parts[task][r];
    }
  }
}

DrawnRows MonteCarlo::draw(Index shift, Index begin, Index count) const {
  DrawnRows rows(drawer_.levels(), densities_ * count);
  Vector u(static_cast<std::size_t>(drawer_.uniforms()));
  for (Index d = 0; d < densities_; ++d) {
    const ShiftedLattice& lattice = lattices_[static_cast<std::size_t>(shift * densities_ + d)];
    for (Index i = 0; i < count; ++i) {
      lattice.point(static_cast<std::uint64_t>(begin + i), u.data());
      drawer_.draw(proposal_.densities()[static_cast<std::size_t>(d)], u.data(), d * count + i,
                   rows);
    }
  }
  return rows;
}

std::vector<Matrix> MonteCarlo::sum_points(Index shift, Index begin, Index count) const {
  const DrawnRows rows = draw(shift, begin, count);
  const Frame frame = rows.frame();
  Matrix joint = score_log_joint(scorer_, frame);
  const Eigen::VectorXd log_total = log_sum_of_rows(joint);
  joint.conservativeResize(Eigen::NoChange, weight_.rows());
  for (Index k = 0; k < joint.cols(); ++k) {
    joint.col(k).array() += log_prior_[static_cast<std::size_t>(k)];
  }
  std::vector<IntVector> decisions(rules_.size(), IntVector(frame.rows));
  for (std::size_t r = 0; r < rules_.size(); ++r) {
    rules_[r]->decide(frame, joint, decisions[r].data());
  }
  joint.colwise() -= log_total;
  joint = joint.array().exp();
  std::vector<Matrix> tables(rules_.size(), Matrix::Zero(weight_.rows(), weight_.cols()));
  for (std::size_t r = 0; r < rules_.size(); ++r) {
    for (Index i = 0; i < frame.rows; ++i) {
      tables[r].col(decisions[r][i]) += joint.row(i).transpose();
    }
  }
  return tables;
}

bool MonteCarlo::is_close(Index points) const {
  for (std::size_t r = 0; r < rules_.size(); ++r) {
    const RuleRisk found = risk(r, points);
    if (found.error > options_.tolerance) return false;
    if (rules_[r]->best() && found.error > options_.relative * std::abs(found.cost)) return false;
  }
  return true;
}

MonteCarlo::RuleRisk MonteCarlo::risk(std::size_t rule, Index points) const {
  Matrix table = Matrix::Zero(weight_.rows(), weight_.cols());
  for (int s = 0; s < kShifts; ++s) table += sums_[rule * kShifts + s];
  const Eigen::VectorXd found = table.rowwise().sum();
  Eigen::VectorXd scale(found.size());
  for (Index k = 0; k < scale.size(); ++k) {
    scale[k] = found[k] > 0 ? prior_[static_cast<std::size_t>(k)] / found[k] : 0;
  }
  table = scale.asDiagonal() * table;
  const Eigen::VectorXd of_class = table.cwiseProduct(weight_).rowwise().sum();
  // The sum of a class counts only as far as its cost differs from the mean.
  const Eigen::VectorXd mean = of_class.cwiseQuotient(table.rowwise().sum().cwiseMax(1e-300));
  // In units of the largest cost, so that no square overflows or underflows.
  const double unit = std::max(weight_.cwiseAbs().maxCoeff(), kLeastUnit);
  Eigen::ArrayXd cost(kShifts);
  for (int s = 0; s < kShifts; ++s) {
    const Matrix& sums = sums_[rule * kShifts + s];
    const Eigen::VectorXd rest =
        sums.cwiseProduct(weight_).rowwise().sum() - sums.rowwise().sum().cwiseProduct(mean);
    cost[s] = kShifts * (rest / unit).dot(scale);
  }
  const double scatter =
      unit * std::sqrt((cost - cost.mean()).square().sum() / (kShifts - 1.0) / kShifts);
  const double rows = static_cast<double>(points * kShifts * densities_);
  const double unseen = proposal_.unseen(rows, rules_[rule]->best());
  return {table, of_class.sum(), std::max(scatter, unseen)};
}

ShiftedLattice::ShiftedLattice(int dimension, std::uint64_t seed, std::uint64_t stream)
    : dimension_(dimension) {
  CounterRandom random(seed, stream);
  key_ = random.bits();
  std::uint64_t power = 1;
  for (int j = 0; j < std::min(dimension, kLattice); ++j) {
    multiplier_.push_back(power);
    shift_.push_back(random.bits());
    power *= kMultiplier;
  }
}

void ShiftedLattice::point(std::uint64_t i, double* u) const {
  const std::uint64_t place = reversed(i);
  const auto lattice = static_cast<int>(shift_.size());
  for (int j = 0; j < lattice; ++j) {
    const double x = open_unit(place * multiplier_[j] + shift_[j]);
    u[j] = 1 - std::abs(2 * x - 1);
  }
  CounterRandom random(key_, i);
  for (int j = lattice; j < dimension_; ++j) u[j] = open_unit(random.bits());
}

std::uint64_t ShiftedLattice::reversed(std::uint64_t i) {
  std::uint64_t result = 0;
  for (int bit = 63; i != 0; --bit, i >>= 1) result |= (i & 1) << bit;
  return result;
}

Overlap compare_classes(const ModelPlan& plan, const std::vector<AnyParameters>& banks) {
  require(plan.groups == 2, "bounds: not two classes");
  Overlap overlap;
  for (std::size_t b = 0; b < banks.size(); ++b) {
    plan.banks[b]->add_overlap(banks[b], 0, 1, overlap);
  }
  return overlap;
}

RiskBounds bound_risk(const Overlap& overlap, double first, double second) {
  RiskBounds bounds;
  const double product = first * second;
  bounds.mahalanobis = 2 * product / (1 + product * overlap.squared_distance(first));
  const auto log_chernoff = [&](double s) {
    return s * std::log(first) + (1 - s) * std::log(second) + overlap.log_at(s);
  };
  bounds.bhattacharyya = std::exp(log_chernoff(0.5));
  bounds.exponent = least_on_unit_interval(log_chernoff);
  bounds.chernoff = std::exp(log_chernoff(bounds.exponent));
  const double overlapping = 4 * bounds.bhattacharyya * bounds.bhattacharyya;
  bounds.lower = 0.5 * overlapping / (1 + std::sqrt(std::max(0.0, 1 - overlapping)));
  return bounds;
}

}  // namespace bayesrisk
