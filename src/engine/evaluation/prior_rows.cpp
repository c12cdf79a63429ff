#include <engine/evaluation/prior_rows.hpp>
#include <engine/evaluation/prior_sample.hpp>

namespace bayesrisk {

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

void PriorSampler::read(const Frame& frame, const PriorColumns& all, const PriorSample& out,
                        const Context& context) const {
  const Index runs = (out.rows + kSampleRun - 1) / kSampleRun;
  context.run(runs, [&](Index i) {
    context.check();
    const Index at = i * kSampleRun, count = std::min(kSampleRun, out.rows - at);
    read_run(frame, all, first_of_run(frame.rows, out.rows, i), count, at, out);
  });
}

void PriorSampler::read_run(const Frame& frame, const PriorColumns& all, Index first, Index count,
                            Index at, const PriorSample& out) const {
  const auto classes = static_cast<Index>(factors_.size());
  std::copy_n(all.evidence + first, count, out.evidence + at);
  for (Index k = 0; k < classes; ++k) {
    std::copy_n(all.likelihood + k * frame.rows + first, count, out.together + k * out.rows + at);
  }
  const Frame run = part_of(frame, first, count);
  Tile tile(static_cast<int>(classes), static_cast<int>(frame.columns.size()));
  RelativeLikelihoods likelihoods(factors_, tile.capacity);
  for (std::size_t j = 0; j < others_.size(); ++j) {
    for (Index begin = 0; begin < count; begin += tile.rows) {
      tile.start(begin, count);
      others_[j](run, tile);
      likelihoods.read(tile);
      double* to = out.others + static_cast<Index>(j) * classes * out.rows + at + begin;
      for (int r = 0; r < tile.rows; ++r) {
        const bool lost = tile.flagged(r, kInfinite) || likelihoods.impossible(r);
        for (Index k = 0; k < classes; ++k) {
          to[k * out.rows + r] = lost ? 1.0 : likelihoods.of(static_cast<int>(k), r);
        }
      }
    }
  }
}

}  // namespace bayesrisk
