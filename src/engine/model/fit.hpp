#pragma once

#include <engine/core/diagnostics.hpp>
#include <engine/core/log_math.hpp>
#include <engine/likelihood/contract/classes.hpp>
#include <engine/model/model_statistics.hpp>

namespace bayesrisk {

// An estimated model.
struct Estimate {
  Vector prior;
  std::vector<AnyParameters> banks;
  double log_likelihood = 0;  // the sum of log p(x, y) over the rows, at the estimates
  double parameter_count = 0;
};

// The sum of log p(x, y) over the rows, at the estimates.
double log_likelihood(const ModelPlan& plan, const ModelStatistics& statistics,
                      const Estimate& estimate);

class Estimator {
 public:
  // `borrow`: a class whose estimate does not exist borrows from the other classes.
  Estimator(const ModelPlan& plan, const ModelStatistics& statistics,
            const std::vector<AnyOptions>& options, bool borrow = false,
            const Context& context = Context());

  // An empty `prior` means the shares of the classes.
  Estimate estimate(const Vector& prior, Diagnostics& diagnostics) const;

 private:
  void add_bank(std::size_t b, int classes, Estimate& result, Diagnostics& diagnostics) const;

  const ModelPlan& plan_;
  const ModelStatistics& statistics_;
  const std::vector<AnyOptions>& options_;
  bool borrow_;
  Context context_;
};

}  // namespace bayesrisk
