#include <engine/evaluation/monitor_sample.hpp>

namespace bayesrisk {

RowLikelihoods::RowLikelihoods(const Scorer& scorer, const Vector& factors, const Frame& frame,
                               const Context& context)
    : likelihood(frame.rows, scorer.classes()),
      evidence(static_cast<std::size_t>(frame.rows)),
      weight(evidence),
      report(read_prior_rows(scorer, frame, factors,
                             {likelihood.data(), evidence.data(), weight.data()}, context)) {}

Matrix RowLikelihoods::posterior(const Vector& prior) const {
  const Eigen::Map<const Eigen::RowVectorXd> share(prior.data(), static_cast<Index>(prior.size()));
  Matrix result = likelihood.array().rowwise() * share.array();
  for (Index r = 0; r < result.rows(); ++r) {
    if (evidence[static_cast<std::size_t>(r)] > 0) {
      result.row(r) /= result.row(r).sum();
    } else {
      result.row(r).setConstant(kNaN);
    }
  }
  return result;
}

SampleParts drawn_parts(const ModelPlan& plan, const ModelParameters& model,
                        const ParameterPosterior* posterior, int features, std::uint64_t seed) {
  constexpr Index kParts = 100, kMostRows = 500, kFewestRows = 40;
  constexpr double kNumbers = 1e7;
  const double row = std::max(features + plan.groups, 1);
  const Index rows =
      std::clamp(static_cast<Index>(kNumbers / row / kParts), kFewestRows, kMostRows);
  // Rows are drawn from the complement of the seed, so parameters do not use the same numbers.
  return {kParts, rows, [&plan, &model, posterior, seed, rows](Index part, const auto& visit) {
            const auto number = static_cast<std::uint64_t>(part);
            const ModelParameters truth = posterior ? posterior->draw(plan, seed, number) : model;
            RandomLaws random(~seed, number);
            const Drawer drawer(plan, truth.banks);
            DrawnRows drawn(drawer.levels(), rows);
            const IntVector group = draw_cases(
                drawer, truth.prior, rows, [&] { return random.uniform(); }, drawn);
            visit(drawn.frame(), group);
          }};
}

double ClassMoments::variance(Index function, Index k) const {
  const double n = count(function, k), middle = mean(function, k);
  return n > 1 ? std::max(squares(function, k) / n - middle * middle, 0.0) : 0.0;
}

MonitorSample::MonitorSample(const Scorer& scorer, const Vector& factors, const SampleParts& parts,
                             const Context& context)
    : rows(static_cast<std::size_t>(scorer.classes()), 0.0),
      posterior(parts.parts * parts.rows, scorer.classes()) {
  constexpr Index kUsualRows = 2000;
  const IntVector levels = feature_levels(scorer.plan());
  UsualValues usual;
  for (Index part = 0; part < parts.parts && part * parts.rows < kUsualRows; ++part) {
    parts.read(part, [&](const Frame& frame, const IntVector& of_row) {
      usual.add(frame, levels, of_row);
    });
  }
  features = WatchedFeatures(scorer.plan(), usual, blocks_of(scorer.plan()).size() > 1);
  without = with = ClassMoments(features.count(), scorer.classes());
  for (Index part = 0; part < parts.parts; ++part) {
    context.check();
    parts.read(part, [&](const Frame& frame, const IntVector& of_row) {
      posterior.middleRows(part * parts.rows, parts.rows) =
          RowLikelihoods(scorer, factors, frame, context).posterior(scorer.prior());
      group.insert(group.end(), of_row.begin(), of_row.end());
      for (int k : of_row) ++rows[static_cast<std::size_t>(k)];
      add_functions(OtherFeatures(scorer, factors, frame, context), frame, of_row);
    });
  }
}

void MonitorSample::add_functions(const OtherFeatures& others, const Frame& frame,
                                  const IntVector& of_row) {
  Matrix by_others;
  for (Index f = 0; f < features.count(); ++f) {
    const bool uses = features.others[static_cast<std::size_t>(f)] != 0;
    if (uses && features.is_first(f)) {
      by_others = others.posterior(features.feature[static_cast<std::size_t>(f)]);
    }
    for (Index r = 0; r < frame.rows; ++r) {
      const int k = of_row[static_cast<std::size_t>(r)];
      const double* beliefs = uses ? by_others.data() + r : nullptr;
      const double value = features.value(f, frame, r, -1, beliefs, frame.rows);
      if (std::isnan(value)) continue;
      without.add(f, k, value);
      const double own = uses ? kNaN : features.value(f, frame, r, k, nullptr, 0);
      if (!std::isnan(own)) with.add(f, k, own);
    }
  }
}

}  // namespace bayesrisk
