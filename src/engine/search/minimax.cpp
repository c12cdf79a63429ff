#include <engine/search/minimax.hpp>
#include <engine/search/rule_mixture.hpp>

namespace bayesrisk {

MinimaxSearch::MinimaxSearch(Index classes, ClassRisks risks, const Cost& cost,
                             const MinimaxOptions& options)
    : classes_(classes), risks_(std::move(risks)), options_(options), mixture_(classes) {
  lowest_ = cost.of.minCoeff();
  const Matrix finite = cost.of.array().isFinite().select(cost.of, lowest_);
  if (finite.maxCoeff() > lowest_) scale_ = finite.maxCoeff() - lowest_;
}

Minimax MinimaxSearch::find() {
  look_at(Eigen::VectorXd::Constant(classes_, 1.0 / static_cast<double>(classes_)));
  double smooth = kFirstPolish;
  for (int i = 0; i < kMostRules && best_.excess() > tolerance() && mixture_.solve(); ++i) {
    const double bound = lowest_ + scale_ * (mixture_.value() - 1);
    if (!(bound - best_.risk > tolerance())) break;
    if (bound - best_.risk < smooth * scale_) {
      polish();
      smooth *= kFirstPolish;
    }
    look_at(mixture_.prior());
  }
  return best_;
}

Minimax MinimaxSearch::look_at(const Eigen::VectorXd& prior) {
  Minimax seen{prior, risks_(prior.cwiseMax(kLeastPrior)), 0, tolerance()};
  seen.risk = prior.dot(seen.class_risk);
  if (!std::isfinite(seen.risk)) return best_ = seen;
  mixture_.add((seen.class_risk.array() - lowest_) / scale_ + 1);
  if (is_better(seen)) best_ = seen;
  return seen;
}

bool MinimaxSearch::is_better(const Minimax& seen) const {
  if (std::abs(seen.risk - best_.risk) > tolerance()) return seen.risk > best_.risk;
  const double excess = seen.excess() - best_.excess();
  return std::abs(excess) > tolerance() ? excess < 0 : seen.gap() < best_.gap();
}

void MinimaxSearch::polish() {
  constexpr double kLongest = 1;
  constexpr int kSteps = 20;
  Eigen::VectorXd start = best_.prior;
  const IntVector support = raise_small_priors(start);
  const auto size = static_cast<Index>(support.size()) - 1;
  if (size < 1) return;
  Eigen::VectorXd odds(size);
  for (Index i = 0; i < size; ++i) odds[i] = std::log(start[at(support, i + 1)]);
  odds.array() -= std::log(start[support[0]]);
  Eigen::VectorXd unequal = differences(odds, support);
  for (int step = 0; step < kSteps && unequal.cwiseAbs().maxCoeff() > 0.1 * tolerance(); ++step) {
    Eigen::VectorXd change = slopes(odds, unequal, support).fullPivLu().solve(-unequal);
    const double longest = change.cwiseAbs().maxCoeff();
    if (!std::isfinite(longest) || longest == 0) return;
    if (longest > kLongest) change *= kLongest / longest;
    const Eigen::VectorXd next = differences(odds + change, support);
    if (!(next.cwiseAbs().maxCoeff() < unequal.cwiseAbs().maxCoeff())) return;
    odds += change;
    unequal = next;
  }
}

IntVector MinimaxSearch::raise_small_priors(Eigen::VectorXd& prior) {
  constexpr double kSmall = 1e-6;
  IntVector support;
  for (Index k = 0; k < classes_; ++k) {
    if (prior[k] > kSmall) support.push_back(static_cast<int>(k));
  }
  for (Index k = 0; k < classes_; ++k) {
    if (prior[k] > kSmall) continue;
    double low = std::log(kLeastPrior), high = std::log(2 * kSmall);
    prior[k] = 0;
    if (!is_dear(prior, k, low)) continue;
    while (high - low > 0.1) {
      const double middle = 0.5 * (low + high);
      (is_dear(prior, k, middle) ? low : high) = middle;
    }
    prior[k] = std::exp(low);
    support.push_back(static_cast<int>(k));
  }
  return support;
}

bool MinimaxSearch::is_dear(Eigen::VectorXd prior, Index k, double log_prior) {
  prior[k] = std::exp(log_prior);
  const Minimax seen = look_at(prior / prior.sum());
  return seen.class_risk[k] > seen.risk;
}

Eigen::VectorXd MinimaxSearch::differences(const Eigen::VectorXd& odds, const IntVector& support) {
  Eigen::VectorXd prior = Eigen::VectorXd::Zero(classes_);
  const double largest = std::max(0.0, odds.maxCoeff());
  prior[support[0]] = std::exp(-largest);
  for (Index i = 0; i < odds.size(); ++i) {
    prior[at(support, i + 1)] = std::exp(odds[i] - largest);
  }
  const Eigen::VectorXd risk = look_at(prior / prior.sum()).class_risk;
  Eigen::VectorXd result(odds.size());
  for (Index i = 0; i < odds.size(); ++i) {
    result[i] = risk[at(support, i + 1)] - risk[support[0]];
  }
  return result;
}

Matrix MinimaxSearch::slopes(const Eigen::VectorXd& odds, const Eigen::VectorXd& now,
                             const IntVector& support) {
  Matrix result(odds.size(), odds.size());
  for (Index i = 0; i < odds.size(); ++i) {
    Eigen::VectorXd moved = odds;
    moved[i] += options_.step;
    result.col(i) = (differences(moved, support) - now) / options_.step;
  }
  return result;
}

bool RuleMixture::solve() {
  constexpr int kMostPivots = 10000;
  for (int pivot = 0; pivot < kMostPivots; ++pivot) {
    factor_ = basis_matrix().fullPivLu();
    if (!factor_.isInvertible()) return false;
    price_ = factor_.transpose().solve(basis_gain());
    const Index entering = best_column();
    if (entering == kNone) return price_.sum() > 0;
    if (!enter(entering)) return false;
  }
  return false;
}

Matrix RuleMixture::basis_matrix() const {
  Matrix result(classes_, classes_);
  for (Index i = 0; i < classes_; ++i) result.col(i) = column(basis_[static_cast<std::size_t>(i)]);
  return result;
}

Eigen::VectorXd RuleMixture::basis_gain() const {
  Eigen::VectorXd result(classes_);
  for (Index i = 0; i < classes_; ++i) result[i] = gain(basis_[static_cast<std::size_t>(i)]);
  return result;
}

Index RuleMixture::best_column() const {
  Index best = kNone;
  double most = kZero;
  for (Index j = -classes_; j < static_cast<Index>(rules_.size()); ++j) {
    if (std::find(basis_.begin(), basis_.end(), j) != basis_.end()) continue;
    const double reduced = gain(j) - price_.dot(column(j));
    if (reduced > most) {
      most = reduced;
      best = j;
    }
  }
  return best;
}

bool RuleMixture::enter(Index entering) {
  const Eigen::VectorXd now = factor_.solve(Eigen::VectorXd::Ones(classes_));
  const Eigen::VectorXd change = factor_.solve(column(entering));
  Index leaving = -1;
  double least = std::numeric_limits<double>::infinity();
  for (Index i = 0; i < classes_; ++i) {
    if (change[i] <= kZero) continue;
    const double ratio = std::max(0.0, now[i]) / change[i];
    if (ratio < least) {
      least = ratio;
      leaving = i;
    }
  }
  if (leaving < 0) return false;
  basis_[static_cast<std::size_t>(leaving)] = entering;
  return true;
}

double best_margin(const Matrix& others, const Eigen::VectorXd& own) {
  constexpr double kInfinite = std::numeric_limits<double>::infinity();
  std::vector<Index> classes, rivals;
  for (Index k = 0; k < own.size(); ++k) {
    if (own[k] < kInfinite) classes.push_back(k);
  }
  if (others.rows() > 0 && classes.empty()) return 0;
  const auto gain = [&](Index rival, Index k) { return others(rival, k) - own[k]; };
  Eigen::VectorXd unit = Eigen::VectorXd::Zero(own.size());
  for (Index a = 0; a < others.rows(); ++a) {
    const bool finite = std::all_of(classes.begin(), classes.end(),
                                    [&](Index k) { return gain(a, k) < kInfinite; });
    if (!finite) continue;
    rivals.push_back(a);
    for (Index k : classes) unit[k] = std::max(unit[k], std::abs(gain(a, k)));
  }
  if (rivals.empty()) return kInfinite;
  // The gains are in their units from -1 to 1; the payoffs of the game must be positive.
  constexpr double kShift = 2;
  RuleMixture game(static_cast<Index>(classes.size()));
  for (Index a : rivals) {
    Eigen::VectorXd payoff(static_cast<Index>(classes.size()));
    for (Index i = 0; i < payoff.size(); ++i) {
      const Index k = classes[static_cast<std::size_t>(i)];
      payoff[i] = kShift + (unit[k] > 0 ? gain(a, k) / unit[k] : 0.0);
    }
    game.add(payoff);
  }
  if (!game.solve()) return kInfinite;
  const double margin = game.value() - kShift;
  return std::abs(margin) <= 1e-12 ? 0 : margin;
}

Minimax search_minimax(const ClassRisks& risks, const IntVector& classes, const Cost& cost,
                       const MinimaxOptions& options) {
  Minimax found = MinimaxSearch(static_cast<Index>(classes.size()), risks, cost, options).find();
  for (std::size_t i = 0; i < classes.size(); ++i) {
    const bool guarded = cost.of.col(classes[i]).array().isInf().any();
    double& prior = found.prior[static_cast<Index>(i)];
    if (guarded) prior = std::max(prior, MinimaxSearch::kLeastPrior);
  }
  return found;
}

Minimax find_minimax(const RiskMethod& method, const IntVector& classes, const Cost& cost,
                     double error) {
  const EvenClasses even(static_cast<std::size_t>(cost.of.cols()), classes);
  const MinimaxOptions options = error > 0 ? MinimaxOptions{10 * error, 1e-4} : MinimaxOptions{};
  return search_minimax(MethodClassRisks(method, even, cost), classes, cost, options);
}

Minimax find_minimax(const View& world, const IntVector& classes, const Cost& cost,
                     std::uint64_t seed, const Context& context) {
  const SampledClassRisks risks(world, classes, cost, seed, context);
  Minimax found = search_minimax(std::cref(risks), classes, cost, {1e-8, 0.05});
  found.accuracy = risks.standard_error(found.prior);
  return found;
}

}  // namespace bayesrisk
