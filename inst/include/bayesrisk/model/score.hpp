#pragma once

#include <bayesrisk/decision/rule.hpp>
#include <bayesrisk/likelihood/registry.hpp>
#include <bayesrisk/model/fit.hpp>
#include <bayesrisk/model/posterior.hpp>

namespace bayesrisk {

enum class Output {
  class_,
  prob,
  log_prob,
  log_joint,
  log_likelihood,
  log_evidence,
  cost,
  decision
};

constexpr bool is_choice(Output output) {
  return output == Output::class_ || output == Output::decision;
}

// What is asked for, and where it goes: numbers by column (classes or actions),
// or choices from 1.
struct Request {
  Output output = Output::class_;
  const Cost* cost = nullptr;
  double* numbers = nullptr;
  int* choices = nullptr;
  double missing = kNaN;  // written where there is no answer
};

// Rows without a whole answer, and why.
struct ScoreReport {
  Index infinite = 0, unknown = 0, impossible = 0;
  std::vector<Index> unknown_by_feature, malformed_by_feature;

  explicit ScoreReport(int features = 0)
      : unknown_by_feature(features, 0), malformed_by_feature(features, 0) {}

  void count_flags(const Tile& tile) {
    for (int r = 0; r < tile.rows; ++r) {
      infinite += (tile.flags[r] & kInfinite) != 0;
      unknown += (tile.flags[r] & kUnknownLevel) != 0;
    }
  }

  void merge(const ScoreReport& other) {
    infinite += other.infinite;
    unknown += other.unknown;
    impossible += other.impossible;
    for (std::size_t j = 0; j < unknown_by_feature.size(); ++j) {
      unknown_by_feature[j] += other.unknown_by_feature[j];
      malformed_by_feature[j] += other.malformed_by_feature[j];
    }
  }
};

// A model made ready to score: its log prior and a scorer per bank.
class Scorer {
 public:
  Scorer(const ModelPlan& plan, const std::vector<AnyParameters>& parameters, const Vector& prior)
      : plan_(plan), prior_(prior) {
    for (double p : prior) log_prior_.push_back(std::log(p));
    for (std::size_t b = 0; b < plan.banks.size(); ++b) {
      std::visit(
          [&](const auto& p) {
            using L = LikelihoodOf<decltype(p)>;
            banks_.emplace_back(std::make_unique<typename L::Scorer>(
                p, std::get<typename L::Parameters>(parameters[b])));
          },
          plan.banks[b]);
    }
  }

  int classes() const { return plan_.groups; }
  const Vector& prior() const { return prior_; }

  void add_log_likelihood(const Frame& frame, Tile& tile) const {
    for (std::size_t b = 0; b < banks_.size(); ++b) {
      const int members = std::visit([](const auto& p) { return p.members(); }, plan_.banks[b]);
      add_members(frame, b, 0, members, tile);
    }
  }

  void add_members(const Frame& frame, std::size_t bank, int from, int to, Tile& tile) const {
    std::visit([&](const auto& scorer) { scorer->add(frame, from, to, tile); }, banks_[bank]);
  }

  // A class of prior 0 is out, whatever its likelihood says (or cannot say).
  void add_prior(Tile& tile) const {
    for (int k = 0; k < tile.classes; ++k) {
      double* out = tile.of_class(k);
      if (log_prior_[k] == kNegativeInfinity) {
        std::fill(out, out + tile.rows, kNegativeInfinity);
      } else {
        for (int r = 0; r < tile.rows; ++r) out[r] += log_prior_[k];
      }
    }
  }

 private:
  template <class Plan>
  using Bank = std::unique_ptr<typename LikelihoodOf<Plan>::Scorer>;
  using AnyBank = MapVariant<Bank, AnyPlan>::type;

  const ModelPlan& plan_;
  Vector prior_, log_prior_;
  std::vector<AnyBank> banks_;
};

// Scores rows tile by tile and writes what was asked for, nothing else.
class ScoreTask {
 public:
  ScoreTask(const Scorer& scorer, const Frame& frame, const Request& request)
      : scorer_(scorer),
        frame_(frame),
        request_(request),
        tile_(scorer.classes(), static_cast<int>(frame.columns.size())),
        report_(static_cast<int>(frame.columns.size())),
        maximum_(tile_.capacity),
        posterior_(scorer.classes()),
        log_joint_(scorer.classes()) {
    if (request.cost) {
      expected_cost_ = std::make_unique<ExpectedCost>(*request.cost);
      class_rule_ = request.cost->is_zero_one();
      expected_.resize(request.cost->actions());
    }
  }

  ScoreReport run(Index first, Index last) {
    for (Index begin = first; begin < last; begin += tile_.rows) {
      tile_.start(begin, last);
      scorer_.add_log_likelihood(frame_, tile_);
      write();
      report_.count_flags(tile_);
    }
    report_.unknown_by_feature = tile_.unknown;
    report_.malformed_by_feature = tile_.malformed;
    return report_;
  }

 private:
  void write() {
    if (request_.output == Output::log_likelihood) return write_scores();
    const bool class_rule =
        request_.output == Output::class_ || (request_.output == Output::decision && class_rule_);
    if (!class_rule) uninformed_ = find_uninformed();
    scorer_.add_prior(tile_);
    if (request_.output == Output::log_joint) return write_scores();
    find_maximum(tile_, maximum_.data());
    if (class_rule) return write_classes();
    for (int r = 0; r < tile_.rows; ++r) write_row(r);
  }

  void write_classes() {
    int* choices = request_.choices + tile_.begin;
    choose_class(tile_, maximum_.data(), choices);
    for (int r = 0; r < tile_.rows; ++r) {
      const bool infinite = (tile_.flags[r] & kInfinite) != 0;
      const bool impossible = !(maximum_[r] > kNegativeInfinity);
      report_.impossible += impossible && !infinite;
      if (infinite || impossible) choices[r] = kMissingInteger;
    }
  }

  // Rows that no feature told anything: their posterior is the prior, exactly.
  bool find_uninformed() {
    is_uninformed_.assign(tile_.rows, 1);
    for (int k = 0; k < tile_.classes; ++k) {
      if (scorer_.prior()[k] == 0) continue;
      const double* l = tile_.of_class(k);
      for (int r = 0; r < tile_.rows; ++r) is_uninformed_[r] &= l[r] == 0.0;
    }
    return std::find(is_uninformed_.begin(), is_uninformed_.end(), 1) != is_uninformed_.end();
  }

  void write_scores() {
    for (int k = 0; k < tile_.classes; ++k) {
      double* out = request_.numbers + k * frame_.rows + tile_.begin;
      const double* l = tile_.of_class(k);
      for (int r = 0; r < tile_.rows; ++r)
        out[r] = tile_.flags[r] & kInfinite || std::isnan(l[r]) ? request_.missing : l[r];
    }
  }

  void write_row(int r) {
    const bool infinite = (tile_.flags[r] & kInfinite) != 0;
    const Index at = tile_.begin + r;
    if (request_.output == Output::log_evidence) {
      request_.numbers[at] = infinite ? request_.missing : log_evidence(tile_, r, maximum_[r]);
      return;
    }
    const bool impossible = !(maximum_[r] > kNegativeInfinity);
    report_.impossible += impossible && !infinite;
    if (infinite || impossible) return write_nothing(at);
    if (request_.output == Output::log_prob) {
      write_log_posterior(tile_, r, maximum_[r], request_.numbers + at, frame_.rows);
    } else if (request_.output == Output::prob) {
      posterior(r, request_.numbers + at, frame_.rows);
    } else {
      decide(r, at);
    }
  }

  void posterior(int r, double* out, Index stride) const {
    if (uninformed_ && is_uninformed_[r]) {
      for (int k = 0; k < tile_.classes; ++k) out[k * stride] = scorer_.prior()[k];
    } else {
      write_posterior(tile_, r, maximum_[r], out, stride);
    }
  }

  void decide(int r, Index at) {
    posterior(r, posterior_.data(), 1);
    for (int k = 0; k < tile_.classes; ++k) log_joint_[k] = tile_.of_class(k)[r];
    expected_cost_->evaluate(posterior_, log_joint_, expected_);
    if (request_.output == Output::decision) {
      request_.choices[at] = expected_cost_->choose(posterior_, expected_) + 1;
      return;
    }
    for (Index a = 0; a < expected_.size(); ++a) {
      request_.numbers[a * frame_.rows + at] = expected_[a];
    }
  }

  void write_nothing(Index at) {
    if (is_choice(request_.output)) {
      request_.choices[at] = kMissingInteger;
      return;
    }
    const int columns = request_.output == Output::cost ? request_.cost->actions() : tile_.classes;
    for (int c = 0; c < columns; ++c) request_.numbers[c * frame_.rows + at] = request_.missing;
  }

  const Scorer& scorer_;
  const Frame& frame_;
  const Request& request_;
  Tile tile_;
  ScoreReport report_;
  Vector maximum_;
  std::vector<char> is_uninformed_;
  bool uninformed_ = false;
  bool class_rule_ = false;
  std::unique_ptr<ExpectedCost> expected_cost_;
  Eigen::VectorXd posterior_, log_joint_, expected_;
};

constexpr Index kMostScoreRows = 16384;  // of one task
constexpr Index kFewestScoreRows = 512;

// Small enough that all threads have work, and that an interrupt is heard.
inline Index score_rows(Index rows, int threads) {
  return std::clamp(rows / (4 * std::max(1, threads)), kFewestScoreRows, kMostScoreRows);
}

inline ScoreReport score(const Scorer& scorer, const Frame& frame, const Request& request,
                         const Context& context) {
  const Index task_rows = score_rows(frame.rows, context.threads);
  const Index tasks = (frame.rows + task_rows - 1) / task_rows;
  std::vector<ScoreReport> reports(tasks);
  context.run(tasks, [&](Index i) {
    const Index first = i * task_rows;
    reports[i] =
        ScoreTask(scorer, frame, request).run(first, std::min(frame.rows, first + task_rows));
  });
  ScoreReport total(static_cast<int>(frame.columns.size()));
  for (const ScoreReport& report : reports) total.merge(report);
  return total;
}

}  // namespace bayesrisk
