#pragma once

#include <engine/likelihood/contract/class_overlap.hpp>
#include <engine/likelihood/contract/complete.hpp>
#include <engine/marginal/marginal.hpp>

namespace bayesrisk {

// The bank of a likelihood L, made of its parts, which complete.hpp lists. The .cpp file of each
// likelihood includes this file, and ends with BAYESRISK_LIKELIHOOD(L).

template <class Scorer>
class ScorerOf final : public BankScorer {
 public:
  template <class... State>
  explicit ScorerOf(const State&... state) : scorer_(state...) {}
  void add(const Frame& frame, int from, int to, Tile& tile) const override {
    scorer_.add(frame, from, to, tile);
  }

 private:
  Scorer scorer_;
};

// A scorer that has lookup tables is told the number of rows.
template <class Scorer, class... State>
std::unique_ptr<BankScorer> hold_scorer(Index rows, const State&... state) {
  if constexpr (std::is_constructible_v<Scorer, const State&..., Index>) {
    return std::make_unique<ScorerOf<Scorer>>(state..., rows);
  } else {
    return std::make_unique<ScorerOf<Scorer>>(state...);
  }
}

template <class Drawer>
class DrawerOf final : public BankDrawer {
 public:
  template <class... State>
  explicit DrawerOf(const State&... state) : drawer_(state...) {}
  int uniforms() const override { return drawer_.uniforms(); }
  void draw(int k, const double* uniform, Index row, DrawnRows& to) const override {
    drawer_.draw(k, uniform, row, to);
  }

 private:
  Drawer drawer_;
};

// Whether a part of a likelihood is there, and not an Unsupported.
template <class Part>
constexpr bool is_part = !std::is_same_v<std::decay_t<Part>, Unsupported>;

template <class L>
class Adapter final : public Bank {
  static_assert(CompleteLikelihood<L>::value);
  using Plan = typename L::Plan;
  using Options = typename L::Options;
  using Statistics = typename L::Statistics;
  using Parameters = typename L::Parameters;

 public:
  Adapter() = default;
  explicit Adapter(Plan plan) : plan_(std::move(plan)) {}
  std::unique_ptr<Bank> clone() const override { return std::make_unique<Adapter>(plan_); }
  const char* name() const override { return L::name; }

  Reads reads() const override {
    return reads_bag<Plan> ? Reads::bag : Plan::reads_codes ? Reads::codes : Reads::numbers;
  }
  const IntVector& features() const override { return plan_.features; }
  IntVector& features() override { return plan_.features; }
  const IntVector& levels() const override {
    if constexpr (bayesrisk::has_levels<Plan>) {
      return plan_.levels;
    } else {
      static const IntVector none;
      return none;
    }
  }
  int members() const override { return plan_.members(); }
  int blocks() const override { return plan_.blocks(); }
  void check() const override { plan_.check(); }
  void read(FieldReader& reader) const override { read_fields(plan_, reader); }
  void edit(FieldEditor& editor) override { edit_fields(plan_, editor); }
  const std::type_info& type() const override { return typeid(Plan); }
  void* address() override { return &plan_; }

  AnyOptions empty_options() const override { return Options{}; }
  AnyStatistics empty_statistics() const override { return Statistics{}; }
  AnyParameters empty_parameters() const override { return Parameters{}; }
  void check(const AnyOptions& options, int groups) const override {
    own(options).check(plan_, groups);
  }
  void check(const AnyStatistics& statistics, int groups) const override {
    own(statistics).check(plan_, groups);
  }
  void check(const AnyParameters& parameters, int groups) const override {
    own(parameters).check(plan_, groups);
  }
  void check(const Hyperparameters& hyperparameters, int groups) const override {
    hyperparameters.check(groups, blocks(), is_part<decltype(L::predictive)>);
  }

  AnyStatistics statistics(int groups) const override { return Statistics(plan_, groups); }
  void renew(AnyStatistics& statistics, int groups) const override {
    if constexpr (CompleteLikelihood<L>::template is_cleared<Statistics>()) {
      own(statistics).clear();
    } else {
      own(statistics) = Statistics(plan_, groups);
    }
  }
  void collect(AnyStatistics& statistics, const Frame& frame, const Chunk& chunk,
               Diagnostics& diagnostics) const override {
    if constexpr (!reads_bag<Plan>) own(statistics).collect(plan_, frame, chunk, diagnostics);
  }
  AnyStatistics collect_terms(const Frame& frame, const Chunk& rows, const Context& context,
                              Diagnostics& diagnostics) const override {
    if constexpr (reads_bag<Plan>) {
      return Statistics::collect_terms(plan_, frame, rows, context, diagnostics);
    } else {
      throw InvalidState("only a bag has terms");
    }
  }
  void merge(AnyStatistics& statistics, const AnyStatistics& other) const override {
    own(statistics).merge(plan_, own(other));
  }
  AnyStatistics of_groups(const AnyStatistics& statistics, int first, int count) const override {
    return Statistics(own(statistics).of_groups(plan_, first, count));
  }
  AnyStatistics realign(const AnyStatistics& statistics, const Bank& target,
                        const Mapping& mapping) const override {
    require(target.type() == typeid(Plan), "mapping: another bank");
    const auto& to = static_cast<const Adapter&>(target).plan_;
    return Statistics(own(statistics).realign(plan_, to, mapping));
  }
  bool has_scatter() const override { return is_part<decltype(L::scatter)>; }
  Scatter* scatter(AnyStatistics& statistics) const override {
    if constexpr (is_part<decltype(L::scatter)>) {
      return &L::scatter(own(statistics));
    } else {
      return nullptr;
    }
  }
  const Moments* moments(const AnyStatistics& statistics) const override {
    if constexpr (is_part<decltype(L::moments)>) {
      return &L::moments(own(statistics));
    } else {
      return nullptr;
    }
  }
  TableView table(const AnyStatistics& statistics) const override {
    if constexpr (is_part<decltype(L::table)>) {
      return L::table(plan_, own(statistics));
    } else {
      return {};
    }
  }
  int fewest_missing() const override {
    if constexpr (is_part<decltype(L::fewest_missing)>) {
      return L::fewest_missing(plan_);
    } else {
      return 0;
    }
  }
  void set_incomplete(AnyStatistics& statistics, const Vector& of_feature,
                      double rows) const override {
    if constexpr (is_part<decltype(L::fewest_missing)>) {
      own(statistics).set_incomplete(of_feature, rows);
    }
  }
  bool lends_spread() const override { return L::kLendsSpread; }
  void copy_group(const AnyStatistics& from, int group, AnyStatistics& to,
                  int place) const override {
    if constexpr (L::kLendsSpread) own(to).copy_group(own(from), group, place);
  }

  bool pools() const override {
    if constexpr (is_part<decltype(L::pools)>) {
      return L::pools(plan_);
    } else {
      return false;
    }
  }
  AnyStatistics with_cases(const AnyStatistics& statistics, const MergedBank& merged,
                           const AnyOptions& options, const Vector& cases) const override {
    require(static_cast<int>(cases.size()) == blocks(), "cases: wrong length");
    if (are_all(cases, 0)) return statistics;
    if (are_all(cases, kInfinity)) return merged.statistics;
    require(pools(), "cases: neither none nor all");
    if constexpr (is_part<decltype(L::pools)>) {
      return L::with_cases(plan_, own(statistics), own(merged), own(options), cases);
    } else {
      return statistics;
    }
  }
  AnyOptions options_with_cases(const AnyOptions& options, const Vector& cases) const override {
    if constexpr (is_part<decltype(L::pools)>) {
      return pools() ? L::options_with_cases(own(options), cases) : own(options);
    } else {
      return own(options);
    }
  }
  double log_marginal(const std::vector<const AnyStatistics*>& groups, const MergedBank& merged,
                      const AnyOptions& options, int block, double cases) const override {
    if constexpr (is_part<decltype(L::pools)>) {
      typename L::GroupPrior prior(plan_, own(merged), own(options), block, cases);
      double sum = 0;
      for (const AnyStatistics* group : groups) sum += prior.log_marginal(own(*group));
      return sum;
    } else {
      throw InvalidState("no marginal likelihood");
    }
  }

  AnyParameters estimate(const AnyStatistics& statistics, const AnyOptions& options,
                         const Classes& classes, Diagnostics& diagnostics) const override {
    return L::estimate(plan_, own(statistics), own(options), classes, diagnostics);
  }
  bool sound(const AnyParameters& parameters, int group) const override {
    return own(parameters).sound(group);
  }
  double log_likelihood(const AnyStatistics& statistics,
                        const AnyParameters& parameters) const override {
    return L::log_likelihood(plan_, own(statistics), own(parameters));
  }
  double parameter_count(const AnyOptions& options, const AnyParameters& parameters,
                         int classes) const override {
    return L::parameter_count(plan_, own(options), own(parameters), classes);
  }

  std::unique_ptr<BankScorer> scorer(const AnyParameters& parameters, Index rows) const override {
    return hold_scorer<typename L::Scorer>(rows, plan_, own(parameters));
  }
  std::unique_ptr<BankScorer> predictive_scorer(const AnyParameters& centre,
                                                const Hyperparameters& hyperparameters,
                                                Index rows) const override {
    if constexpr (is_part<decltype(L::predictive)>) {
      return L::predictive(plan_, own(centre), hyperparameters, rows);
    } else {
      return scorer(centre, rows);
    }
  }
  std::unique_ptr<BankScorer> scorer_of_models(
      const std::vector<const AnyParameters*>& models) const override {
    if constexpr (reads_bag<Plan>) {
      std::vector<const Parameters*> parameters;
      for (const AnyParameters* model : models) parameters.push_back(&own(*model));
      return std::make_unique<ScorerOf<typename L::Scorer>>(plan_, parameters);
    } else {
      throw InvalidState("only a bag is scored by several models");
    }
  }
  std::unique_ptr<BankDrawer> drawer(const AnyParameters& parameters) const override {
    return std::make_unique<DrawerOf<typename L::Drawer>>(plan_, own(parameters));
  }

  Marginal density(const AnyParameters& parameters, const Vector& prior, int member,
                   double origin) const override {
    if constexpr (bayesrisk::has_levels<Plan>) {
      throw InvalidState("a feature that is not numeric");
    } else {
      return density_of(
          prior, [&](int k) { return L::marginal(plan_, own(parameters), k, member, origin); });
    }
  }
  bool has_conditional() const override { return is_part<decltype(L::conditional)>; }
  Marginal conditional_density(const AnyParameters& parameters, const Vector& prior,
                               const Frame& frame, Index row, int member,
                               double origin) const override {
    if constexpr (is_part<decltype(L::conditional)>) {
      const auto known = L::known_members(plan_, frame, row, member);
      return density_of(prior, [&](int k) {
        return L::conditional(plan_, own(parameters), k, member, known, origin);
      });
    } else {
      return density(parameters, prior, member, origin);
    }
  }
  NormalView normals(const AnyParameters& parameters) const override {
    if constexpr (is_part<decltype(L::normals)>) {
      return L::normals(plan_, own(parameters));
    } else {
      return {};
    }
  }
  Index cells(const AnyParameters& parameters) const override {
    if constexpr (is_part<decltype(L::cells)>) {
      return L::cells(own(parameters));
    } else {
      return 0;
    }
  }
  void add_overlap(const AnyParameters& parameters, int one, int other,
                   Overlap& overlap) const override {
    add_class_overlap<L>(plan_, own(parameters), one, other, overlap);
  }
  std::unique_ptr<BankTilt> tilt(const AnyParameters& parameters, int i, int j) const override {
    if constexpr (is_part<decltype(L::tilt)>) {
      return L::tilt(plan_, own(parameters), i, j);
    } else {
      return nullptr;
    }
  }
  void prepare_for_terms(AnyParameters& parameters) const override {
    if constexpr (is_part<decltype(L::prepare_for_terms)>) L::prepare_for_terms(own(parameters));
  }

  AnyOptions unbiased(const AnyOptions& options) const override {
    if constexpr (is_part<decltype(L::unbiased)>) {
      return L::unbiased(own(options));
    } else {
      return options;
    }
  }
  Hyperparameters hyperparameters(const AnyStatistics& statistics, const AnyOptions& unbiased,
                                  const AnyParameters& centre, const Classes& classes,
                                  Diagnostics& diagnostics) const override {
    if constexpr (is_part<decltype(L::hyperparameters)>) {
      return L::hyperparameters(plan_, own(statistics), own(unbiased), own(centre), classes,
                                diagnostics);
    } else {
      return {};
    }
  }
  void draw_parameters(const Hyperparameters& hyperparameters, RandomLaws& random,
                       AnyParameters& parameters) const override {
    if constexpr (is_part<decltype(L::draw_parameters)>) {
      L::draw_parameters(plan_, hyperparameters, random, own(parameters));
    }
  }

 private:
  static const Options& own(const AnyOptions& options) { return options.as<Options>(); }
  static const Statistics& own(const AnyStatistics& state) { return state.as<Statistics>(); }
  static Statistics& own(AnyStatistics& state) { return state.as<Statistics>(); }
  static const Parameters& own(const AnyParameters& state) { return state.as<Parameters>(); }
  static Parameters& own(AnyParameters& state) { return state.as<Parameters>(); }
  static Merged<L> own(const MergedBank& merged) {
    return {own(merged.statistics), own(merged.parameters)};
  }
  static bool are_all(const Vector& cases, double value) {
    return std::all_of(cases.begin(), cases.end(), [&](double m) { return m == value; });
  }

  // The density of each class; `of_class` is called for classes of positive prior only.
  template <class OfClass>
  static Marginal density_of(const Vector& prior, const OfClass& of_class) {
    typename L::Marginal result;
    for (std::size_t k = 0; k < prior.size(); ++k) {
      result.classes.push_back(prior[k] == 0 ? result.unknown() : of_class(static_cast<int>(k)));
    }
    return result;
  }

  Plan plan_;
};

template <class L>
std::unique_ptr<Bank> empty_bank() {
  return std::make_unique<Adapter<L>>();
}

template <class Plan>
std::unique_ptr<Bank> bank_of(Plan plan) {
  return std::make_unique<Adapter<typename Plan::Likelihood>>(std::move(plan));
}

}  // namespace bayesrisk

#define BAYESRISK_LIKELIHOOD(L)                   \
  template std::unique_ptr<Bank> empty_bank<L>(); \
  template std::unique_ptr<Bank> bank_of(L::Plan plan);
