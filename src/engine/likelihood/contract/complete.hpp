#pragma once

#include <engine/core/diagnostics.hpp>
#include <engine/data/drawn_rows.hpp>
#include <engine/data/mapping.hpp>
#include <engine/data/rows.hpp>
#include <engine/data/tile.hpp>
#include <engine/likelihood/contract/parts.hpp>
#include <engine/marginal/complete.hpp>

namespace bayesrisk {

// A likelihood L is a struct with the parts below. A bank is a set of features that share one
// L::Plan. If a part is missing, the compiler names it.
//
//   L::name             what R calls the bank
//   L::Plan             features and everything else that is known before rows are read
//     Likelihood = L, features, reads_codes (levels instead of numbers), members() (features),
//     blocks() (independent parts), check()
//   L::Options          settings of an estimate: check(plan, groups)
//   L::Statistics       sufficient statistics of each group: (plan, groups), check(plan, groups),
//     collect(plan, frame, chunk, diagnostics) or, of a bag, collect_terms(plan, frame, rows,
//     context, diagnostics), merge(plan, other), of_groups(plan, first, count), realign(plan,
//     target, mapping). A row of group `chunk.groups` does not count, a null weight is 1, NaN is
//     missing, and an infinite number is Problem::infinite of group kAll.
//   L::Parameters       check(plan, groups); sound(group): the parameters of a distribution?
//   L::estimate(plan, statistics, options, classes, diagnostics) -> Parameters, which are sound;
//     NaN for a class of weight 0; if none exist, a problem. Long ones run tasks on classes.context
//   L::log_likelihood(plan, statistics, parameters), of all rows at the estimates
//   L::parameter_count(plan, options, parameters, classes)
//   L::Scorer           (plan, parameters) or (plan, parameters, rows); of a bag also (plan,
//     parameters of several models);
//     add(frame, from, to, tile) adds the log likelihood of some members to tile.of_class(k)[r]:
//     nothing if the number is missing or infinite, minus infinity if it is impossible
//   L::Drawer           (plan, parameters); uniforms(): the count of numbers in (0, 1) for a row;
//     draw(class, uniforms, row, to)
// For numbers, not for codes or bags:
//   L::Marginal         a kind of density, see marginal/complete.hpp
//   L::marginal(plan, parameters, class, member, origin) -> Marginal::OfClass
//     the density of one member in one class, its coordinates relative to `origin`
// The adapter needs these, or an Unsupported in the place of each:
//   L::overlap(plan, parameters, one, other, overlap), or ByMarginals
//   L::tilt(plan, parameters, i, j): densities between two classes, often an OverlapTilt
//   L::kLendsSpread     whether a class can borrow a spread; then Statistics has copy_group()
//   L::pools(plan): whether some cases of a merged model can be added; then with_cases(plan,
//     statistics, merged, options, cases), options_with_cases(options, cases) and
//     GroupPrior(plan, merged, options, block, cases), the
//     conjugate prior that these cases are: log_marginal(statistics) of a group
//   L::hyperparameters, draw_parameters, unbiased, predictive: the posterior of the parameters
//   L::normals(plan, parameters): normal features as others read them, a NormalView
//   L::cells(parameters): the size of a table
//   L::scatter, moments, table, fewest_missing, conditional: of blocks, see Bank
//   L::prepare_for_terms(parameters): of bags, to score single terms
// The fields of Statistics are sums of weights, or what a StatisticsScaler knows by its name.
// Plan, Options, Statistics and Parameters list their fields in fields(self, visit).
template <class L>
struct CompleteLikelihood {
  using Plan = typename L::Plan;
  using Options = typename L::Options;
  using Statistics = typename L::Statistics;
  using Parameters = typename L::Parameters;
  using Scorer = typename L::Scorer;
  using Drawer = typename L::Drawer;

  struct Visitor {
    template <class T>
    void operator()(const char*, T&) {}
  };

  template <class... Arguments, class Function>
  static constexpr bool accepts(Function) {
    return std::is_invocable_v<Function, Arguments...>;
  }
  template <class State>
  static constexpr bool lists_fields() {
    return accepts<State&, Visitor&>(
        [](auto& state, auto& visit) -> decltype(State::fields(state, visit)) {});
  }
  // check(plan, groups) of a state.
  template <class State>
  static constexpr bool is_checked() {
    return accepts<const State&, const Plan&>(
        [](auto& state, auto& plan) -> decltype(state.check(plan, 2)) {});
  }

  // Statistics that keep their memory when they forget all rows.
  template <class State>
  static constexpr bool is_cleared() {
    return accepts<State&>([](auto& state) -> decltype(state.clear()) {});
  }

  static_assert(std::is_same_v<typename Plan::Likelihood, L>, "Plan: Likelihood is another one");
  static_assert(std::is_same_v<decltype(Plan::features), IntVector>, "Plan: no features");
  static_assert(std::is_same_v<decltype(L::name), const char* const>, "no name");
  static_assert(lists_fields<Plan>(), "Plan: no fields()");
  static_assert(lists_fields<Options>(), "Options: no fields()");
  static_assert(lists_fields<Statistics>(), "Statistics: no fields()");
  static_assert(lists_fields<Parameters>(), "Parameters: no fields()");
  static_assert(is_checked<Options>(), "Options: no check(plan, groups)");
  static_assert(is_checked<Statistics>(), "Statistics: no check(plan, groups)");
  static_assert(is_checked<Parameters>(), "Parameters: no check(plan, groups)");
  static_assert(accepts<const Plan&>([](auto& plan) -> decltype(plan.check()) {}),
                "Plan: no check()");
  static_assert(accepts<const Plan&>([](auto& plan) -> decltype(plan.members() + plan.blocks()) {
                  return 0;
                }),
                "Plan: no members() or blocks()");
  static_assert(accepts<const Parameters&>([](auto& p) -> decltype(!p.sound(0)) { return true; }),
                "Parameters: no sound(group)");
  static_assert(std::is_constructible_v<Statistics, const Plan&, int>,
                "Statistics: no constructor of plan and groups");
  static_assert(reads_bag<Plan> ||
                    accepts<Statistics&, const Plan&, const Frame&, const Chunk&, Diagnostics&>(
                        [](auto& s, auto& plan, auto& frame, auto& chunk, auto& diagnostics)
                            -> decltype(s.collect(plan, frame, chunk, diagnostics)) {}),
                "Statistics: no collect(plan, frame, chunk, diagnostics)");
  static_assert(!reads_bag<Plan> ||
                    accepts<Statistics&, const Plan&, const Frame&, const Chunk&, const Context&,
                            Diagnostics&>(
                        [](auto& s, auto& plan, auto& frame, auto& rows, auto& context,
                           auto& diagnostics) -> decltype(s.collect_terms(plan, frame, rows,
                                                                          context, diagnostics)) {
                          return s;
                        }),
                "Statistics: no collect_terms(plan, frame, rows, context, diagnostics)");
  static_assert(accepts<Statistics&, const Plan&>([](auto& s,
                                                     auto& plan) -> decltype(s.merge(plan, s)) {}),
                "Statistics: no merge(plan, other)");
  static_assert(accepts<const Statistics&, const Plan&>(
                    [](auto& s, auto& plan) -> decltype(s.of_groups(plan, 0, 1)) { return s; }),
                "Statistics: no of_groups(plan, first, count)");
  static_assert(accepts<const Statistics&, const Plan&, const Mapping&>(
                    [](auto& s, auto& plan,
                       auto& mapping) -> decltype(s.realign(plan, plan, mapping)) { return s; }),
                "Statistics: no realign(plan, target, mapping)");
  static_assert(std::is_same_v<decltype(L::estimate),
                               Parameters(const Plan&, const Statistics&, const Options&,
                                          const Classes&, Diagnostics&)>,
                "no estimate(plan, statistics, options, classes, diagnostics)");
  static_assert(std::is_same_v<decltype(L::log_likelihood),
                               double(const Plan&, const Statistics&, const Parameters&)>,
                "no log_likelihood(plan, statistics, parameters)");
  static_assert(std::is_same_v<decltype(L::parameter_count),
                               double(const Plan&, const Options&, const Parameters&, int)>,
                "no parameter_count(plan, options, parameters, classes)");
  static_assert(std::is_constructible_v<Scorer, const Plan&, const Parameters&> ||
                    std::is_constructible_v<Scorer, const Plan&, const Parameters&, Index>,
                "Scorer: no constructor of plan and parameters");
  static_assert(
      !reads_bag<Plan> ||
          std::is_constructible_v<Scorer, const Plan&, const std::vector<const Parameters*>&>,
      "Scorer: no constructor of plan and parameters of several models");
  static_assert(accepts<const Scorer&, const Frame&, Tile&>(
                    [](auto& scorer, auto& frame,
                       auto& tile) -> decltype(scorer.add(frame, 0, 1, tile)) {}),
                "Scorer: no add(frame, from, to, tile)");
  static_assert(std::is_constructible_v<Drawer, const Plan&, const Parameters&>,
                "Drawer: no constructor of plan and parameters");
  static_assert(accepts<const Drawer&, const double*, DrawnRows&>(
                    [](auto& drawer, auto u,
                       auto& to) -> decltype(drawer.draw(drawer.uniforms(), u, Index{0}, to)) {}),
                "Drawer: no uniforms() or draw(class, uniforms, row, to)");

  // Required for numbers only.
  static constexpr bool has_marginal() {
    if constexpr (!has_levels<Plan>) {
      using OfClass = typename L::Marginal::OfClass;
      static_assert(std::is_same_v<decltype(L::marginal),
                                   OfClass(const Plan&, const Parameters&, int, int, double)>,
                    "no marginal(plan, parameters, class, member, origin)");
      static_assert(CompleteMarginal<typename L::Marginal>::value, "an incomplete Marginal");
    }
    return true;
  }
  static constexpr bool value = has_marginal();
};

}  // namespace bayesrisk
