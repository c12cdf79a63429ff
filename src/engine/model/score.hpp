#pragma once

#include <engine/decision/clear_actions.hpp>
#include <engine/decision/decide.hpp>
#include <engine/model/posterior.hpp>
#include <engine/model/scorer.hpp>

namespace bayesrisk {

enum class Output { class_, prob, log_prob, log_joint, log_likelihood, log_evidence, decision };

// The requested results and their destinations: numbers by column (classes), classes from 1, or
// decisions by the cost.
struct Request {
  Output output = Output::class_;
  const CaseCost* cost = nullptr;
  double* numbers = nullptr;
  int* choices = nullptr;  // the classes, for Output::class_; if given, for Output::prob too
  double missing = kNaN;   // written for rows without an answer
  DecisionColumns decision{};
  IntVector class_of{};  // the class that an action decides for; empty: no errors are summed
};

// The numbers of rows without a complete answer, by reason.
struct ScoreReport {
  Index infinite = 0, unknown = 0, impossible = 0;
  Index first_impossible = -1;  // row; -1: none, or not known
  DecisionReport decision;
  std::vector<Index> unknown_by_feature, malformed_by_feature;

  explicit ScoreReport(int features = 0)
      : unknown_by_feature(features, 0), malformed_by_feature(features, 0) {}

  void count_flags(const Tile& tile) {
    if (!tile.flagged()) return;
    for (int r = 0; r < tile.rows; ++r) {
      infinite += tile.flagged(r, kInfinite);
      unknown += tile.flagged(r, kUnknownLevel);
    }
  }

  void merge(const ScoreReport& other) {
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
};

// Scores rows tile by tile and writes the requested results only.
class ScoreTask {
 public:
  ScoreTask(const Scorer& scorer, const Frame& frame, const Request& request)
      : scorer_(scorer),
        frame_(frame),
        request_(request),
        tile_(scorer.classes(), static_cast<int>(frame.columns.size())),
        report_(static_cast<int>(frame.columns.size())),
        lost_(tile_.capacity),
        first_(tile_.capacity),
        ranking_(tile_.capacity),
        posterior_(scorer.classes(), tile_.capacity) {
    if (request.output == Output::class_) class_rule_ = true;
    if (request.output != Output::decision) return;
    const bool alone = request.decision.only_decision();
    class_rule_ = request.cost->is_zero_one() && alone;
    if (alone && !class_rule_ && request.class_of.empty()) {
      clear_ = std::make_unique<ClearActions>(*request.cost, tile_.classes, tile_.capacity);
    }
    decider_ = std::make_unique<Decider>(*request.cost, request.decision, request.class_of,
                                         tile_.capacity);
  }

  ScoreReport run(Index first, Index last, const Context& context) {
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

 private:
  void write() {
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
    if (uninformed && request_.output != Output::log_prob) set_uninformed();
    const char* lost = find_lost() ? lost_.data() : nullptr;
    if (request_.output == Output::decision) {
      return decider_->decide(posterior_.beliefs(tile_), lost, tile_.begin);
    }
    if (request_.output == Output::prob) posterior_.write_probabilities(numbers(0), frame_.rows);
    if (request_.output == Output::log_prob) write_log_posterior();
    for (int r = 0; lost && r < tile_.rows; ++r) {
      if (lost[r]) write_missing(r);
    }
  }

  int* choices() const {
    int* all = request_.output == Output::decision ? request_.decision.decision : request_.choices;
    return all + tile_.begin;
  }

  // If every row has a class and no numbers are requested, the log joint is not written.
  bool choose_classes() {
    if (tile_.flagged() ||
        !loops_.choose_classes(tile_.of_class(0), scorer_.log_prior().data(), tile_.classes,
                               tile_.stride, tile_.stride, kTie, first_.data())) {
      return false;
    }
    loops_.write_codes(first_.data(), tile_.rows, choices());
    return true;
  }

  bool write_plain_posterior() {
    return request_.output == Output::prob && !request_.choices && !tile_.flagged() &&
           posterior_.write_plain(tile_, scorer_.log_prior(), numbers(0), frame_.rows);
  }

  void rank_classes() {
    ranking_.rank_classes(tile_.of_class(0), tile_.classes, tile_.stride, 1.0);
    ranking_.write_first(tile_.rows, choices());
  }

  void omit_lost_classes() {
    if (!find_lost()) return;
    for (int r = 0; r < tile_.rows; ++r) {
      if (lost_[r]) choices()[r] = kMissingInteger;
    }
  }

  // Rows in which all features are missing: their posterior is exactly the prior.
  bool find_uninformed() {
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

  void set_uninformed() {
    for (int r = 0; r < tile_.rows; ++r) {
      if (is_uninformed_[r]) posterior_.set(r, scorer_.prior());
    }
  }

  bool infinite(int r) const { return tile_.flagged(r, kInfinite); }

  // Marks rows without a posterior: an infinite number, or an improbability that is infinite or NaN
  // under every class. Returns whether there are any.
  bool find_lost() {
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

  double* numbers(int column) const {
    return request_.numbers + column * frame_.rows + tile_.begin;
  }

  void write_scores() {
    for (int k = 0; k < tile_.classes; ++k) {
      double* out = numbers(k);
      const double* l = tile_.of_class(k);
      for (int r = 0; r < tile_.rows; ++r)
        out[r] = infinite(r) || std::isnan(l[r]) ? request_.missing : l[r];
    }
  }

  void write_evidence() {
    double* out = numbers(0);
    for (int r = 0; r < tile_.rows; ++r) {
      const double evidence = posterior_.log_evidence(r);
      out[r] = infinite(r) || std::isnan(evidence) ? request_.missing : evidence;
    }
  }

  void write_log_posterior() {
    for (int r = 0; r < tile_.rows; ++r) {
      posterior_.write_log(tile_, r, numbers(0) + r, frame_.rows);
    }
  }

  void write_missing(int r) {
    for (int k = 0; k < tile_.classes; ++k) numbers(k)[r] = request_.missing;
    if (request_.choices != nullptr) choices()[r] = kMissingInteger;
  }

  const simd::TileLoops& loops_ = simd::tile_loops();
  const Scorer& scorer_;
  const Frame& frame_;
  const Request& request_;
  Tile tile_;
  ScoreReport report_;
  std::vector<char> lost_, is_uninformed_;
  bool class_rule_ = false;
  Vector first_;
  Ranking ranking_;
  Posterior posterior_;
  std::unique_ptr<Decider> decider_;
  std::unique_ptr<ClearActions> clear_;
};

inline ScoreReport score(const Scorer& scorer, const Frame& frame, const Request& request,
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

}  // namespace bayesrisk
