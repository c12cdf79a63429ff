#pragma once

#include <engine/charge/bounds.hpp>
#include <engine/charge/ratio_risk.hpp>
#include <engine/charge/tilt.hpp>
#include <engine/core/context.hpp>

namespace bayesrisk {

// The densities from which rows are drawn for the risks of a world: its classes, and between two
// classes the tilted density that is centred where the best rule changes its action. If errors are
// rare, they lie there. All have the same share of the rows. A row counts for each class with the
// density of the class divided by the mixture of all (the balance heuristic: Veach and Guibas 1995;
// Owen and Zhou 2000, J. Amer. Statist. Assoc. 95, 135-143). The mixture is a model whose classes
// are the densities.
//
// The regret of the best rule has a bound. Let v_k be the prior of class k times its largest
// regret, and i the class with the largest v_k p_k. The action that is best for i costs at most the
// sum over k of v_k p_k. Each term is at most (v_i p_i)^(1 - s) (v_k p_k)^s, whose integral is
// Chernoff's bound.
class Proposal {
 public:
  Proposal(const View& world, const Cost& cost, const Context& context)
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

  const ModelPlan& plan() const { return plan_; }
  const std::vector<AnyParameters>& parameters() const { return parameters_; }
  // 1 for each density that is drawn.
  const Vector& prior() const { return density_prior_; }
  const IntVector& densities() const { return densities_; }

  // The share of the cost that `rows` rows can miss: that of an event that one row would represent,
  // and that of pairs without a tilted density. `best`: of the best rule, otherwise of any rule.
  double unseen(double rows, bool best) const {
    const auto count = static_cast<double>(densities_.size());
    const double of_any = worst_.maxCoeff() * count / rows;
    if (!best || bound_.size() == 0) return of_any;
    const Matrix unseen = bound_.cwiseMin(weight_ * (count / rows));
    return std::min(of_any, unseen.rowwise().sum().maxCoeff());
  }

 private:
  static constexpr std::size_t kMostTilts = 128;
  static constexpr double kMostCells = 2e5, kRare = 0.7, kMostErrors = 2, kNegligible = 1e-5,
                          kInside = 1e-3;

  // The densities between two classes, one for each cut of the log ratio; `log_bound` is that of
  // the product of v_i^(1 - s), v_j^s and the normaliser.
  struct Pair {
    int i, j;
    Vector tilt;
    double log_bound;
    bool drawn = false;
  };

  // What the action that is best for class i costs more than the one that is best for class k, in
  // class k.
  void read_regrets(const Cost& cost) {
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

  bool matters(int i, int j) const {
    return std::min(worst_[i], worst_[j]) > 0 && (share_(i, j) > 0 || share_(j, i) > 0);
  }

  // A table has as many terms as cells. Many pairs of large tables would take more time than rows.
  bool is_small() const {
    double cells = 0;
    for (const AnyParameters& bank : parameters_) {
      std::visit([&](const auto& p) { cells += static_cast<double>(cells_of(p, 0)); }, bank);
    }
    const auto classes = static_cast<double>(densities_.size());
    return 0.5 * classes * classes * cells <= kMostCells;
  }
  template <class Parameters>
  static auto cells_of(const Parameters& p, int) -> decltype(p.log_probability.cols()) {
    return p.log_probability.cols();
  }
  template <class Parameters>
  static Index cells_of(const Parameters&, long) {
    return 0;  // no table: the call with an int prefers the function above where it exists
  }

  void find_pairs(const View& world, const Cost& cost, const Context& context) {
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

  // None if a bank has no tilted density.
  static std::vector<AnyTilt> tilts_of(const View& world, int i, int j) {
    std::vector<AnyTilt> tilts;
    for (std::size_t b = 0; b < world.plan.banks.size(); ++b) {
      tilts.push_back(std::visit(
          [&](const auto& plan) {
            using Parameters = typename LikelihoodOf<decltype(plan)>::Parameters;
            return tilt_of_bank(plan, std::get<Parameters>(world.parameters[b]), i, j);
          },
          world.plan.banks[b]));
      if (!tilts.back()) return {};
    }
    return tilts;
  }

  Pair find_pair(const std::vector<AnyTilt>& tilts, const Cost& cost, int i, int j) const {
    const double log_i = std::log(worst_[i]), log_j = std::log(worst_[j]);
    const double log_odds = std::log(prior_[static_cast<std::size_t>(j)]) -
                            std::log(prior_[static_cast<std::size_t>(i)]);
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

  double importance(const Pair& pair) const {
    return std::max(share_(pair.i, pair.j), share_(pair.j, pair.i)) * std::exp(pair.log_bound);
  }

  double least_of(const Pair& pair) const { return std::min(worst_[pair.i], worst_[pair.j]); }

  // The rows of the classes themselves find errors of which this is large.
  double share_of_least(const Pair& pair) const {
    return std::exp(pair.log_bound) / least_of(pair);
  }

  // The pairs that matter for the risk. More densities take more time, so they are drawn only if
  // errors are rare enough.
  void choose_pairs() {
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

  void mark_drawn(const Pair& pair) {
    plan_.groups += static_cast<int>(pair.tilt.size());
    weight_(pair.i, pair.j) = bound_(pair.i, pair.j);
    weight_(pair.j, pair.i) = bound_(pair.j, pair.i);
  }

  void add_densities(const View& world) {
    int next = world.plan.groups;
    density_prior_.resize(static_cast<std::size_t>(plan_.groups), 1);
    for (const Pair& pair : pairs_) {
      if (!pair.drawn) continue;
      const std::vector<AnyTilt> tilts = tilts_of(world, pair.i, pair.j);
      for (double s : pair.tilt) {
        for (std::size_t b = 0; b < tilts.size(); ++b) {
          if (next == world.plan.groups) tilts[b]->resize(parameters_[b], plan_.groups);
          tilts[b]->write(s, parameters_[b], next);
        }
        densities_.push_back(next++);
      }
    }
  }

  void find_bounds() {
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

  const Vector& prior_;
  ModelPlan plan_;
  std::vector<AnyParameters> parameters_;
  Vector density_prior_;
  IntVector densities_;
  Eigen::VectorXd worst_;  // v of each class
  // Of the best action of a class (rows) in another class: its regret as a share of the largest
  // one, a bound of its cost, and a bound of the cost of one row, if all rows came from one
  // density.
  Matrix share_, bound_, weight_;
  std::vector<Pair> pairs_;
};

}  // namespace bayesrisk
