#include <engine/likelihood/bag/poisson_bag.hpp>
#include <engine/likelihood/contract/adapter.hpp>

namespace bayesrisk {

void PoissonBag::Options::check(const Plan&, int) const {
  require(std::isfinite(pseudo_count) && pseudo_count >= 0 && std::isfinite(pseudo_exposure) &&
              pseudo_exposure >= 0,
          "pseudo-counts: negative");
}

void PoissonBag::Statistics::collect(const Plan& plan, const BagPart& part,
                                     Diagnostics& diagnostics) {
  add_weights(part, weight);
  const BagReader reader(plan, part, diagnostics);
  reader.add_sums(StoredNumber(), BagNumbers::counts, sum);
  const LogFactorials of;
  reader.each_cell([&](int g, int, double x, double w) { log_factorial[g] += w * of(x); });
}

void PoissonBag::Statistics::merge(const Plan&, const Statistics& other) {
  for (std::size_t g = 0; g < weight.size(); ++g) {
    weight[g] += other.weight[g];
    log_factorial[g] += other.log_factorial[g];
  }
  sum += other.sum;
}

PoissonBag::Parameters PoissonBag::estimate(const Plan& plan, const Statistics& statistics,
                                            const Options& options, const Classes& classes,
                                            Diagnostics& diagnostics) {
  Parameters p{Matrix::Constant(classes.count(), plan.terms(), kNaN)};
  for (int g = 0; g < classes.count(); ++g) {
    if (!classes.has_rows(g)) continue;
    const double exposure = statistics.weight[g] + options.pseudo_exposure;
    p.rate.row(g) = (statistics.sum.row(g).array() + options.pseudo_count) / exposure;
    if (!p.rate.row(g).allFinite()) {
      diagnostics.add(Problem::overflow, g, plan.feature(), statistics.weight[g]);
    }
  }
  return p;
}

double PoissonBag::log_likelihood(const Plan& plan, const Statistics& statistics,
                                  const Parameters& parameters) {
  double total = 0;
  for (int g = 0; g < static_cast<int>(statistics.weight.size()); ++g) {
    if (!(statistics.weight[g] > 0)) continue;
    total -= statistics.log_factorial[g];
    for (int t = 0; t < plan.terms(); ++t) {
      const double rate = parameters.rate(g, t);
      total += times_log(statistics.sum(g, t), std::log(rate)) - statistics.weight[g] * rate;
    }
  }
  return total;
}

BAYESRISK_LIKELIHOOD(PoissonBag)

}  // namespace bayesrisk
