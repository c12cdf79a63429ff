#include "context.h"
#include "decisions.h"
#include "fresh.h"
#include "model.h"

#include <engine/evaluation/prior_check.hpp>
#include <engine/evaluation/prior_cost.hpp>
#include <engine/evaluation/prior_interval.hpp>
#include <engine/evaluation/prior_sample.hpp>
#include <engine/evaluation/prior_training.hpp>
#include <engine/model/parameter_posterior.hpp>

using namespace bayesrisk;

namespace {

// The numbers of a list that must have a length.
const double* read_numbers(const Rcpp::List& list, const char* name, R_xlen_t length) {
  SEXP numbers = bind::element(list, name);
  require(TYPEOF(numbers) == REALSXP && Rf_xlength(numbers) == length, "rows: wrong length");
  return REAL_RO(numbers);
}

Index read_count(const Rcpp::List& list) {
  return static_cast<Index>(Rcpp::as<double>(bind::element(list, "rows")));
}

// Null if there are none. check_clusters() checks the codes, which are those of all pieces.
const int* read_clusters(const Rcpp::List& list, Index rows) {
  SEXP cluster = list.containsElementNamed("cluster") ? list["cluster"] : R_NilValue;
  if (cluster == R_NilValue) return nullptr;
  require(TYPEOF(cluster) == INTSXP && Rf_xlength(cluster) == rows, "cluster: wrong length");
  return INTEGER_RO(cluster);
}

// A result of prior_rows_cpp(). Its `cluster` is absent if rows are independent.
PriorPiece read_piece(const Rcpp::List& list, int classes) {
  PriorPiece piece;
  piece.rows = read_count(list);
  piece.likelihood = read_numbers(list, "likelihood", piece.rows * classes);
  piece.evidence = read_numbers(list, "evidence", piece.rows);
  piece.weight = read_numbers(list, "weight", piece.rows);
  piece.cluster = read_clusters(list, piece.rows);
  return piece;
}

std::vector<PriorPiece> read_pieces(const Rcpp::List& list, int classes) {
  std::vector<PriorPiece> pieces;
  for (SEXP piece : list) pieces.push_back(read_piece(piece, classes));
  return pieces;
}

template <class Piece>
void check_clusters(const std::vector<Piece>& pieces, int clusters) {
  if (clusters == 0) return;
  for (const Piece& piece : pieces) {
    require(piece.cluster != nullptr, "cluster: missing");
    for (Index r = 0; r < piece.rows; ++r) {
      const int least = piece.evidence[r] > 0 ? 1 : 0;
      require(piece.cluster[r] >= least && piece.cluster[r] <= clusters, "cluster: wrong number");
    }
  }
}

// The lower and upper ends of the open classes, NA for the others.
std::pair<Vector, Vector> find_intervals(const PriorEvidence& evidence, const PriorFit& fit,
                                         const Vector& most, const IntVector& open,
                                         const Context& context) {
  const int classes = evidence.classes();
  std::pair<Vector, Vector> ends{Vector(classes, NA_REAL), Vector(classes, NA_REAL)};
  IntVector found;
  for (int k = 0; k < classes; ++k) {
    if (open[k]) found.push_back(k);
  }
  if (found.size() > 1 && std::isnan(most[found[0]])) return ends;
  if (found.size() == 1) ends.first[found[0]] = ends.second[found[0]] = 1;
  if (found.size() < 2) return ends;
  const Context alone = context.within_task();
  const PriorEvidence own = evidence.with(alone);
  const PriorInterval interval(own, fit, most);
  context.run(2 * static_cast<Index>(found.size()), [&](Index i) {
    const int k = found[i / 2];
    (i % 2 == 0 ? ends.first : ends.second)[k] = i % 2 == 0 ? interval.lower(k) : interval.upper(k);
  });
  return ends;
}

// Rows of a sample, by their numbers, with the likelihoods by `others`: see PriorSample.
Rcpp::List read_sample(const PriorSampler& sampler, const Frame& frame, const PriorColumns& all,
                       Index rows, int classes, std::size_t others, const Context& context) {
  auto together = bind::fresh<Rcpp::NumericVector>(rows * classes);
  auto likelihood = bind::fresh<Rcpp::NumericVector>(rows * classes * static_cast<Index>(others));
  auto evidence = bind::fresh<Rcpp::NumericVector>(rows);
  Rcpp::NumericVector row(rows);
  for (Index i = 0; i < rows; ++i) {
    row[i] =
        static_cast<double>(first_of_run(frame.rows, rows, i / kSampleRun) + i % kSampleRun + 1);
  }
  const PriorSample sample{rows, together.begin(), likelihood.begin(), evidence.begin()};
  if (rows > 0) sampler.read(frame, all, sample, context);
  return bind::named_list({{"rows", static_cast<double>(rows)},
                           {"row", row},
                           {"together", together},
                           {"others", likelihood},
                           {"evidence", evidence}});
}

SampledRows read_sampled(const Rcpp::List& sample, int classes, int others) {
  const Index rows = read_count(sample);
  return {rows, read_numbers(sample, "together", rows * classes),
          read_numbers(sample, "others", rows * classes * others),
          read_numbers(sample, "evidence", rows), read_clusters(sample, rows)};
}

// The densities under draws of the parameters of a model with hyperparameters.
class DrawnDensities {
 public:
  DrawnDensities(const bind::Model& centre, const bind::Model& model, int draws, Index rows) {
    const ParameterPosterior posterior = centre.posterior({});
    for (int d = 0; d < draws; ++d) {
      draws_.push_back(std::make_unique<ModelParameters>(
          posterior.draw(centre.plan, 1, static_cast<std::uint64_t>(d))));
      scorers_.push_back(std::make_unique<Scorer>(centre.plan, draws_.back()->banks, model.prior,
                                                  rows, model.tempering));
    }
  }

  std::vector<PriorSampler::Density> densities() const {
    std::vector<PriorSampler::Density> result;
    for (const auto& scorer : scorers_) {
      result.push_back(
          [&of = *scorer](const Frame& frame, Tile& tile) { of.add_all(frame, tile); });
    }
    return result;
  }

 private:
  std::vector<std::unique_ptr<ModelParameters>> draws_;
  std::vector<std::unique_ptr<Scorer>> scorers_;
};

}  // namespace

// The relative likelihoods of the classes in rows. `most`: the rows of a sample in which the
// likelihoods of single `features` (from 1) are read, and of one in which those under `draws` of
// the parameters are; `centre`: the model with hyperparameters, or NULL. Classes of prior 0 have no
// likelihood.
// [[Rcpp::export(rng = false)]]
Rcpp::List prior_rows_cpp(Rcpp::List model, SEXP centre, Rcpp::List frame, SEXP weight,
                          Rcpp::IntegerVector features, int draws, Rcpp::NumericVector most,
                          int threads) {
  const bind::Model scored(model);
  const Context context = bind::make_context(threads);
  const Frame data = bind::read_data(scored, frame, {context});
  const Scorer scorer(scored.plan, scored.parameters, scored.prior, data.rows, scored.tempering);
  const Vector factors = log_factors(scored.prior, scored.tempering);
  const int classes = scorer.classes();
  auto likelihood = bind::fresh<Rcpp::NumericVector>(data.rows * classes);
  auto evidence = bind::fresh<Rcpp::NumericVector>(data.rows);
  auto weights = bind::fresh<Rcpp::NumericVector>(data.rows);
  const double* given = bind::read_weight(weight, data.rows);
  const PriorColumns out{likelihood.begin(), evidence.begin(), weights.begin(), given};
  const PriorReport report = read_prior_rows(scorer, data, factors, out, context);
  const auto sample = [&](const std::vector<PriorSampler::Density>& others, const Vector& by,
                          int which) {
    const PriorSampler sampler(others, by);
    return read_sample(sampler, data, out, sample_size(data.rows, static_cast<Index>(most[which])),
                       classes, others.size(), context);
  };
  const Scorer untempered(scored.plan, scored.parameters, scored.prior, data.rows);
  std::vector<PriorSampler::Density> alone;
  for (int feature : features) {
    require(feature >= 1 && feature <= static_cast<int>(data.columns.size()), "no such feature");
    alone.push_back(LoneFeature(scored.plan, untempered, feature - 1));
  }
  Rcpp::List drawn;
  if (centre != R_NilValue) {
    const bind::Model at{Rcpp::List(centre)};
    drawn = sample(DrawnDensities(at, scored, draws, data.rows).densities(), factors, 1);
  } else {
    drawn = sample({}, factors, 1);
  }
  return bind::named_list({{"rows", static_cast<double>(data.rows)},
                           {"likelihood", likelihood},
                           {"evidence", evidence},
                           {"weight", weights},
                           {"log_scale", report.log_scale},
                           {"used", static_cast<double>(report.used)},
                           {"uninformed", static_cast<double>(report.uninformed)},
                           {"report", bind::write_report(report.score)},
                           {"sample", sample(alone, log_factors(scored.prior, Tempering()), 0)},
                           {"drawn", drawn}});
}

// The same for posterior probabilities, rows x classes, that contain a prior. `most`: the rows of
// the sample for the errors of the densities.
// [[Rcpp::export(rng = false)]]
Rcpp::List posterior_rows_cpp(Rcpp::NumericMatrix posterior, Rcpp::NumericVector prior, SEXP weight,
                              double most) {
  const Index rows = posterior.nrow(), classes = posterior.ncol();
  require(prior.size() == classes, "prior: wrong length");
  const double* weights = bind::read_weight(weight, rows);
  Matrix likelihood(rows, classes);
  Vector evidence(static_cast<std::size_t>(rows), 0.0);
  Index used = 0, counted = 0;
  for (Index r = 0; r < rows; ++r) {
    const double given = weights ? weights[r] : 1.0;
    double largest = 0;
    bool known = true;
    for (Index k = 0; k < classes; ++k) {
      known = known && !std::isnan(posterior(r, k));
      likelihood(r, k) = prior[k] > 0 ? posterior(r, k) / prior[k] : 0.0;
      largest = std::max(largest, likelihood(r, k));
    }
    counted += given > 0;
    if (!known || !(largest > 0) || !(given > 0)) {
      likelihood.row(r).setOnes();
      continue;
    }
    likelihood.row(r) /= largest;
    evidence[static_cast<std::size_t>(r)] = given;
    ++used;
  }
  const Index step =
      std::max<Index>(1, static_cast<Index>(std::ceil(static_cast<double>(rows) / most)));
  Vector sampled;
  for (Index r = 0; r < rows; r += step) sampled.push_back(evidence[static_cast<std::size_t>(r)]);
  Matrix together(static_cast<Index>(sampled.size()), classes);
  for (Index i = 0; i < together.rows(); ++i) together.row(i) = likelihood.row(i * step);
  return bind::named_list(
      {{"rows", static_cast<double>(rows)},
       {"likelihood", likelihood},
       {"evidence", evidence},
       {"weight", evidence},
       {"log_scale", 0.0},
       {"used", static_cast<double>(used)},
       {"uninformed", static_cast<double>(counted - used)},
       {"drawn", bind::named_list({{"rows", static_cast<double>(together.rows())},
                                   {"together", together},
                                   {"others", Vector{}},
                                   {"evidence", sampled}})}});
}

// The maximum likelihood of the prior, from `start`, and the ends of the intervals of the classes
// that are open: where the deviance is `most`, times what the errors of the densities add.
// `most` is NA if there are no intervals. `model`: the prior to compare with; `cases`: the training
// rows of each class, infinite if its density is known; `draws`: those of the samples; `clusters`:
// those of the pieces, 0 if rows are independent.
// [[Rcpp::export(rng = false)]]
Rcpp::List prior_fit_cpp(Rcpp::List pieces, Rcpp::NumericVector start, Rcpp::NumericVector model,
                         Rcpp::LogicalVector open, Rcpp::NumericVector cases, int draws,
                         double most, int clusters, int threads) {
  const int classes = static_cast<int>(start.size());
  require(model.size() == classes && open.size() == classes && cases.size() == classes,
          "prior: wrong length");
  const Context context = bind::make_context(threads);
  const std::vector<PriorPiece> rows = read_pieces(pieces, classes);
  check_clusters(rows, clusters);
  const PriorEvidence evidence(rows, classes, context);
  const IntVector possible = Rcpp::as<IntVector>(open);
  const Vector known = Rcpp::as<Vector>(cases);
  double scale = 0;
  std::vector<SampledRows> drawn;
  for (SEXP piece : pieces) {
    scale += Rcpp::as<double>(bind::element(piece, "log_scale"));
    drawn.push_back(read_sampled(bind::element(piece, "drawn"), classes, draws));
  }
  const PriorFit fit = PriorSolver(evidence).solve(bind::as_vector(start));
  const TrainingError error(drawn, draws, known, context);
  const auto added = [&](const Eigen::VectorXd& prior, const Matrix& information) -> Matrix {
    return error.covariance(prior) +
           cluster_covariance(rows, clusters, prior, information, evidence.total());
  };
  Vector limit = variance_growth(fit, added(fit.prior, fit.curvature->information()),
                                 evidence.total(), possible);
  for (double& growth : limit) growth *= most;
  const auto ends = find_intervals(evidence, fit, limit, possible, context);
  const LogLikelihood there = evidence.at(bind::as_vector(model));
  const double share = deviance_share(there, added(bind::as_vector(model), there.information),
                                      evidence.total(), possible);
  return bind::named_list({{"prior", fit.prior},
                           {"lower", ends.first},
                           {"upper", ends.second},
                           {"log_likelihood", fit.at.value + scale},
                           {"deviance", 2 * (fit.at.value - there.value) * share},
                           {"iterations", fit.iterations},
                           {"gap", fit.gap}});
}

// The mean cost per case, expected under `prior`, of deciding by the prior of the model and by
// `prior`. `costs`: for each piece a result of read_cost().
// [[Rcpp::export(rng = false)]]
Rcpp::List prior_costs_cpp(Rcpp::List pieces, Rcpp::List costs, Rcpp::NumericVector model,
                           Rcpp::NumericVector prior, int threads) {
  const int classes = static_cast<int>(prior.size());
  require(costs.size() == pieces.size() && model.size() == classes, "costs: wrong length");
  const Context context = bind::make_context(threads);
  const Vector kept = Rcpp::as<Vector>(model), fresh = Rcpp::as<Vector>(prior);
  PriorCosts total;
  for (R_xlen_t i = 0; i < pieces.size(); ++i) {
    const PriorPiece piece = read_piece(pieces[i], classes);
    const bind::ActionCost cost(costs[i], classes, piece.rows);
    total.merge(prior_costs(piece, kept, fresh, cost.cost, context));
  }
  const bool any = total.weight > 0;
  return bind::named_list({{"kept", any ? total.kept / total.weight : NA_REAL},
                           {"fresh", any ? total.fresh / total.weight : NA_REAL},
                           {"unpriced", static_cast<double>(total.unpriced)}});
}

// For each of `features` its test and its prior: list(statistic, degrees, prior (class x feature)),
// or an empty list. `samples`: those of prior_rows_cpp(), with `clusters`; `cases`: the training
// rows of each class.
// [[Rcpp::export(rng = false)]]
Rcpp::List prior_check_cpp(Rcpp::List samples, Rcpp::NumericVector start, Rcpp::NumericVector cases,
                           int features, int clusters, int threads) {
  const int classes = static_cast<int>(start.size());
  require(cases.size() == classes, "cases: wrong length");
  std::vector<SampledRows> rows;
  for (SEXP sample : samples) rows.push_back(read_sampled(sample, classes, features));
  const Context context = bind::make_context(threads);
  const Vector known = Rcpp::as<Vector>(cases);
  check_clusters(rows, clusters);
  PriorCheck check(rows, classes, known, clusters, context);
  if (!check.fit(bind::as_vector(start))) return Rcpp::List();
  Rcpp::NumericVector statistic(features);
  Rcpp::IntegerVector degrees(features);
  Rcpp::NumericMatrix prior(classes, features);
  for (int j = 0; j < features; ++j) {
    const FeatureCheck found = check.check(j);
    statistic[j] = found.statistic;
    degrees[j] = found.degrees;
    const Eigen::VectorXd own = check.prior_by(j, bind::as_vector(start));
    std::copy_n(own.data(), classes, prior.begin() + static_cast<R_xlen_t>(j) * classes);
  }
  return bind::named_list({{"statistic", statistic}, {"degrees", degrees}, {"prior", prior}});
}
