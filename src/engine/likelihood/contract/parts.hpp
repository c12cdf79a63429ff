#pragma once

#include <engine/core/diagnostics.hpp>
#include <engine/core/log_math.hpp>
#include <engine/data/mapping.hpp>
#include <engine/data/rows.hpp>
#include <engine/likelihood/contract/bank.hpp>
#include <engine/likelihood/contract/classes.hpp>
#include <engine/likelihood/contract/unsupported.hpp>

#include <string>
#include <variant>

namespace bayesrisk {

// Likelihoods share these plans, options and statistics of simple banks.

// The plan of numeric features, each in its own block. With `one` the bank has a single feature.
template <class L, bool one = false>
struct SingleFeatures {
  using Likelihood = L;
  IntVector features;

  template <class Self, class Visitor>
  static void fields(Self& self, Visitor& visit) {
    visit("features", self.features);
  }
  int members() const { return static_cast<int>(features.size()); }
  int blocks() const { return members(); }
  static constexpr bool reads_codes = false;
  void check() const { require(!one || features.size() == 1, "a bank of several features"); }
};

// The base of the plans of bags, which have one feature with many terms. `levels` counts them.
struct BagFeature {};

template <class Plan>
constexpr bool reads_bag = std::is_base_of_v<BagFeature, Plan>;

// Whether the features of a plan have levels, which are matched by name.
template <class Plan>
constexpr bool has_levels = Plan::reads_codes || reads_bag<Plan>;

// The bank of the model of all groups, see Bank::with_cases().
template <class L>
struct Merged {
  const typename L::Statistics& statistics;
  const typename L::Parameters& parameters;
};

template <class L>
struct NoOptions {
  template <class Self, class Visitor>
  static void fields(Self&, Visitor&) {}
  template <class Plan>
  void check(const Plan&, int) const {}
};

// The mean of one feature over the classes.
struct MeanOfClasses {
  DoubleDouble mean{0, 0};
  double weight = 0;
  bool equal = true;  // whether all classes have the same mean

  void add(double class_weight, const DoubleDouble& class_mean);
};

// Requires that every matrix of a state has groups x members entries.
template <class State>
void require_tables(const State& state, int groups, int members) {
  const auto check = [&](const char* name, const auto& field) {
    if constexpr (std::is_same_v<std::decay_t<decltype(field)>, Matrix>) {
      if (!has_shape(field, groups, members)) {
        throw InvalidState(std::string(name) + ": wrong dimensions");
      }
    }
  };
  State::fields(state, check);
}

// The fields of statistics: matrices with a row per group, or vectors with an element per group.
using Fields = std::vector<std::variant<const Matrix*, const Vector*, const std::vector<Matrix>*>>;

template <class Statistics>
Fields fields_of(const Statistics& statistics) {
  Fields fields;
  const auto add = [&](const char*, const auto& field) { fields.push_back(&field); };
  Statistics::fields(statistics, add);
  return fields;
}

// Calls use(from, to) for each field of one state and the same field of another.
template <class Statistics, class Use>
void pair_fields(const Statistics& from, Statistics& to, const Use& use) {
  const Fields fields = fields_of(from);
  std::size_t next = 0;
  const auto visit = [&](const char*, auto& field) {
    use(*std::get<const std::decay_t<decltype(field)>*>(fields[next++]), field);
  };
  Statistics::fields(to, visit);
}

// The statistics of some of the groups.
template <class Statistics>
Statistics groups_of(const Statistics& statistics, int first, int groups) {
  Statistics part;
  pair_fields(statistics, part, [&](const auto& from, auto& to) {
    if constexpr (std::is_same_v<std::decay_t<decltype(to)>, Matrix>) {
      to = from.middleRows(first, groups);
    } else {
      to.assign(from.begin() + first, from.begin() + first + groups);
    }
  });
  return part;
}

// Statistics of single features. A matrix has a column per member. Any other field belongs to a
// bank with one member.
template <class Statistics>
struct SingleFeatureStatistics {
  template <class Plan>
  Statistics of_groups(const Plan&, int first, int groups) const {
    return groups_of(self(), first, groups);
  }

  // Sets a group to a group of other statistics of the same bank.
  void copy_group(const Statistics& from, int group, int to) {
    pair_fields(from, static_cast<Statistics&>(*this), [&](const auto& source, auto& field) {
      if constexpr (std::is_same_v<std::decay_t<decltype(field)>, Matrix>) {
        field.row(to) = source.row(group);
      } else {
        field[static_cast<std::size_t>(to)] = source[static_cast<std::size_t>(group)];
      }
    });
  }

  // Sets a member to that of other statistics of the same bank.
  void copy_member(const Statistics& from, int j) {
    pair_fields(from, static_cast<Statistics&>(*this), [&](const auto& source, auto& field) {
      if constexpr (std::is_same_v<std::decay_t<decltype(field)>, Matrix>) {
        field.col(j) = source.col(j);
      } else {
        field = source;
      }
    });
  }

  template <class Plan>
  Statistics realign(const Plan& plan, const Plan& target, const Mapping& mapping) const {
    Statistics result(target, mapping.groups);
    const IntVector member = mapping.members(plan.features, target.features);
    pair_fields(self(), result, [&](const auto& from, auto& to) {
      for (std::size_t g = 0; g < mapping.group.size(); ++g) {
        if constexpr (std::is_same_v<std::decay_t<decltype(to)>, Matrix>) {
          for (int j = 0; j < plan.members(); ++j) {
            if (member[j] >= 0) to(mapping.group[g], member[j]) = from(static_cast<Index>(g), j);
          }
        } else {
          to[mapping.group[g]] = from[g];
        }
      }
    });
    return result;
  }

 private:
  const Statistics& self() const { return static_cast<const Statistics&>(*this); }
};

}  // namespace bayesrisk
