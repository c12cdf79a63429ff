#include <engine/core/gamma_functions.hpp>
#include <engine/likelihood/posterior/pooling.hpp>

namespace bayesrisk {

TableMarginal::TableMarginal(Vector before) : before_(std::move(before)) {
  for (double count : before_) {
    total_ += count;
    error_.push_back(gamma_error(count));
  }
  total_error_ = gamma_error(total_);
}

double TableMarginal::of(const Matrix& count, Index group, int first) const {
  double sum = 0, rows = 0;
  for (std::size_t l = 0; l < before_.size(); ++l) {
    const double own = count(group, first + static_cast<Index>(l));
    rows += own;
    if (own > 0) sum += log_gamma_rise(before_[l], own, error_[l]);
  }
  return rows > 0 ? sum - log_gamma_rise(total_, rows, total_error_) : 0;
}

double log_marginal_of(const Matrix& count, int first, const std::vector<TableMarginal>& of_class) {
  double sum = 0;
  for (Index g = 0; g < count.rows(); ++g) {
    sum += of_class[static_cast<std::size_t>(g)].of(count, g, first);
  }
  return sum;
}

Vector with_level_cases(const double* pseudo_count, int levels, const Matrix& log_probability,
                        Index group, int first, double cases) {
  Vector result(pseudo_count, pseudo_count + levels);
  for (int l = 0; l < levels; ++l) {
    result[static_cast<std::size_t>(l)] += cases * std::exp(log_probability(group, first + l));
  }
  return result;
}

void add_cases(const Matrix& log_probability, int first, int levels, double cases, Matrix& count) {
  for (int l = first; l < first + levels; ++l) {
    for (Index g = 0; g < count.rows(); ++g) {
      // No case has a level of vanishing probability.
      const double p = std::exp(log_probability(g, l));
      if (p >= kLeastShare) count(g, l) += cases * p;
    }
  }
}

double log_rate_marginal(double sum, double weight, double shape, double exposure) {
  if (weight <= 0) return 0;
  const double none = -shape * std::log1p(weight / exposure);
  return sum > 0 ? none + log_gamma_rise(shape, sum) - sum * std::log(exposure + weight) : none;
}

NormalMarginal::NormalMarginal(double cases, double freedom, int size)
    : cases_(cases), freedom_(freedom), size_(size), log_freedom_(0.5 * size * std::log(freedom)) {
  for (int i = 0; i < size; ++i) error_.push_back(gamma_error(0.5 * (freedom - i)));
}

double NormalMarginal::of_mean(double weight) {
  return mean_.of(weight, [this](double w) { return -0.5 * size_ * std::log1p(w / cases_); });
}

double NormalMarginal::of_scatter(double weight, double log_scale, double log_ratio) {
  if (!(freedom_ > size_ - 1)) return kNegativeInfinity;
  const double rise = rise_.of(weight, [this](double w) {
    double sum = 0;
    for (std::size_t i = 0; i < error_.size(); ++i) {
      sum += log_gamma_rise(0.5 * (freedom_ - static_cast<double>(i)), 0.5 * w, error_[i]);
    }
    return sum;
  });
  return rise - weight * (log_scale + log_freedom_) - (freedom_ + weight) * log_ratio;
}

double weight_with_cases(double weight, bool unbiased, double cases) {
  return std::max(weight, unbiased ? 1.0 : 0.0) + cases;
}

}  // namespace bayesrisk
