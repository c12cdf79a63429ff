#pragma once

#include <engine/model/statistics_collector.hpp>

namespace bayesrisk {

// An estimated model.
struct Estimate {
  Vector prior;
  std::vector<AnyParameters> banks;
  double log_likelihood = 0;  // of the rows at the estimates: the sum of log p(x, y)
  double parameter_count = 0;
};

class Estimator {
 public:
  // `borrow`: a class whose estimate does not exist borrows from the other classes.
  Estimator(const ModelPlan& plan, const ModelStatistics& statistics,
            const std::vector<AnyOptions>& options, bool borrow = false,
            const Context& context = Context())
      : plan_(plan),
        statistics_(statistics),
        options_(options),
        borrow_(borrow),
        context_(context) {}

  // An empty `prior` means the shares of the classes.
  Estimate estimate(const Vector& prior, Diagnostics& diagnostics) const {
    const Vector& weight = statistics_.classes.weight;
    Estimate result;
    double total = 0;
    int classes = 0;
    for (double w : weight) {
      total += w;
      classes += w > 0;
    }
    result.prior = prior;
    if (prior.empty()) {
      for (double w : weight) result.prior.push_back(w / total);
      result.parameter_count = classes - 1;
    }
    for (std::size_t g = 0; g < weight.size(); ++g) {
      result.log_likelihood += times_log(weight[g], std::log(result.prior[g]));
    }
    for (std::size_t b = 0; b < plan_.banks.size(); ++b) add_bank(b, classes, result, diagnostics);
    return result;
  }

 private:
  void add_bank(std::size_t b, int classes, Estimate& result, Diagnostics& diagnostics) const {
    std::visit(
        [&](const auto& p) {
          using L = LikelihoodOf<decltype(p)>;
          const auto& statistics = std::get<typename L::Statistics>(statistics_.banks[b]);
          const auto& options = std::get<typename L::Options>(options_[b]);
          Diagnostics problems;
          auto parameters = L::estimate(p, statistics, options,
                                        {statistics_.classes.weight, borrow_, context_}, problems);
          if (!problems.stops()) {
            result.log_likelihood += L::log_likelihood(p, statistics, parameters);
          }
          result.parameter_count += L::parameter_count(p, options, parameters, classes);
          diagnostics.append(problems, static_cast<int>(b));
          result.banks.emplace_back(std::move(parameters));
        },
        plan_.banks[b]);
  }

  const ModelPlan& plan_;
  const ModelStatistics& statistics_;
  const std::vector<AnyOptions>& options_;
  bool borrow_;
  Context context_;
};

}  // namespace bayesrisk
