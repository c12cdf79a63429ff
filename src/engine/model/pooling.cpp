#include <engine/core/gamma_functions.hpp>
#include <engine/likelihood/posterior/pooling.hpp>
#include <engine/model/pooling.hpp>

namespace bayesrisk {

namespace {

// Neighbours are merged in pairs, so that rounding errors stay small.
ModelStatistics merge_all(const ModelPlan& plan, std::vector<ModelStatistics> parts,
                          const Context& context) {
  for (std::size_t step = 1; step < parts.size(); step *= 2) {
    for (std::size_t i = 0; i + step < parts.size(); i += 2 * step) {
      parts[i].merge(plan, parts[i + step], context);
    }
  }
  return std::move(parts[0]);
}

}  // namespace

Pooler::Pooler(const ModelPlan& plan, const std::vector<ModelStatistics>& parts,
               const std::vector<AnyOptions>& options, bool borrow, const Context& context)
    : plan_(plan),
      parts_(parts),
      options_(options),
      context_(context),
      statistics_(merge_all(plan, parts, context)),
      merged_(Estimator(plan, statistics_, options, borrow, context).estimate({}, problems_)) {}

PooledCases Pooler::choose(PooledCases cases) const {
  std::vector<std::pair<std::size_t, int>> blocks;
  for (std::size_t b = 0; b < plan_.banks.size(); ++b) {
    for (std::size_t i = 0; i < cases.banks[b].size(); ++i) {
      if (std::isnan(cases.banks[b][i])) blocks.emplace_back(b, static_cast<int>(i));
    }
  }
  const bool of_classes = std::isnan(cases.classes);
  const auto count = static_cast<Index>(blocks.size());
  context_.run(count + of_classes, [&](Index task) {
    if (task == count) {
      cases.classes = most_probable_cases([&](double m) { return log_marginal_of_classes(m); });
      return;
    }
    const auto [b, i] = blocks[static_cast<std::size_t>(task)];
    cases.banks[b][static_cast<std::size_t>(i)] = most_probable_of_block(b, i);
  });
  return cases;
}

double Pooler::most_probable_of_block(std::size_t b, int block) const {
  const MergedBank merged{statistics_.banks[b], merged_.banks[b]};
  std::vector<const AnyStatistics*> groups;
  for (const ModelStatistics& part : parts_) groups.push_back(&part.banks[b]);
  return most_probable_cases([&](double m) {
    context_.check();
    return plan_.banks[b]->log_marginal(groups, merged, options_[b], block, m);
  });
}

double Pooler::log_marginal_of_classes(double cases) const {
  KeptValues of_all;
  std::vector<KeptValues> of_class(merged_.prior.size());
  const auto rise = [](KeptValues& kept, double before, double weight) {
    return kept.of(weight, [before](double w) { return log_gamma_rise(before, w); });
  };
  double sum = 0;
  for (const ModelStatistics& part : parts_) {
    double rows = 0;
    for (std::size_t k = 0; k < part.classes.weight.size(); ++k) {
      const double weight = part.classes.weight[k];
      rows += weight;
      if (weight > 0) sum += rise(of_class[k], cases * merged_.prior[k], weight);
    }
    sum -= rise(of_all, cases, rows);
  }
  return sum;
}

std::vector<AnyOptions> options_with_cases(const ModelPlan& plan,
                                           const std::vector<AnyOptions>& options,
                                           const PooledCases& cases) {
  std::vector<AnyOptions> result;
  for (std::size_t b = 0; b < plan.banks.size(); ++b) {
    result.push_back(plan.banks[b]->options_with_cases(options[b], cases.banks[b]));
  }
  return result;
}

ClassStatistics with_cases(ClassStatistics own, const ClassStatistics& all, const Estimate& merged,
                           const PooledCases& cases) {
  if (cases.classes == kInfinity) return all;
  for (std::size_t k = 0; k < merged.prior.size(); ++k) {
    own.weight[k] += cases.classes * merged.prior[k];
  }
  return own;
}

ModelStatistics with_cases(const ModelPlan& plan, const ModelStatistics& own,
                           const ModelStatistics& statistics, const Estimate& merged,
                           const std::vector<AnyOptions>& options, const PooledCases& cases) {
  ModelStatistics result = own;
  result.classes = with_cases(own.classes, statistics.classes, merged, cases);
  for (std::size_t b = 0; b < plan.banks.size(); ++b) {
    result.banks[b] = plan.banks[b]->with_cases(
        own.banks[b], {statistics.banks[b], merged.banks[b]}, options[b], cases.banks[b]);
  }
  return result;
}

}  // namespace bayesrisk
