#pragma once

#include <engine/likelihood/bag_reader.hpp>
#include <engine/likelihood/bag_scorer.hpp>

#include <optional>

namespace bayesrisk {

// The presence of terms, independent given the class. Terms that are absent count, too.
struct Bernoulli {
  static constexpr const char* name = "bernoulli";

  using Plan = BagPlan<Bernoulli>;

  struct Options {
    double laplace = 1;

    template <class Self, class Visitor>
    static void fields(Self& self, Visitor& visit) {
      visit("laplace", self.laplace);
    }
    void check(const Plan&, int) const {
      require(std::isfinite(laplace) && laplace >= 0, "laplace: negative");
    }
  };

  struct Parameters {
    Matrix log_present, log_absent;  // class x term

    template <class Self, class Visitor>
    static void fields(Self& self, Visitor& visit) {
      visit("log_present", self.log_present);
      visit("log_absent", self.log_absent);
    }
    void check(const Plan& plan, int groups) const {
      require(has_shape(log_present, groups, plan.terms()) &&
                  has_shape(log_absent, groups, plan.terms()),
              "log_present, log_absent: wrong dimensions");
    }
    bool sound(int g) const {
      return (log_present.row(g).array() <= 0).all() && (log_absent.row(g).array() <= 0).all() &&
             (log_present.row(g).array().max(log_absent.row(g).array()) > -1).all();
    }
    // As if terms that no row of a class lacks might be absent.
    void require_none() {
      log_absent = (log_absent.array() == kNegativeInfinity).select(0, log_absent);
    }
  };

  struct Statistics : BagStatistics<Statistics> {
    Vector weight;   // of the rows
    Matrix present;  // weight of the rows with the term

    Statistics() = default;
    Statistics(const Plan& plan, int groups)
        : weight(groups, 0.0), present(Matrix::Zero(groups, plan.terms())) {}

    template <class Self, class Visitor>
    static void fields(Self& self, Visitor& visit) {
      visit("weight", self.weight);
      visit("present", self.present);
    }
    void check(const Plan& plan, int groups) const { require_bag(*this, groups, plan.terms()); }
    void collect(const Plan& plan, const BagPart& part, Diagnostics& diagnostics) {
      add_weights(part, weight);
      BagReader(plan, part, diagnostics).add_sums(Presence(), BagNumbers::finite, present);
    }
    void merge(const Plan&, const Statistics& other) {
      for (std::size_t g = 0; g < weight.size(); ++g) weight[g] += other.weight[g];
      present += other.present;
    }
    // Sums of weights in another order may differ in the last digits, so a small rest is none.
    double absent(int g, int t) const {
      constexpr double kRounding = 1e-12;
      const double rest = weight[g] - present(g, t);
      return rest < kRounding * weight[g] ? 0 : rest;
    }
  };

  static Parameters estimate(const Plan& plan, const Statistics& statistics, const Options& options,
                             const Classes& classes, Diagnostics&) {
    const Matrix open = Matrix::Constant(classes.count(), plan.terms(), kNaN);
    Parameters p{open, open};
    for (int t = 0; t < plan.terms(); ++t) {
      for (int g = 0; g < classes.count(); ++g) {
        if (!classes.has_rows(g)) continue;
        // All halved, because the doubled number may overflow.
        const double total = statistics.weight[g] / 2 + options.laplace;
        const double present = (statistics.present(g, t) + options.laplace) / 2;
        const double absent = (statistics.absent(g, t) + options.laplace) / 2;
        p.log_present(g, t) = std::min(std::log(present / total), 0.0);
        p.log_absent(g, t) = std::log(absent / total);
      }
    }
    return p;
  }

  static double log_likelihood(const Plan& plan, const Statistics& statistics,
                               const Parameters& parameters) {
    double total = 0;
    for (int t = 0; t < plan.terms(); ++t) {
      for (int g = 0; g < static_cast<int>(statistics.weight.size()); ++g) {
        total += times_log(statistics.present(g, t), parameters.log_present(g, t)) +
                 times_log(statistics.absent(g, t), parameters.log_absent(g, t));
      }
    }
    return total;
  }

  static double parameter_count(const Plan& plan, const Options&, const Parameters&, int classes) {
    return static_cast<double>(classes) * plan.terms();
  }

  class Scorer;
  using Drawer = BagDrawer<Bernoulli>;
};

// A term that no row of a class lacks is left out of the constant, which would be infinite.
struct BernoulliTerms {
  static constexpr int kParts = 1;
  static constexpr CellUse kUse = CellUse::presence;
  const Bernoulli::Parameters& of;
  Vector none;  // per class

  BernoulliTerms(const Bernoulli::Plan&, const Bernoulli::Parameters& parameters)
      : of(parameters), none(static_cast<std::size_t>(parameters.log_absent.rows()), 0.0) {
    for (Index t = 0; t < of.log_absent.cols(); ++t) {
      for (std::size_t k = 0; k < none.size(); ++k) {
        const double absent = of.log_absent(static_cast<Index>(k), t);
        if (absent != kNegativeInfinity) none[k] += absent;
      }
    }
  }
  BagNumbers numbers() const { return BagNumbers::finite; }
  double value(int, double x) const { return x != 0 ? 1 : 0; }
  void write(int, int term, int classes, double* to) const {
    const double *present = of.log_present.col(term).data(),
                 *absent = of.log_absent.col(term).data();
    for (int k = 0; k < classes; ++k) {
      to[k] = present[k] - (absent[k] == kNegativeInfinity ? 0 : absent[k]);
    }
  }
  double constant(int k) const { return none[k]; }
};

// How many of the terms that no row of a class lacks are absent, as a negative number.
struct RequiredTerms {
  static constexpr int kParts = 1;
  static constexpr CellUse kUse = CellUse::presence;
  const Matrix& log_absent;
  Vector required;  // per class

  RequiredTerms(const Bernoulli::Plan&, const Bernoulli::Parameters& parameters)
      : log_absent(parameters.log_absent), required(static_cast<std::size_t>(log_absent.rows())) {
    for (Index t = 0; t < log_absent.cols(); ++t) {
      for (Index k = 0; k < log_absent.rows(); ++k) required[k] += is_required(t, k);
    }
  }
  BagNumbers numbers() const { return BagNumbers::finite; }
  double value(int, double x) const { return x != 0 ? 1 : 0; }
  void write(int, int term, int classes, double* to) const {
    for (int k = 0; k < classes; ++k) to[k] = is_required(term, k);
  }
  double constant(int k) const { return -required[k]; }

 private:
  bool is_required(Index term, Index k) const { return log_absent(k, term) == kNegativeInfinity; }
};

class Bernoulli::Scorer {
 public:
  Scorer(const Plan& plan, const Parameters& parameters)
      : Scorer(plan, std::vector<const Parameters*>{&parameters}) {}
  Scorer(const Plan& plan, const std::vector<const Parameters*>& models) : scorer_(plan, models) {
    const auto requires_terms = [](const Parameters* p) {
      return (p->log_absent.array() == kNegativeInfinity).any();
    };
    if (std::any_of(models.begin(), models.end(), requires_terms)) required_.emplace(plan, models);
  }

  void add(const Frame& frame, int from, int to, Tile& tile) const {
    scorer_.add(frame, from, to, tile);
    if (!required_ || from >= to) return;
    LineVector score(tile.log_joint.size(), 0.0);
    const auto unknown = tile.unknown;
    score.swap(tile.log_joint);
    required_->add(frame, from, to, tile);
    score.swap(tile.log_joint);
    tile.unknown = unknown;
    for (int k = 0; k < tile.classes; ++k) {
      double* out = tile.of_class(k);
      const double* missing = score.data() + (out - tile.log_joint.data());
      for (int r = 0; r < tile.rows; ++r) {
        if (missing[r] < -0.5) out[r] = kNegativeInfinity;
      }
    }
  }

 private:
  BagScorer<BernoulliTerms> scorer_;
  std::optional<BagScorer<RequiredTerms>> required_;
};

}  // namespace bayesrisk
