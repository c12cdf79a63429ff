#include <engine/likelihood/contract/adapter.hpp>
#include <engine/likelihood/points/empirical.hpp>

namespace bayesrisk {

void Empirical::Statistics::merge(const Plan&, const Statistics& other) {
  for (std::size_t g = 0; g < points.size(); ++g) {
    points[g] = unite_points(points[g], other.points[g]);
  }
}

Empirical::Parameters Empirical::estimate(const Plan& plan, const Statistics& statistics,
                                          const Options&, const Classes& classes,
                                          Diagnostics& diagnostics) {
  Parameters p{std::vector<Points>(classes.weight.size(), Points(0, 2))};
  for (int g = 0; g < classes.count(); ++g) {
    if (!classes.has_rows(g)) continue;
    const Points points =
        points_or_pooled(statistics.points, g, plan.features[0], classes, diagnostics);
    const double weight = points.col(1).sum();
    if (std::isinf(weight)) diagnostics.add(Problem::overflow, g, plan.features[0], weight);
    p.points[g] = with_log_shares(points);
  }
  return p;
}

double Empirical::log_likelihood(const Plan&, const Statistics& statistics,
                                 const Parameters& parameters) {
  double total = 0;
  for (std::size_t g = 0; g < statistics.points.size(); ++g) {
    // A class without values of its own has those of all classes.
    require(statistics.points[g].rows() <= parameters.points[g].rows(), "points of no row");
    for (Index i = 0; i < statistics.points[g].rows(); ++i) {
      total += times_log(statistics.points[g](i, 1), parameters.points[g](i, 1));
    }
  }
  return total;
}

Atoms::OfClass Empirical::marginal(const Plan&, const Parameters& p, int k, int, double) {
  const auto column = [&](Index j) {
    const auto of = p.points[k].col(j);
    return Vector(of.data(), of.data() + of.size());
  };
  return {column(0), column(1)};
}

void Empirical::Scorer::add(const Frame& frame, int from, int to, Tile& tile) const {
  if (from == to) return;
  const double* x = load_tile_numbers(frame.columns[plan_.features[0]], tile);
  for (int r = 0; r < tile.rows; ++r) {
    if (!std::isfinite(x[r])) continue;
    for (int k = 0; k < tile.classes; ++k) tile.of_class(k)[r] += log_probability(k, x[r]);
  }
}

double Empirical::Scorer::log_probability(int k, double x) const {
  const Points& points = parameters_.points[k];
  if (points.rows() == 0) return kNaN;
  const Index place = values_[k].up_to(x) - 1;
  return place >= 0 && points(place, 0) == x ? points(place, 1) : kNegativeInfinity;
}

BAYESRISK_LIKELIHOOD(Empirical)

}  // namespace bayesrisk
