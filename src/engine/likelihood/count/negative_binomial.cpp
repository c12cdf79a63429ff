#include <engine/likelihood/contract/adapter.hpp>
#include <engine/likelihood/count/negative_binomial.hpp>

namespace bayesrisk {

namespace {

// Two classes of the same size n. The probability of x is proportional to t^x, t = mean / (mean +
// n).
class NegativeBinomialTilt : public OverlapTilt<NegativeBinomial> {
 public:
  using OverlapTilt::OverlapTilt;

  void write(double s, AnyParameters& to, int row) const override {
    const double n = p_.size(i_, 0);
    const auto ratio = [&](int k) { return p_.mean(k, 0) / (p_.mean(k, 0) + n); };
    const double t = std::pow(ratio(i_), 1 - s) * std::pow(ratio(j_), s);
    own(to).size(row, 0) = n;
    own(to).mean(row, 0) = n * t / (1 - t);
  }
};

}  // namespace

std::unique_ptr<BankTilt> NegativeBinomial::tilt(const Plan& plan, const Parameters& p, int i,
                                                 int j) {
  if (p.size(i, 0) != p.size(j, 0) || p.law(i).is_poisson()) return nullptr;
  return std::make_unique<NegativeBinomialTilt>(plan, p, i, j);
}

void NegativeBinomial::Statistics::check(const Plan&, int groups) const {
  check_weighted_points(points, groups);
  for (const Points& of_group : points) {
    for (Index i = 0; i < of_group.rows(); ++i) {
      require(is_count(of_group(i, 0)), "points: not counts");
    }
  }
}

void NegativeBinomial::Statistics::collect(const Plan& plan, const Frame& frame, const Chunk& chunk,
                                           Diagnostics& diagnostics) {
  std::vector<std::vector<ValueAndWeight>> seen(chunk.groups);
  CountReader(frame, chunk, diagnostics)
      .each(plan.features[0],
            [&](int g, double count, double weight) { seen[g].emplace_back(count + 0.0, weight); });
  points = sorted_points(seen);
}

void NegativeBinomial::Statistics::merge(const Plan&, const Statistics& other) {
  for (std::size_t g = 0; g < points.size(); ++g) {
    points[g] = unite_points(points[g], other.points[g]);
  }
}

double NegativeBinomial::log_gain(const Points& points, double mean, double size) {
  double gain = 0, loss = 0;
  for (Index i = 0; i < points.rows(); ++i) {
    const double x = points(i, 0), weight = points(i, 1), whole = mean + size;
    gain += weight * digamma_gap_fall(size, x);
    loss += weight * log_excess((x - mean) / whole, (x + size) / whole);
  }
  return std::log(gain) - std::log(loss);
}

double NegativeBinomial::size_of(const Points& points, double mean, double variance) {
  constexpr double kFarthest =
      40;  // from the log of the estimate by moments; farther away all digits are lost
  if (!(variance > mean)) return CountLaw::kPoisson;
  const double start = 2 * std::log(mean) - std::log(variance - mean);
  const auto gain = [&](double log_size) { return log_gain(points, mean, std::exp(log_size)); };
  double step = 1, low = start, high = start;
  for (; !(gain(low) > 0) && low > start - 600; step *= 2) low -= step;
  for (step = 1; gain(high) > 0; step *= 2) {
    if (high > start + kFarthest) return CountLaw::kPoisson;
    high += step;
  }
  return std::exp(find_root(gain, low, high));
}

NegativeBinomial::Parameters NegativeBinomial::estimate(const Plan& plan,
                                                        const Statistics& statistics,
                                                        const Options&, const Classes& classes,
                                                        Diagnostics& diagnostics) {
  const Matrix open = Matrix::Constant(classes.count(), 1, kNaN);
  Parameters p{open, open};
  for (int g = 0; g < classes.count(); ++g) {
    if (!classes.has_rows(g)) continue;
    const Points points =
        points_or_pooled(statistics.points, g, plan.features[0], classes, diagnostics);
    const auto value = points.col(0).array(), weight = points.col(1).array();
    const double total = weight.sum(), mean = (value * weight).sum() / total;
    const double variance = ((value - mean).square() * weight).sum() / total;
    p.mean(g, 0) = mean;
    if (!(total > 0)) continue;
    if (std::isfinite(variance)) p.size(g, 0) = size_of(points, mean, variance);
    const bool many = std::isfinite(mean) && mean > kMostCount;
    if (!p.sound(g)) {
      diagnostics.add(many ? kTooMany : Problem::overflow, g, plan.features[0], total);
    }
  }
  return p;
}

double NegativeBinomial::log_likelihood(const Plan&, const Statistics& statistics,
                                        const Parameters& parameters) {
  double total = 0;
  for (std::size_t g = 0; g < statistics.points.size(); ++g) {
    const Points& points = statistics.points[g];
    const CountLaw law = parameters.law(static_cast<int>(g));
    for (Index i = 0; i < points.rows(); ++i) {
      total += times_log(points(i, 1), law.log_probability(points(i, 0)));
    }
  }
  return total;
}

NegativeBinomialLaws::NegativeBinomialLaws(const NegativeBinomial::Parameters& parameters) {
  for (Index k = 0; k < parameters.size.rows(); ++k) {
    of_class.push_back(parameters.law(static_cast<int>(k)));
  }
}

NegativeBinomial::Drawer::Drawer(const Plan& plan, const Parameters& parameters) : plan_(plan) {
  for (Index k = 0; k < parameters.size.rows(); ++k) {
    classes_.emplace_back(parameters.law(static_cast<int>(k)));
  }
}

NegativeBinomial::Drawer::OfClass::OfClass(const CountLaw& law) : tails(law) {
  if (!law.sound() || law.mean == 0) {
    cumulative = {1};
  } else if (tails.width() <= kMost) {
    fill();
  }
}

void NegativeBinomial::Drawer::OfClass::fill() {
  const double mode = tails.mode();
  tails.each_below(mode, 0, [&](double term) { cumulative.push_back(term); });
  first = mode - static_cast<double>(cumulative.size());
  std::reverse(cumulative.begin(), cumulative.end());
  cumulative.push_back(1);
  const double last = -kNegativeInfinity;
  tails.each_above(mode, last, [&](double term) { cumulative.push_back(term); });
  double sum = 0;
  for (double& term : cumulative) term = sum += term;
}

double NegativeBinomial::Drawer::OfClass::search(double u) const {
  const auto beyond = [&](double n) {
    const Tails at = tails.tails(n + 1);
    return u < 0.5 ? at.lower > u : at.upper < 1 - u;
  };
  double low = -1, high = std::max(1.0, tails.mode());
  while (!beyond(high)) {
    low = high;
    high *= 2;
  }
  while (high - low > 1) {
    const double middle = std::floor(low + 0.5 * (high - low));
    if (!(low < middle && middle < high)) break;
    (beyond(middle) ? high : low) = middle;
  }
  return high;
}

BAYESRISK_LIKELIHOOD(NegativeBinomial)

}  // namespace bayesrisk
