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
  // The numbers that are written with decisions, prob or log_prob; decision: none.
  Output beliefs = Output::decision;
  double missing = kNaN;  // written for rows without an answer
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

  void count_flags(const Tile& tile);

  void merge(const ScoreReport& other);
};

// Scores rows tile by tile and writes the requested results only.
class ScoreTask {
 public:
  ScoreTask(const Scorer& scorer, const Frame& frame, const Request& request);

  ScoreReport run(Index first, Index last, const Context& context);

 private:
  void write();

  int* choices() const {
    int* all = beliefs_ == Output::decision ? request_.decision.decision : request_.choices;
    return all + tile_.begin;
  }

  // If every row has a class and no numbers are requested, the log joint is not written.
  bool choose_classes();

  bool write_plain_posterior() {
    return request_.output == Output::prob && !request_.choices && !tile_.flagged() &&
           posterior_.write_plain(tile_, scorer_.log_prior(), numbers(0), frame_.rows);
  }

  void rank_classes() {
    ranking_.rank_classes(tile_.of_class(0), tile_.classes, tile_.stride, 1.0);
    ranking_.write_first(tile_.rows, choices());
  }

  void omit_lost_classes();

  // Rows in which all features are missing: their posterior is exactly the prior.
  bool find_uninformed();

  void set_uninformed();

  bool infinite(int r) const { return tile_.flagged(r, kInfinite); }

  // Marks rows without a posterior: an infinite number, or an improbability that is infinite or NaN
  // under every class. Returns whether there are any.
  bool find_lost();

  double* numbers(int column) const {
    return request_.numbers + column * frame_.rows + tile_.begin;
  }

  void write_scores();

  void write_evidence();

  void write_log_posterior();

  void write_missing(int r) {
    for (int k = 0; k < tile_.classes; ++k) numbers(k)[r] = request_.missing;
    if (request_.choices != nullptr) choices()[r] = kMissingInteger;
  }

  const simd::TileLoops& loops_ = simd::tile_loops();
  const Scorer& scorer_;
  const Frame& frame_;
  const Request& request_;
  const Output beliefs_;  // what `numbers` hold; decision: nothing
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

ScoreReport score(const Scorer& scorer, const Frame& frame, const Request& request,
                  const Context& context);

}  // namespace bayesrisk
