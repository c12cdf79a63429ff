#include <engine/model/fit.hpp>

namespace bayesrisk {

namespace {

double log_likelihood_of_classes(const Vector& weight, const Vector& prior) {
  double sum = 0;
  for (std::size_t g = 0; g < weight.size(); ++g) sum += times_log(weight[g], std::log(prior[g]));
  return sum;
}

}  // namespace

double log_likelihood(const ModelPlan& plan, const ModelStatistics& statistics,
                      const Estimate& estimate) {
  double sum = log_likelihood_of_classes(statistics.classes.weight, estimate.prior);
  for (std::size_t b = 0; b < plan.banks.size(); ++b) {
    sum += plan.banks[b]->log_likelihood(statistics.banks[b], estimate.banks[b]);
  }
  return sum;
}

Estimator::Estimator(const ModelPlan& plan, const ModelStatistics& statistics,
                     const std::vector<AnyOptions>& options, bool borrow, const Context& context)
    : plan_(plan), statistics_(statistics), options_(options), borrow_(borrow), context_(context) {}

Estimate Estimator::estimate(const Vector& prior, Diagnostics& diagnostics) const {
  const Vector& weight = statistics_.classes.weight;
  const auto classes =
      static_cast<int>(std::count_if(weight.begin(), weight.end(), [](double w) { return w > 0; }));
  Estimate result;
  result.prior = prior.empty() ? statistics_.classes.shares() : prior;
  if (prior.empty()) result.parameter_count = classes - 1;
  result.log_likelihood = log_likelihood_of_classes(weight, result.prior);
  for (std::size_t b = 0; b < plan_.banks.size(); ++b) add_bank(b, classes, result, diagnostics);
  return result;
}

void Estimator::add_bank(std::size_t b, int classes, Estimate& result,
                         Diagnostics& diagnostics) const {
  const Bank& bank = *plan_.banks[b];
  const AnyStatistics& statistics = statistics_.banks[b];
  Diagnostics problems;
  AnyParameters parameters = bank.estimate(
      statistics, options_[b], {statistics_.classes.weight, borrow_, context_}, problems);
  if (!problems.stops()) result.log_likelihood += bank.log_likelihood(statistics, parameters);
  result.parameter_count += bank.parameter_count(options_[b], parameters, classes);
  diagnostics.append(problems, static_cast<int>(b));
  result.banks.push_back(std::move(parameters));
}

}  // namespace bayesrisk
