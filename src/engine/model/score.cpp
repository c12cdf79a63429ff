#include <engine/model/posterior.hpp>
#include <engine/model/score.hpp>
#include <engine/model/scorer.hpp>

namespace bayesrisk {

Scorer::Scorer(const ModelPlan& plan, const std::vector<AnyParameters>& parameters,
               const Vector& prior, Index rows, const Tempering& tempering,
               const std::vector<Hyperparameters>& hyperparameters)
    : plan_(plan), prior_(prior) {
  for (double p : prior) log_prior_.push_back(std::log(p));
  if (!tempering.empty()) temper(tempering);
  for (std::size_t b = 0; b < plan.banks.size(); ++b) {
    const Bank& bank = *plan.banks[b];
    banks_.push_back(hyperparameters.empty()
                         ? bank.scorer(parameters[b], rows)
                         : bank.predictive_scorer(parameters[b], hyperparameters[b], rows));
  }
}

void Scorer::add_all(const Frame& frame, Tile& tile) const {
  if (!powers_.empty()) return add_tempered(frame, tile);
  for (std::size_t b = 0; b < banks_.size(); ++b) {
    add_members(frame, {b, 0, plan_.banks[b]->members()}, tile);
  }
}

void Scorer::add_blocks(const Frame& frame, const BlockMembers& blocks, Tile& tile) const {
  if (powers_.empty()) return add_members(frame, blocks, tile);
  Tile::Sum sum(tile);
  add_members(frame, blocks, tile);
  sum.add(power_of(blocks));
  sum.write();
}

void Scorer::add_prior(Tile& tile) const {
  for (int k = 0; k < tile.classes; ++k) {
    double* out = tile.of_class(k);
    if (log_prior_[k] == kNegativeInfinity) {
      std::fill(out, out + tile.rows, kNegativeInfinity);
    } else {
      simd::add_constant(out, log_prior_[k], tile.stride);
    }
  }
}

const BagScores* Scorer::scores_of(const Frame& frame, const BlockMembers& blocks) const {
  const Bank& bank = *plan_.banks[blocks.bank];
  if (!bank.is_bag() || blocks.from == blocks.to) return nullptr;
  const BagScores& scores = frame.columns[static_cast<std::size_t>(bank.features()[0])].scores;
  return scores ? &scores : nullptr;
}

void Scorer::add_scores(const BagScores& scores, Tile& tile) {
  const Index* row = scores.row + tile.begin;
  for (int k = 0; k < tile.classes; ++k) {
    const double* of_class = scores.score + k * scores.stride;
    double* out = tile.of_class(k);
    for (int r = 0; r < tile.rows; ++r) out[r] += of_class[row[r] - scores.first];
  }
}

void Scorer::add_tempered(const Frame& frame, Tile& tile) const {
  Tile::Sum sum(tile);
  for (const auto& [blocks, power] : powers_) {
    tile.clear();
    add_members(frame, blocks, tile);
    sum.add(power);
  }
  sum.write();
}

double Scorer::power_of(const BlockMembers& blocks) const {
  for (const auto& [run, power] : powers_) {
    if (run.bank == blocks.bank && run.from <= blocks.from && blocks.to <= run.to) return power;
  }
  throw InvalidState("blocks of several powers");
}

void Scorer::temper(const Tempering& tempering) {
  powers_ = unite_blocks(blocks_of(plan_), tempering.power);
  double most = kNegativeInfinity, total = 0;
  for (std::size_t k = 0; k < prior_.size(); ++k) {
    if (prior_[k] > 0) most = std::max(most, tempering.offset[k]);
  }
  for (std::size_t k = 0; k < prior_.size(); ++k) {
    log_prior_[k] += tempering.offset[k];
    if (prior_[k] > 0) prior_[k] *= std::exp(tempering.offset[k] - most);
    total += prior_[k];
  }
  for (double& p : prior_) p /= total;
}

void ScoreReport::count_flags(const Tile& tile) {
  if (!tile.flagged()) return;
  for (int r = 0; r < tile.rows; ++r) {
    infinite += tile.flagged(r, kInfinite);
    unknown += tile.flagged(r, kUnknownLevel);
  }
}

void ScoreReport::merge(const ScoreReport& other) {
  infinite += other.infinite;
  unknown += other.unknown;
  impossible += other.impossible;
  if (first_impossible < 0) first_impossible = other.first_impossible;
  decision.merge(other.decision);
  for (std::size_t j = 0; j < unknown_by_feature.size(); ++j) {
    unknown_by_feature[j] += other.unknown_by_feature[j];
    malformed_by_feature[j] += other.malformed_by_feature[j];
  }
}

ScoreTask::ScoreTask(const Scorer& scorer, const Frame& frame, const Request& request)
    : scorer_(scorer),
      frame_(frame),
      request_(request),
      beliefs_(request.output == Output::decision ? request.beliefs : request.output),
      tile_(scorer.classes(), static_cast<int>(frame.columns.size())),
      report_(static_cast<int>(frame.columns.size())),
      lost_(tile_.capacity),
      first_(tile_.capacity),
      ranking_(tile_.capacity),
      posterior_(scorer.classes(), tile_.capacity) {
  if (request.output == Output::class_) class_rule_ = true;
  if (request.output != Output::decision) return;
  const bool alone = beliefs_ == Output::decision && request.decision.only_decision();
  class_rule_ = request.cost->is_zero_one() && alone;
  if (alone && !class_rule_ && request.class_of.empty()) {
    clear_ = std::make_unique<ClearActions>(*request.cost, tile_.classes, tile_.capacity);
  }
  decider_ =
      std::make_unique<Decider>(*request.cost, request.decision, request.class_of, tile_.capacity);
}

ScoreReport ScoreTask::run(Index first, Index last, const Context& context) {
  for (Index begin = first; begin < last; begin += tile_.rows) {
    context.check();
    tile_.start(begin, last);
    scorer_.add_all(frame_, tile_);
    write();
    report_.count_flags(tile_);
  }
  report_.unknown_by_feature = tile_.unknown;
  report_.malformed_by_feature = tile_.malformed;
  if (decider_) report_.decision = decider_->report();
  return report_;
}

void ScoreTask::write() {
  if (request_.output == Output::log_likelihood) return write_scores();
  if (class_rule_ && choose_classes()) return;
  if (clear_ && !tile_.flagged() && clear_->choose(tile_, scorer_.log_prior(), choices())) return;
  const bool uninformed = !class_rule_ && find_uninformed();
  if (!uninformed && write_plain_posterior()) return;
  if (request_.output == Output::log_joint) {
    scorer_.add_prior(tile_);
    return write_scores();
  }
  posterior_.negate_log_joints(tile_, scorer_.log_prior());
  if (class_rule_ || request_.choices != nullptr) rank_classes();
  if (class_rule_) return omit_lost_classes();
  posterior_.evaluate(tile_);
  if (request_.output == Output::log_evidence) return write_evidence();
  // The logarithms come from the scores of all rows.
  if (beliefs_ == Output::log_prob) write_log_posterior();
  if (uninformed) set_uninformed();
  const char* lost = find_lost() ? lost_.data() : nullptr;
  if (decider_) decider_->decide(posterior_.beliefs(tile_), lost, tile_.begin);
  if (beliefs_ == Output::decision) return;
  if (beliefs_ == Output::prob) posterior_.write_probabilities(numbers(0), frame_.rows);
  for (int r = 0; lost && r < tile_.rows; ++r) {
    if (lost[r]) write_missing(r);
  }
}

bool ScoreTask::choose_classes() {
  if (tile_.flagged() ||
      !loops_.choose_classes(tile_.of_class(0), scorer_.log_prior().data(), tile_.classes,
                             tile_.stride, tile_.stride, kTie, first_.data())) {
    return false;
  }
  loops_.write_codes(first_.data(), tile_.rows, choices());
  return true;
}

void ScoreTask::omit_lost_classes() {
  if (!find_lost()) return;
  for (int r = 0; r < tile_.rows; ++r) {
    if (lost_[r]) choices()[r] = kMissingInteger;
  }
}

bool ScoreTask::find_uninformed() {
  bool found = false;
  for (int k = 0; k < tile_.classes; ++k) {
    if (scorer_.prior()[k] == 0) continue;
    const double* l = tile_.of_class(k);
    if (!simd::any_zero(l, tile_.stride)) return false;
    if (!found) is_uninformed_.assign(tile_.rows, 1);
    found = true;
    for (int r = 0; r < tile_.rows; ++r) is_uninformed_[r] &= l[r] == 0.0;
  }
  return found;
}

void ScoreTask::set_uninformed() {
  for (int r = 0; r < tile_.rows; ++r) {
    if (is_uninformed_[r]) posterior_.set(r, scorer_.prior());
  }
}

bool ScoreTask::find_lost() {
  if (!tile_.flagged() && posterior_.all_possible()) return false;
  const double* least = posterior_.least();
  for (int r = 0; r < tile_.rows; ++r) {
    const bool impossible = !(least[r] < -kNegativeInfinity);
    lost_[r] = impossible || infinite(r);
    if (!impossible || infinite(r)) continue;
    if (++report_.impossible == 1) report_.first_impossible = tile_.begin + r;
  }
  return true;
}

void ScoreTask::write_scores() {
  for (int k = 0; k < tile_.classes; ++k) {
    double* out = numbers(k);
    const double* l = tile_.of_class(k);
    for (int r = 0; r < tile_.rows; ++r)
      out[r] = infinite(r) || std::isnan(l[r]) ? request_.missing : l[r];
  }
}

void ScoreTask::write_evidence() {
  double* out = numbers(0);
  for (int r = 0; r < tile_.rows; ++r) {
    const double evidence = posterior_.log_evidence(r);
    out[r] = infinite(r) || std::isnan(evidence) ? request_.missing : evidence;
  }
}

void ScoreTask::write_log_posterior() {
  for (int r = 0; r < tile_.rows; ++r) {
    posterior_.write_log(tile_, r, numbers(0) + r, frame_.rows);
  }
}

ScoreReport score(const Scorer& scorer, const Frame& frame, const Request& request,
                  const Context& context) {
  const ScoreReport none(static_cast<int>(frame.columns.size()));
  const auto score_run = [&](Index first, Index last) {
    return ScoreTask(scorer, frame, request).run(first, last, context);
  };
  Index run = rows_of_run(frame);
  // Sums over rows need runs that do not depend on the number of threads.
  if (run > 0 && request.output != Output::decision) {
    const Index runs = (frame.rows + run - 1) / run;
    run *= (runs + context.threads - 1) / context.threads;
  }
  return merge_by_rows(frame.rows, context, none, score_run, run);
}

Posterior::Posterior(int classes, int capacity)
    : classes_(classes),
      weight_(static_cast<std::size_t>(classes) * capacity),
      sum_(capacity),
      inverse_(capacity),
      least_(capacity) {}

bool Posterior::write_plain(const Tile& tile, const Vector& log_prior, double* out,
                            Index distance) const {
  return classes_ >= 2 && classes_ <= simd::kMostAtOnce && tile.rows == tile.stride &&
         loops_.write_posterior(tile.of_class(0), log_prior.data(), classes_, tile.stride,
                                tile.stride, out, distance);
}

void Posterior::evaluate(const Tile& improbability) {
  rows_ = improbability.rows;
  stride_ = improbability.stride;
  set_zero(sum_.data(), stride_);
  for (int k = 0; k < classes_; ++k) {
    loops_.add_exponentials(least_.data(), improbability.of_class(k), stride_, of_class(k),
                            sum_.data());
  }
}

void Posterior::write_probabilities(double* out, Index distance) {
  simd::invert(sum_.data(), stride_, inverse_.data());
  for (int k = 0; k < classes_; ++k) {
    simd::write_products(of_class(k), inverse_.data(), rows_, out + k * distance);
  }
}

void Posterior::write_log(const Tile& improbability, int r, double* out, Index stride) const {
  double others = 0;
  bool winner = true;  // the first class at the maximum counts as 1
  for (int k = 0; k < classes_; ++k) {
    if (winner && improbability.of_class(k)[r] == least_[r]) {
      winner = false;
    } else {
      others += of_class(k)[r];
    }
  }
  const double log_sum = std::log1p(others);
  for (int k = 0; k < classes_; ++k) {
    out[k * stride] = (least_[r] - improbability.of_class(k)[r]) - log_sum;
  }
}

Beliefs Posterior::beliefs(const Tile& improbability) const {
  return {classes_,
          improbability.rows,
          stride_,
          of_class(0),
          sum_.data(),
          improbability.of_class(0),
          -kNegativeInfinity,
          1.0};
}

}  // namespace bayesrisk
