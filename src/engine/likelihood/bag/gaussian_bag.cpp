#include <engine/likelihood/bag/gaussian_bag.hpp>
#include <engine/likelihood/contract/adapter.hpp>

namespace bayesrisk {

Gaussian::Options GaussianBag::Options::of_terms(int terms) const {
  const auto count = static_cast<std::size_t>(terms);
  return {IntVector(count, unbiased), Vector(count, min_variance),
          Vector(count, min_variance_share), Vector(count, borrow), IntVector(count, pooled)};
}

void GaussianBag::Parameters::check(const Plan& plan, int groups) const {
  require(has_shape(mean, groups, plan.terms()) && has_shape(sd, groups, plan.terms()),
          "mean, sd: wrong dimensions");
  left_out.check(plan.terms());
}

void GaussianBag::Statistics::check(const Plan& plan, int groups) const {
  require(static_cast<int>(total.size()) == groups && cells.consistent(groups, plan.terms()),
          "moments: wrong dimensions");
  require(not_negative(total) && not_negative(cells.weight) && not_negative(cells.scatter),
          "moments: negative");
}

void GaussianBag::Statistics::collect(const Plan& plan, const BagPart& part,
                                      Diagnostics& diagnostics) {
  add_weights(part, total);
  const BagReader reader(plan, part, diagnostics);
  bool readable = true;
  reader.each_cell([&](int g, int t, double x, double w) {
    if (is_readable(x, BagNumbers::finite)) {
      cells.add(g, t, w, x, 0, 0);
    } else {
      readable = false;
    }
  });
  if (!readable) reader.report(BagNumbers::finite);
}

Gaussian::Statistics GaussianBag::Statistics::with_zeros() const {
  Gaussian::Statistics all;
  all.moments = cells;
  for (Index t = 0; t < cells.weight.cols(); ++t) {
    for (int g = 0; g < static_cast<int>(total.size()); ++g) {
      all.moments.add(g, static_cast<int>(t), total[g] - cells.weight(g, t), 0, 0, 0);
    }
  }
  return all;
}

GaussianBag::Parameters GaussianBag::estimate(const Plan& plan, const Statistics& statistics,
                                              const Options& options, const Classes& classes,
                                              Diagnostics& diagnostics) {
  Diagnostics of_terms;
  const Gaussian::Parameters p =
      Gaussian::estimate(plan_of(plan.terms()), statistics.with_zeros(),
                         options.of_terms(plan.terms()), classes, of_terms);
  for (const Diagnostic& item : of_terms.items()) {
    diagnostics.add_term(item.problem, item.group, plan.feature(), item.count, item.feature);
  }
  return {p.mean + p.mean_low, p.sd, p.left_out};
}

double GaussianBag::log_likelihood(const Plan& plan, const Statistics& statistics,
                                   const Parameters& parameters) {
  return Gaussian::log_likelihood(
      plan_of(plan.terms()), statistics.with_zeros(),
      {parameters.mean, Matrix::Zero(parameters.mean.rows(), parameters.mean.cols()), parameters.sd,
       parameters.left_out});
}

Gaussian::Plan GaussianBag::plan_of(int terms) {
  Gaussian::Plan plan{IntVector(static_cast<std::size_t>(terms))};
  std::iota(plan.features.begin(), plan.features.end(), 0);
  return plan;
}

GaussianTerms::GaussianTerms(const GaussianBag::Plan&, const GaussianBag::Parameters& parameters)
    : of(parameters) {
  for (Index k = 0; k < of.mean.rows(); ++k) {
    double sum = 0;
    LogProduct product;
    for (Index t = 0; t < of.mean.cols(); ++t) {
      if (of.left_out[t]) continue;
      const double z = of.mean(k, t) / of.sd(k, t);
      sum -= 0.5 * z * z + kHalfLogTwoPi;
      product.multiply(of.sd(k, t));
    }
    none.push_back(sum - product.log());
  }
}

void GaussianTerms::write(int part, int term, int classes, double* to) const {
  for (int k = 0; k < classes; ++k) {
    const double sd = of.sd(k, term);
    to[k] = of.left_out[term] ? 0 : part == 0 ? of.mean(k, term) / (sd * sd) : -0.5 / (sd * sd);
  }
}

void GaussianTerms::LogProduct::multiply(double x) {
  constexpr double kLow = 1e-100, kHigh = 1e100;
  if (product_ < kLow || product_ > kHigh || x < kLow || x > kHigh) {
    sum_ += std::log(product_);
    product_ = 1;
  }
  if (x < kLow || x > kHigh) {
    sum_ += std::log(x);
  } else {
    product_ *= x;
  }
}

BAYESRISK_LIKELIHOOD(GaussianBag)

}  // namespace bayesrisk
