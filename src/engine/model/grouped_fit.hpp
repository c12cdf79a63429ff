#pragma once

#include <engine/data/columns.hpp>
#include <engine/model/fit.hpp>

#include <functional>
#include <optional>

namespace bayesrisk {

// The addresses of the fields of parameters.
struct FieldPlaces : EveryField<FieldPlaces, false> {
  std::vector<const void*> fields;

  template <class T>
  void visit(const char*, const T& field) {
    fields.push_back(&field);
  }
};

// Copies some members of the parameters of group g to class k of other parameters. The fields are
// matrices with a row per group, and lists with an element per group, or none. The marks of
// features that are left out are cleared.
class EstimateCopier : public FieldEditor {
 public:
  EstimateCopier(const std::vector<const void*>& from, int classes, int g, int k,
                 const IntVector& members)
      : from_(from), classes_(static_cast<std::size_t>(classes)), g_(g), k_(k), members_(members) {}

  void operator()(const char*, Matrix& field) override {
    const Matrix& source = next<Matrix>();
    for (int j : members_) field(k_, j) = source(g_, j);
  }
  void operator()(const char*, IntVector& field) override {
    ++next_;
    for (int j : members_) {
      if (!field.empty()) field[static_cast<std::size_t>(j)] = 0;
    }
  }
  void operator()(const char*, Vector& field) override { copy_element(field); }
  void operator()(const char*, std::vector<Matrix>& field) override { copy_element(field); }
  // No bank that lends has such parameters.
  void operator()(const char*, IntMatrix&) override { ++next_; }
  void operator()(const char*, double&) override { ++next_; }
  void operator()(const char*, bool&) override { ++next_; }

 private:
  template <class Field>
  const Field& next() {
    return *static_cast<const Field*>(from_[next_++]);
  }
  template <class Field>
  void copy_element(Field& field) {
    const Field& source = next<Field>();
    if (source.size() <= 1) {
      field = source;  // shared by all classes, or not there
    } else {
      field.resize(classes_, field.front());
      field[static_cast<std::size_t>(k_)] = source[static_cast<std::size_t>(g_)];
    }
  }

  const std::vector<const void*>& from_;
  std::size_t classes_, next_ = 0;
  int g_, k_;
  const IntVector& members_;
};

// The number of classes with rows.
inline int count_classes(const ModelStatistics& own) {
  return static_cast<int>(std::count_if(own.classes.weight.begin(), own.classes.weight.end(),
                                        [](double weight) { return weight > 0; }));
}

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
      if (plan_.banks[b]->lends_spread()) lend(b, g, own, diagnostics, result);
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

  void lend(std::size_t b, int g, const ModelStatistics& own, Diagnostics& found,
            Estimate& result) {
    const Bank& bank = *plan_.banks[b];
    IntVector members = without_spread(bank, static_cast<int>(b), found);
    const auto lent = [&](int j) { return lends(b, g, j, own); };
    members.erase(std::remove_if(members.begin(), members.end(), std::not_fn(lent)), members.end());
    if (members.empty()) return;
    AnyParameters& parameters = result.banks[b];
    const int classes = count_classes(own);
    result.parameter_count -= bank.parameter_count(options_[b], parameters, classes);
    if (!stops(found, b)) result.log_likelihood -= bank.log_likelihood(own.banks[b], parameters);
    for (int k = 0; k < plan_.groups; ++k) {
      if (!(own.classes.weight[k] > 0)) continue;
      copy_estimates(*of_class_[b][k].parameters, g, parameters, k, members);
    }
    found = with_loans(bank, static_cast<int>(b), members, own, found);
    result.parameter_count += bank.parameter_count(options_[b], parameters, classes);
    if (!stops(found, b)) result.log_likelihood += bank.log_likelihood(own.banks[b], parameters);
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
  static IntVector without_spread(const Bank& bank, int b, const Diagnostics& found) {
    IntVector members;
    for (const Diagnostic& item : found.items()) {
      if (item.bank != b || !concerns_spread(item)) continue;
      for (int j = 0; j < bank.members(); ++j) {
        const bool concerned = bank.blocks() == 1 || item.feature == bank.features()[j];
        if (concerned && std::find(members.begin(), members.end(), j) == members.end()) {
          members.push_back(j);
        }
      }
    }
    return members;
  }

  // Whether each class of the group has an estimate of a member that borrows from other groups.
  bool lends(std::size_t b, int g, int j, const ModelStatistics& own) {
    const int feature = plan_.banks[b]->features()[j];
    for (int k = 0; k < plan_.groups; ++k) {
      if (!(own.classes.weight[k] > 0)) continue;
      estimate_class(b, k);
      for (const Diagnostic& item : of_class_[b][k].problems.items()) {
        const bool concerned = (item.group == g || item.group == kAll) &&
                               (item.feature == kAll || item.feature == feature);
        if (concerned && (!is_note(item.problem) || item.problem == Problem::left_out))
          return false;
      }
    }
    return true;
  }

  void estimate_class(std::size_t b, int k) {
    OfClass& lender = of_class_[b][k];
    if (lender.parameters) return;
    const Bank& bank = *plan_.banks[b];
    AnyStatistics of_groups = bank.statistics(groups_);
    Vector weight;
    for (int g = 0; g < groups_; ++g) {
      const ModelStatistics& group = statistics_[g];
      bank.copy_group(group.banks[b], k, of_groups, g);
      weight.push_back(group.classes.weight[k]);
    }
    lender.parameters =
        bank.estimate(of_groups, options_[b], {weight, true, context_}, lender.problems);
  }

  void copy_estimates(const AnyParameters& from, int g, AnyParameters& to, int k,
                      const IntVector& members) const {
    FieldPlaces places;
    from.read(places);
    EstimateCopier copy(places.fields, plan_.groups, g, k, members);
    to.edit(copy);
  }

  // The reports about a group, after some members of a bank were borrowed from other groups.
  Diagnostics with_loans(const Bank& bank, int b, const IntVector& members,
                         const ModelStatistics& own, const Diagnostics& found) const {
    Diagnostics result, loans;
    const auto lent = [&](int feature) {
      return bank.blocks() == 1 || std::any_of(members.begin(), members.end(), [&](int j) {
               return bank.features()[j] == feature;
             });
    };
    for (const Diagnostic& item : found.items()) {
      if (item.bank == b && lent(item.feature)) continue;
      result.keep(item);
    }
    for (int k = 0; k < plan_.groups; ++k) {
      if (!(own.classes.weight[k] > 0)) continue;
      for (int j : members) {
        const bool joint = bank.blocks() == 1 && bank.members() > 1;
        loans.add(Problem::borrowed, k, joint ? kAll : bank.features()[j], own.classes.weight[k]);
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
      : plan_(plan), frame_(frame), group_(group), classes_(classes), groups_(groups) {
    for (const AnyPlan& bank : plan.banks) {
      counts_.push_back(bank->fewest_missing() > 0 ? count(*bank) : Matrix());
    }
  }

  // To the statistics of group g.
  void write_to(int g, ModelStatistics& part) const {
    for (std::size_t b = 0; b < counts_.size(); ++b) {
      if (counts_[b].size() == 0) continue;
      const Eigen::RowVectorXd row = counts_[b].row(g);
      const Index features = row.size() - 1;
      plan_.banks[b]->set_incomplete(part.banks[b], Vector(row.data(), row.data() + features),
                                     row[features]);
    }
  }

 private:
  // A matrix, groups x features, that counts missing numbers. The last column counts the rows with
  // Bank::fewest_missing() or more of them, which are skipped.
  Matrix count(const Bank& bank) const {
    const IntVector& features = bank.features();
    const auto size = static_cast<Index>(features.size());
    const Index fewest = bank.fewest_missing();
    Matrix counts = Matrix::Zero(groups_, size + 1);
    for (Index r = 0; r < frame_.rows; ++r) {
      if (group_[r] == kMissingInteger) continue;
      const int g = (group_[r] - 1) / classes_;
      Index missing = 0;
      for (Index j = 0; j < size; ++j) {
        if (!is_missing(frame_.columns[features[static_cast<std::size_t>(j)]], r)) continue;
        counts(g, j) += 1;
        ++missing;
      }
      counts(g, size) += missing >= fewest;
    }
    return counts;
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
  std::vector<Matrix> counts_;  // per bank: see count(); empty: not counted
};

}  // namespace bayesrisk
