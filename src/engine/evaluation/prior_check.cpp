#include <engine/core/decompositions.hpp>
#include <engine/evaluation/prior_check.hpp>
#include <engine/evaluation/prior_cost.hpp>
#include <engine/evaluation/prior_rows.hpp>
#include <engine/evaluation/prior_sample.hpp>

namespace bayesrisk {

PriorCheck::PriorCheck(std::vector<SampledRows> samples, int classes, const Vector& cases,
                       const Context& context)
    : samples_(std::move(samples)),
      classes_(classes),
      cases_(cases),
      context_(context),
      evidence_(pieces(kTogether), classes, context) {}

bool PriorCheck::fit(const Eigen::VectorXd& start) {
  if (!(evidence_.total() > 0)) return false;
  prior_ = PriorSolver(evidence_).solve(start).prior;
  reference_ = 0;
  for (int k = 1; k < classes_; ++k) {
    if (prior_[k] > prior_[reference_]) reference_ = k;
  }
  for (int k = 0; k < classes_; ++k) {
    if (k != reference_ && prior_[k] * evidence_.total() >= kFewestCases) free_.push_back(k);
  }
  return !free_.empty();
}

FeatureCheck PriorCheck::check(int feature) const {
  const auto size = static_cast<Index>(free_.size());
  Sums sums(size);
  for (const SampledRows& sample : samples_) {
    sums = merge_by_rows(sample.rows, context_, sums, [&](Index first, Index last) {
      context_.check();
      return sum(sample, feature, first, last);
    });
  }
  return test(sums);
}

PriorCheck::Sums::Sums(Index size)
    : s(Eigen::VectorXd::Zero(size)),
      tt(Matrix::Zero(size, size)),
      st(tt),
      vtt(tt),
      vst(tt),
      vss(tt) {}

void PriorCheck::Sums::merge(const Sums& other) {
  total += other.total;
  s += other.s;
  tt += other.tt;
  st += other.st;
  vtt += other.vtt;
  vst += other.vst;
  vss += other.vss;
}

std::vector<PriorPiece> PriorCheck::pieces(int feature) const {
  std::vector<PriorPiece> result;
  for (const SampledRows& s : samples_) {
    const double* likelihood = feature == kTogether ? s.together : of_feature(s, feature);
    result.push_back({s.rows, likelihood, s.evidence, nullptr});
  }
  return result;
}

PriorCheck::Sums PriorCheck::sum(const SampledRows& sample, int feature, Index first,
                                 Index last) const {
  const auto size = static_cast<Index>(free_.size());
  Sums sums(size);
  Eigen::VectorXd s(size), t(size);
  const double* alone = of_feature(sample, feature);
  for (Index r = first; r < last; ++r) {
    const double weight = sample.evidence[r];
    if (!(weight > 0)) continue;
    if (r % kRowsAtOnce == 0) context_.check();
    slopes(alone + r, sample.rows, s);
    const double learned = slopes(sample.together + r, sample.rows, t);
    const double variance = weight * (weight / evidence_.total() + learned);
    sums.total += weight;
    sums.s += weight * s;
    sums.tt.noalias() += weight * t * t.transpose();
    sums.st.noalias() += weight * s * t.transpose();
    sums.vtt.noalias() += variance * t * t.transpose();
    sums.vst.noalias() += variance * s * t.transpose();
    sums.vss.noalias() += variance * s * s.transpose();
  }
  return sums;
}

double PriorCheck::slopes(const double* likelihood, Index rows, Eigen::VectorXd& slope) const {
  double mixture = 0, learned = 0;
  for (int k = 0; k < classes_; ++k) {
    const double joint = prior_[k] * likelihood[k * rows];
    mixture += joint;
    if (joint > 0) learned += joint * prior_[k] / cases_[k];
  }
  if (!(mixture > 0)) mixture = 1;
  const double base = likelihood[reference_ * rows];
  for (std::size_t i = 0; i < free_.size(); ++i) {
    slope[static_cast<Index>(i)] = (likelihood[free_[i] * rows] - base) / mixture;
  }
  return learned / mixture;
}

FeatureCheck PriorCheck::test(const Sums& sums) const {
  const Matrix by = solve_semidefinite(sums.tt, sums.st.transpose()).transpose();
  const Matrix cross = by * sums.vst.transpose();
  const Matrix variance =
      (sums.vss - cross - cross.transpose() + by * sums.vtt * by.transpose()) / sums.total;
  const Eigen::VectorXd mean = sums.s / sums.total;
  const SymmetricEigen eigen = eigen_of_symmetric(variance);
  const double unit = sums.vss.trace() / sums.total;
  FeatureCheck result;
  for (Index i = 0; i < mean.size(); ++i) {
    const double spread = eigen.values[i];
    if (!(spread > kSingular * unit)) continue;
    const double along = eigen.vectors.col(i).dot(mean);
    result.statistic += along * along / spread;
    ++result.degrees;
  }
  return result;
}

void PriorReport::merge(const PriorReport& other) {
  score.merge(other.score);
  used += other.used;
  uninformed += other.uninformed;
  log_scale += other.log_scale;
}

Vector log_factors(const Vector& prior, const Tempering& tempering) {
  Vector factors(prior.size(), 0.0);
  for (std::size_t k = 0; k < prior.size(); ++k) {
    if (!tempering.empty()) factors[k] = tempering.offset[k];
    if (prior[k] == 0) factors[k] = kNegativeInfinity;
  }
  return factors;
}

void RelativeLikelihoods::read(Tile& tile) {
  find_uninformed(tile);
  posterior_.negate_log_joints(tile, factors_);
  posterior_.evaluate(tile);
  tile_ = &tile;
}

void RelativeLikelihoods::find_uninformed(const Tile& tile) {
  std::fill(uninformed_.begin(), uninformed_.end(), 1);
  for (int k = 0; k < tile.classes; ++k) {
    if (factors_[k] == kNegativeInfinity) continue;
    const double* l = tile.of_class(k);
    for (int r = 0; r < tile.rows; ++r) uninformed_[r] &= l[r] == 0.0;
  }
}

PriorTask::PriorTask(const Scorer& scorer, const Frame& frame, const Vector& factors,
                     const PriorColumns& out)
    : scorer_(scorer),
      frame_(frame),
      out_(out),
      tile_(scorer.classes(), static_cast<int>(frame.columns.size())),
      likelihoods_(factors, tile_.capacity),
      report_(static_cast<int>(frame.columns.size())) {}

PriorReport PriorTask::run(Index first, Index last, const Context& context) {
  for (Index begin = first; begin < last; begin += tile_.rows) {
    context.check();
    tile_.start(begin, last);
    scorer_.add_all(frame_, tile_);
    likelihoods_.read(tile_);
    for (int r = 0; r < tile_.rows; ++r) write(r);
    report_.score.count_flags(tile_);
  }
  report_.score.unknown_by_feature = tile_.unknown;
  report_.score.malformed_by_feature = tile_.malformed;
  return report_;
}

void PriorTask::write(int r) {
  const Index row = tile_.begin + r;
  const double weight = out_.given_of(row);
  const bool infinite = tile_.flagged(r, kInfinite), lost = infinite || likelihoods_.impossible(r);
  if (lost && !infinite && ++report_.score.impossible == 1) report_.score.first_impossible = row;
  const bool counts = !lost && weight > 0, informed = counts && !likelihoods_.uninformed(r);
  for (int k = 0; k < tile_.classes; ++k) {
    out_.likelihood[k * frame_.rows + row] = counts ? likelihoods_.of(k, r) : 1.0;
  }
  out_.evidence[row] = informed ? weight : 0.0;
  out_.weight[row] = counts ? weight : 0.0;
  report_.used += informed;
  report_.uninformed += counts && !informed;
  if (informed) report_.log_scale += weight * likelihoods_.log_largest(r);
}

PriorReport read_prior_rows(const Scorer& scorer, const Frame& frame, const Vector& factors,
                            const PriorColumns& out, const Context& context) {
  const PriorReport none(static_cast<int>(frame.columns.size()));
  return merge_by_rows(
      frame.rows, context, none,
      [&](Index first, Index last) {
        return PriorTask(scorer, frame, factors, out).run(first, last, context);
      },
      rows_of_run(frame));
}

LoneFeature::LoneFeature(const ModelPlan& plan, const Scorer& scorer, int feature)
    : scorer_(scorer) {
  for (const BlockMembers& block : blocks_of(plan)) {
    const IntVector members = features_of(plan, block);
    if (std::find(members.begin(), members.end(), feature) == members.end()) continue;
    block_ = block;
    for (int other : members) {
      if (other != feature) missing_.push_back(other);
    }
  }
}

void LoneFeature::operator()(Frame frame, Tile& tile) const {
  for (int feature : missing_) {
    Column& column = frame.columns[static_cast<std::size_t>(feature)];
    if (column.real) {
      column.real = no_numbers().data();
    } else {
      column.integer = no_integers().data();
    }
  }
  scorer_.add_members(frame, block_, tile);
}

void PriorSampler::read(const Frame& frame, const double* weight, const PriorSample& out,
                        const Context& context) const {
  const Index runs = (out.rows + kSampleRun - 1) / kSampleRun;
  context.run(runs, [&](Index i) {
    context.check();
    const Index at = i * kSampleRun, count = std::min(kSampleRun, out.rows - at);
    const Index first = out.rows == frame.rows ? at : i * (frame.rows / runs);
    read_run(part_of(frame, first, count), weight ? weight + first : nullptr, at, out);
  });
}

void PriorSampler::read_run(const Frame& frame, const double* weight, Index at,
                            const PriorSample& out) const {
  const int classes = scorer_.classes();
  Tile tile(classes, static_cast<int>(frame.columns.size()));
  RelativeLikelihoods together(factors_, tile.capacity), other(other_factors_, tile.capacity);
  for (Index begin = 0; begin < frame.rows; begin += tile.rows) {
    tile.start(begin, frame.rows);
    scorer_.add_all(frame, tile);
    together.read(tile);
    for (int r = 0; r < tile.rows; ++r) {
      const Index row = begin + r;
      const bool lost = tile.flagged(r, kInfinite) || together.impossible(r);
      const bool counts = !lost && !together.uninformed(r);
      out.evidence[at + row] = !counts ? 0.0 : weight ? weight[row] : 1.0;
      write(together, !counts, r, at + row, classes, out.rows, out.together);
    }
    for (std::size_t j = 0; j < others_.size(); ++j) {
      tile.start(begin, frame.rows);
      others_[j](frame, tile);
      other.read(tile);
      double* to = out.others + static_cast<Index>(j) * classes * out.rows;
      for (int r = 0; r < tile.rows; ++r) {
        const bool lost = tile.flagged(r, kInfinite) || other.impossible(r);
        write(other, lost, r, at + begin + r, classes, out.rows, to);
      }
    }
  }
}

void PriorCosts::merge(const PriorCosts& other) {
  weight += other.weight;
  kept += other.kept;
  fresh += other.fresh;
  unpriced += other.unpriced;
}

PriorCostTask::PriorCostTask(const PriorPiece& piece, const Vector& old_prior, const Vector& prior,
                             const CaseCost& cost)
    : piece_(piece),
      classes_(static_cast<int>(prior.size())),
      capacity_(Tile::fitting_rows(classes_)),
      old_prior_(old_prior),
      prior_(prior),
      old_weight_(static_cast<std::size_t>(classes_) * capacity_),
      weight_(old_weight_.size()),
      old_sum_(capacity_),
      sum_(capacity_),
      old_cost_(cost, capacity_),
      cost_(cost, capacity_),
      old_ranking_(capacity_),
      ranking_(capacity_) {}

PriorCosts PriorCostTask::run(Index first, Index last) {
  PriorCosts costs;
  for (Index begin = first; begin < last; begin += capacity_) {
    const int rows = static_cast<int>(std::min<Index>(capacity_, last - begin));
    decide(old_prior_, begin, rows, old_weight_, old_sum_, old_cost_, old_ranking_);
    decide(prior_, begin, rows, weight_, sum_, cost_, ranking_);
    for (int r = 0; r < rows; ++r) add(begin + r, r, costs);
  }
  return costs;
}

void PriorCostTask::decide(const Vector& prior, Index begin, int rows, Vector& weight, Vector& sum,
                           TileCost& cost, Ranking& ranking) {
  stride_ = Tile::padded(rows);
  std::fill_n(sum.begin(), stride_, 0.0);
  for (int k = 0; k < classes_; ++k) {
    double* to = weight.data() + static_cast<std::size_t>(k) * stride_;
    const double* from = piece_.of_class(k) + begin;
    for (int r = 0; r < stride_; ++r) to[r] = r < rows ? prior[k] * from[r] : 0.0;
    simd::add(to, stride_, sum.data());
  }
  // A class is impossible if its weight is 0.
  cost.evaluate({classes_, rows, stride_, weight.data(), nullptr, weight.data(), 0.0, 0.0}, begin);
  ranking.rank(cost.expected(), cost.actions(), stride_, cost.size());
}

void PriorCostTask::add(Index row, int r, PriorCosts& costs) const {
  const double weight = piece_.weight[row];
  if (!(weight > 0) || !(sum_[r] > 0) || !(old_sum_[r] > 0)) return;
  const double kept = of(old_ranking_, r), fresh = of(ranking_, r);
  if (std::isnan(kept) || std::isnan(fresh)) {
    ++costs.unpriced;
    return;
  }
  costs.weight += weight;
  costs.kept += weight * kept;
  costs.fresh += weight * fresh;
}

double PriorCostTask::of(const Ranking& ranking, int r) const {
  if (ranking.unknown(r)) return kNaN;
  const auto action = static_cast<int>(ranking.first()[r]);
  return cost_.expected(action)[r] / sum_[r];
}

PriorCosts prior_costs(const PriorPiece& piece, const Vector& old_prior, const Vector& prior,
                       const CaseCost& cost, const Context& context) {
  return merge_by_rows(piece.rows, context, PriorCosts(), [&](Index first, Index last) {
    context.check();
    return PriorCostTask(piece, old_prior, prior, cost).run(first, last);
  });
}

}  // namespace bayesrisk
