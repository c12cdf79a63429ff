#include <engine/likelihood/normal/mixture_search.hpp>
#include <engine/likelihood/normal/mixture_terms.hpp>

namespace bayesrisk {

std::size_t MixtureWeights::check_weights(int groups) const {
  require(static_cast<int>(components.size()) == groups, "components: wrong length");
  std::size_t terms = 0;
  for (int count : components) {
    require(count >= 1, "components: none");
    terms += static_cast<std::size_t>(count);
  }
  require(log_weight.size() == terms, "log_weight: wrong length");
  return terms;
}

IntVector MixtureWeights::first_terms() const {
  IntVector result;
  int next = 0;
  for (int count : components) {
    result.push_back(next);
    next += count;
  }
  return result;
}

ComponentChoice::ComponentChoice(const MixtureWeights& weights)
    : components_(weights.components), first_(weights.first_terms()) {
  for (int count : components_) {
    several_ = several_ || count > 1;
    double sum = 0;
    for (int t = 0; t < count; ++t) {
      sum += std::exp(weights.log_weight[cumulative_.size()]);
      cumulative_.push_back(sum);
    }
  }
}

void write_log_sums(const simd::TileLoops& loops, const double* x, int count, int stride,
                    double* scratch, double* result) {
  loops.find_least(x, count, stride, stride, result);
  if (count == 1) {
    for (int r = 0; r < stride; ++r) result[r] = -result[r];
    return;
  }
  double *sum = scratch, *share = scratch + stride;
  std::fill_n(sum, stride, 0.0);
  for (int t = 0; t < count; ++t) {
    loops.add_exponentials(result, x + t * stride, stride, share, sum);
  }
  for (int r = 0; r < stride; ++r) {
    result[r] = std::isinf(result[r]) ? kNegativeInfinity : std::log(sum[r]) - result[r];
  }
}

Index MixtureSearch::draw(const Eigen::ArrayXd& share, CounterRandom& random) {
  double left = random.uniform() * share.sum();
  Index i = 0;
  while (i + 1 < share.size() && left >= share[i]) left -= share[i++];
  return i;
}

}  // namespace bayesrisk
