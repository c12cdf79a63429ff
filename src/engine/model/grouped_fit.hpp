#pragma once

#include <engine/model/fit.hpp>

#include <optional>

namespace bayesrisk {

// Estimates a model for each of several groups, such as regions.
class GroupedEstimator {
 public:
  // `plan`: of one group; `statistics`: of each group.
  GroupedEstimator(const ModelPlan& plan, const std::vector<ModelStatistics>& statistics,
                   const std::vector<AnyOptions>& options, bool borrow, const Context& context)
      : plan_(plan),
        groups_(static_cast<int>(statistics.size())),
        statistics_(statistics),
        options_(options),
        borrow_(borrow),
        context_(context),
        of_class_(plan.banks.size(), std::vector<OfClass>(plan.groups)) {}

  // The model of one group. If a class cannot borrow from the classes of its group, because they
  // have no spread, it borrows from the same class of the other groups.
  Estimate estimate(int g, const Vector& prior, Diagnostics& diagnostics) {
    context_.check();
    const ModelStatistics& own = statistics_[g];
    Estimate result =
        Estimator(plan_, own, options_, borrow_, context_).estimate(prior, diagnostics);
    if (!borrow_ || groups_ == 1) return result;
    for (std::size_t b = 0; b < plan_.banks.size(); ++b) {
      std::visit([&](const auto& p) { lend(p, b, g, own, diagnostics, result); }, plan_.banks[b]);
    }
    return result;
  }

 private:
  // The estimate of a bank in all groups of one class. There the groups stand for classes, so they
  // borrow from each other.
  struct OfClass {
    std::optional<AnyParameters> parameters;
    Diagnostics problems;
  };

  // Whether the features of a bank have a spread that a class can borrow.
  template <class L>
  static constexpr bool has_spread_to_lend() {
    return std::is_same_v<L, Gaussian> || std::is_same_v<L, MultivariateGaussian> ||
           std::is_same_v<L, Gamma> || std::is_same_v<L, Kernel>;
  }

  template <class Plan>
  void lend(const Plan& p, std::size_t b, int g, const ModelStatistics& own, Diagnostics& found,
            Estimate& result) {
    using L = LikelihoodOf<Plan>;
    if constexpr (has_spread_to_lend<L>()) {
      IntVector members = without_spread(p, static_cast<int>(b), found);
      const auto lent = [&](int j) { return lends(p, b, g, j, own); };
      members.erase(std::remove_if(members.begin(), members.end(), std::not_fn(lent)),
                    members.end());
      if (members.empty()) return;
      auto& parameters = std::get<typename L::Parameters>(result.banks[b]);
      const auto& options = std::get<typename L::Options>(options_[b]);
      const int classes = count_classes(own);
      result.parameter_count -= L::parameter_count(p, options, parameters, classes);
      if (!stops(found, b)) result.log_likelihood -= log_likelihood<L>(p, b, own, parameters);
      for (int k = 0; k < plan_.groups; ++k) {
        if (!(own.classes.weight[k] > 0)) continue;
        copy_estimates(std::get<typename L::Parameters>(*of_class_[b][k].parameters), g, parameters,
                       k, members);
      }
      found = with_loans(p, static_cast<int>(b), members, own, found);
      result.parameter_count += L::parameter_count(p, options, parameters, classes);
      if (!stops(found, b)) result.log_likelihood += log_likelihood<L>(p, b, own, parameters);
    }
  }

  template <class L, class Plan>
  static double log_likelihood(const Plan& p, std::size_t b, const ModelStatistics& own,
                               const typename L::Parameters& parameters) {
    return L::log_likelihood(p, std::get<typename L::Statistics>(own.banks[b]), parameters);
  }

  static int count_classes(const ModelStatistics& own) {
    return static_cast<int>(std::count_if(own.classes.weight.begin(), own.classes.weight.end(),
                                          [](double weight) { return weight > 0; }));
  }

  static bool stops(const Diagnostics& found, std::size_t b) {
    return std::any_of(found.items().begin(), found.items().end(), [&](const Diagnostic& item) {
      return item.bank == static_cast<int>(b) && !is_note(item.problem);
    });
  }

  static bool concerns_spread(const Diagnostic& item) {
    return item.problem == Problem::apart || item.problem == Problem::left_out ||
           item.problem == Problem::singular;
  }

  // The members that no class of the group can lend. A joint block borrows as a whole.
  template <class Plan>
  static IntVector without_spread(const Plan& p, int b, const Diagnostics& found) {
    IntVector members;
    for (const Diagnostic& item : found.items()) {
      if (item.bank != b || !concerns_spread(item)) continue;
      for (int j = 0; j < p.members(); ++j) {
        const bool concerned = p.blocks() == 1 || item.feature == p.features[j];
        if (concerned && std::find(members.begin(), members.end(), j) == members.end()) {
          members.push_back(j);
        }
      }
    }
    return members;
  }

  // Whether each class of the group has an estimate of a member that borrows from other groups.
  template <class Plan>
  bool lends(const Plan& p, std::size_t b, int g, int j, const ModelStatistics& own) {
    for (int k = 0; k < plan_.groups; ++k) {
      if (!(own.classes.weight[k] > 0)) continue;
      estimate_class(p, b, k);
      for (const Diagnostic& item : of_class_[b][k].problems.items()) {
        const bool concerned = (item.group == g || item.group == kAll) &&
                               (item.feature == kAll || item.feature == p.features[j]);
        if (concerned && (!is_note(item.problem) || item.problem == Problem::left_out))
          return false;
      }
    }
    return true;
  }

  template <class Plan>
  void estimate_class(const Plan& p, std::size_t b, int k) {
    using L = LikelihoodOf<Plan>;
    using Statistics = typename L::Statistics;
    OfClass& lender = of_class_[b][k];
    if (lender.parameters) return;
    Statistics of_groups(p, groups_);
    Vector weight;
    for (int g = 0; g < groups_; ++g) {
      const ModelStatistics& group = statistics_[g];
      of_groups.copy_group(std::get<Statistics>(group.banks[b]), k, g);
      weight.push_back(group.classes.weight[k]);
    }
    lender.parameters = L::estimate(p, of_groups, std::get<typename L::Options>(options_[b]),
                                    {weight, true, context_}, lender.problems);
  }

  // The fields of parameters are matrices with a row per group, and lists with an element per
  // group. The marks of features that are left out are cleared.
  template <class Parameters>
  void copy_estimates(const Parameters& from, int g, Parameters& to, int k,
                      const IntVector& members) const {
    const auto classes = static_cast<std::size_t>(plan_.groups);
    std::vector<const void*> sources;
    const auto note = [&](const char*, const auto& field) { sources.push_back(&field); };
    Parameters::fields(from, note);
    std::size_t next = 0;
    const auto copy = [&](const char*, auto& field) {
      using Field = std::decay_t<decltype(field)>;
      const Field& source = *static_cast<const Field*>(sources[next++]);
      if constexpr (std::is_same_v<Field, Matrix>) {
        for (int j : members) field(k, j) = source(g, j);
      } else if constexpr (std::is_same_v<Field, IntVector>) {
        for (int j : members) {
          if (!field.empty()) field[static_cast<std::size_t>(j)] = 0;
        }
      } else if (source.size() == 1) {
        field = source;  // shared by all classes
      } else {
        field.resize(classes, field.front());
        field[static_cast<std::size_t>(k)] = source[static_cast<std::size_t>(g)];
      }
    };
    Parameters::fields(to, copy);
  }

  // The reports about a group, after some members of a bank were borrowed from other groups.
  template <class Plan>
  Diagnostics with_loans(const Plan& p, int b, const IntVector& members, const ModelStatistics& own,
                         const Diagnostics& found) const {
    Diagnostics result, loans;
    const auto lent = [&](int feature) {
      return p.blocks() == 1 || std::any_of(members.begin(), members.end(),
                                            [&](int j) { return p.features[j] == feature; });
    };
    for (const Diagnostic& item : found.items()) {
      if (item.bank == b && lent(item.feature)) continue;
      result.keep(item);
    }
    for (int k = 0; k < plan_.groups; ++k) {
      if (!(own.classes.weight[k] > 0)) continue;
      for (int j : members) {
        const bool joint = p.blocks() == 1 && p.members() > 1;
        loans.add(Problem::borrowed, k, joint ? kAll : p.features[j], own.classes.weight[k]);
      }
    }
    result.append(loans, b);
    return result;
  }

  const ModelPlan& plan_;
  int groups_;
  const std::vector<ModelStatistics>& statistics_;
  const std::vector<AnyOptions>& options_;
  bool borrow_;
  const Context& context_;
  std::vector<std::vector<OfClass>> of_class_;  // per bank and class
};

// The rows of each group that miss a feature of a joint block. The statistics of the blocks count
// them over all groups only.
class IncompleteRows {
 public:
  IncompleteRows(const ModelPlan& plan, const Frame& frame, const int* group, int classes,
                 int groups)
      : plan_(plan), frame_(frame), group_(group), classes_(classes), groups_(groups) {}

  void write_to(std::vector<ModelStatistics>& parts) const {
    for (std::size_t b = 0; b < plan_.banks.size(); ++b) {
      std::visit([&](const auto& p) { write_bank(p, b, parts); }, plan_.banks[b]);
    }
  }

 private:
  template <class Plan>
  void write_bank(const Plan& p, std::size_t b, std::vector<ModelStatistics>& parts) const {
    using State = StatisticsOf<Plan>;
    if constexpr (std::is_base_of_v<MultivariateGaussian::Statistics, State> ||
                  std::is_base_of_v<JointTable::Statistics, State>) {
      const Matrix counts = count(p);
      for (int g = 0; g < groups_; ++g) {
        auto& state = std::get<State>(parts[static_cast<std::size_t>(g)].banks[b]);
        const Eigen::RowVectorXd row = counts.row(g);
        const Index features = row.size() - 1;
        state.set_incomplete(Vector(row.data(), row.data() + features), row[features]);
      }
    }
  }

  // Groups x features; the last column counts the rows that are skipped: those that miss any
  // feature, with expectation-maximisation all features.
  template <class Plan>
  Matrix count(const Plan& p) const {
    const auto size = static_cast<Index>(p.features.size());
    Matrix counts = Matrix::Zero(groups_, size + 1);
    for (Index r = 0; r < frame_.rows; ++r) {
      if (group_[r] == kMissingInteger) continue;
      const int g = (group_[r] - 1) / classes_;
      Index missing = 0;
      for (Index j = 0; j < size; ++j) {
        if (!is_missing(frame_.columns[p.features[static_cast<std::size_t>(j)]], r)) continue;
        counts(g, j) += 1;
        ++missing;
      }
      counts(g, size) += missing >= fewest(p);
    }
    return counts;
  }

  // The missing features with which a row is skipped.
  template <class Plan>
  static Index fewest(const Plan& p) {
    if constexpr (std::is_same_v<Plan, MultivariateGaussian::Plan>) {
      if (p.em) return static_cast<Index>(p.features.size());
    }
    return 1;
  }

  static bool is_missing(const Column& column, Index row) {
    if (column.real) return std::isnan(column.real[row]);
    const int stored = column.integer[row];
    return column.stored_levels > 0 ? level_of(column, stored) < 0 : stored == kMissingInteger;
  }

  const ModelPlan& plan_;
  const Frame& frame_;
  const int* group_;
  int classes_, groups_;
};

}  // namespace bayesrisk
