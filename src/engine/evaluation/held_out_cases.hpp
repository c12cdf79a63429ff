#pragma once

#include <engine/evaluation/held_out.hpp>
#include <engine/evaluation/temper_cases.hpp>

namespace bayesrisk {

// The parts of a model whose exponents are estimated, and the cases that are filled with scores of
// held-out rows. Rows without a fold count as cases without a score.
struct TemperedParts {
  const ModelPlan* plan = nullptr;
  IntVector part_of;  // per block, from 0
  int parts = 0;
  TemperCases cases;
  std::vector<Index> filled;  // for each class the number of its cases that have been read

  TemperedParts(const ModelPlan& tempered, const IntVector& part_of_block, int number_of_parts,
                const FoldedRows& rows)
      : plan(&tempered),
        part_of(part_of_block),
        parts(number_of_parts),
        filled(tempered.groups, 0) {
    std::vector<Index> count(tempered.groups, 0);
    Index unread = 0;
    for (Index r = 0; r < rows.frame.rows; ++r) {
      if (counts(rows, r)) ++(rows.fold[r] == kMissingInteger ? unread : count[rows.group[r] - 1]);
    }
    cases = TemperCases(tempered.groups, parts, count, rows.weight != nullptr);
    cases.unread = unread;
  }

  static bool counts(const FoldedRows& rows, Index r) {
    return rows.group[r] != kMissingInteger && !(rows.weight && !(rows.weight[r] > 0));
  }
};

// Scores the rows of each fold by its model, as HeldOutScorer does, and writes them to their cases.
class CaseScorer {
 public:
  // `window`: the rows of a window.
  CaseScorer(const FoldedRows& rows, const FoldModels& models, TemperedParts& wanted, Index window)
      : rows_(rows),
        models_(models),
        wanted_(wanted),
        window_(window),
        bags_(rows, models),
        classes_(wanted.plan->groups),
        runs_(unite_blocks(blocks_of(*wanted.plan), wanted.part_of)),
        label_(rows.frame.rows, kMissingInteger) {
    for (Index r = 0; r < rows.frame.rows; ++r) {
      if (rows.fold[r] == kMissingInteger || !TemperedParts::counts(rows, r)) continue;
      label_[r] = (rows.fold[r] - 1) * classes_ + rows.group[r];
    }
  }

  void run(const Context& context) {
    const Index windows = (rows_.frame.rows + window_ - 1) / window_;
    std::vector<std::vector<Index>> starts;
    for (Index w = 0; w < windows; ++w) {
      starts.push_back(wanted_.filled);
      for (Index r = first(w); r < first(w + 1); ++r) {
        if (label_[r] != kMissingInteger) ++wanted_.filled[rows_.group[r] - 1];
      }
    }
    context.run(windows, [&](Index w) { Window(*this, starts[w]).score(w, context); });
  }

 private:
  Index first(Index window) const { return std::min(rows_.frame.rows, window * window_); }

  // Neighbouring rows of a tile that are neighbouring cases of one class.
  struct Run {
    int from, rows;
    const TemperSlice* slice;
    Index place;  // within the slice
  };

  // The rows of a window, fold by fold, and within a fold class by class.
  class Window {
   public:
    // `next`: for each class the number of its next case.
    Window(const CaseScorer& all, const std::vector<Index>& next)
        : all_(all),
          next_(next),
          left_(next.size(), 0),
          tile_(all.classes_, static_cast<int>(all.rows_.frame.columns.size())),
          lost_(tile_.capacity) {}

    void score(Index window, const Context& context) {
      const int folds = static_cast<int>(all_.models_.size()), classes = all_.classes_;
      const RowsByPart by_label(all_.label_.data(), all_.first(window), all_.first(window + 1),
                                folds * classes);
      const HeldOutBags::Window bags(all_.bags_, all_.first(window), all_.first(window + 1),
                                     context);
      Gather gather(all_.rows_.frame);
      for (int f = 0; f < folds; ++f) {
        Index count = 0;
        for (int t = 0; t < classes; ++t) {
          left_[t] = by_label.count(f * classes + t);
          count += left_[t];
        }
        if (count == 0) continue;
        const Index* rows = by_label.of(f * classes);
        const Scorer* scorer = all_.models_[f][0].scorer.get();
        if (scorer == nullptr) {
          for (int t = 0; t < classes; ++t) next_[t] += left_[t];
          continue;
        }
        Frame& held_out = gather.take(rows, count);
        bags.lend(0, rows, held_out);
        score_fold(*scorer, held_out, rows, context);
      }
    }

   private:
    void score_fold(const Scorer& scorer, const Frame& frame, const Index* rows,
                    const Context& context) {
      for (Index begin = 0; begin < frame.rows; begin += tile_.rows) {
        context.check();
        tile_.start(begin, frame.rows);
        find_runs(rows + begin);
        std::fill(lost_.begin(), lost_.end(), static_cast<char>(0));
        write_base(scorer.log_prior());
        for (int part = 0; part < all_.wanted_.parts; ++part) {
          if (part > 0) tile_.clear();
          for (const auto& [blocks, of_part] : all_.runs_) {
            if (of_part == part) scorer.add_blocks(frame, blocks, tile_);
          }
          write_scores(1 + part);
        }
        write_states();
      }
    }

    void find_runs(const Index* rows) {
      runs_.clear();
      int truth = 0;
      for (int from = 0; from < tile_.rows; from += runs_.back().rows) {
        while (left_[truth] == 0) ++truth;
        const TemperSlice& slice = cases().slice_of(truth, next_[truth]);
        const Index place = next_[truth] % TemperCases::kSlice;
        const Index count = std::min({static_cast<Index>(tile_.rows - from), left_[truth],
                                      static_cast<Index>(slice.rows) - place});
        runs_.push_back({from, static_cast<int>(count), &slice, place});
        next_[truth] += count;
        left_[truth] -= count;
        for (Index i = 0; all_.rows_.weight && i < count; ++i) {
          cases().weight(slice)[place + i] = all_.rows_.weight[rows[from + i]];
        }
      }
    }

    // A class that had no rows has no likelihood: only the prior counts.
    void write_base(const Vector& log_prior) {
      for (const Run& run : runs_) {
        const int t = run.slice->truth;
        if (log_prior[t] == kNegativeInfinity) lose(run.from, run.from + run.rows);
        for (int k = 0; k < all_.classes_; ++k) {
          if (k == t) continue;
          std::fill_n(cases().column(*run.slice, 0, k) + run.place, run.rows,
                      TemperCases::relative(log_prior[k], log_prior[t]));
        }
      }
    }

    void write_scores(int column) {
      bool finite = true;
      for (int k = 0; k < all_.classes_; ++k) {
        finite = finite && loops_.all_finite(tile_.of_class(k), tile_.stride);
      }
      for (const Run& run : runs_) {
        for (int k = 0; k < all_.classes_; ++k) {
          if (k == run.slice->truth) continue;
          double* to = cases().column(*run.slice, column, k) + run.place;
          const double *of_class = tile_.of_class(k) + run.from,
                       *of_truth = tile_.of_class(run.slice->truth) + run.from;
          if (finite) {
            using Numbers = Eigen::Map<const Eigen::ArrayXd>;
            Eigen::Map<Eigen::ArrayXd>(to, run.rows) =
                (Numbers(of_class, run.rows) - Numbers(of_truth, run.rows))
                    .max(TemperCases::kImpossible);
          } else {
            write_any(of_class, of_truth, run.rows, to);
          }
        }
        if (!finite) find_lost(run);
      }
    }

    static void write_any(const double* of_class, const double* of_truth, int rows, double* to) {
      const auto known = [](double x) { return std::isnan(x) ? 0.0 : x; };
      for (int r = 0; r < rows; ++r) {
        to[r] = TemperCases::relative(known(of_class[r]), known(of_truth[r]));
      }
    }

    void find_lost(const Run& run) {
      const double* of_truth = tile_.of_class(run.slice->truth);
      for (int r = run.from; r < run.from + run.rows; ++r) {
        if (of_truth[r] == kNegativeInfinity) lost_[r] = 1;
      }
    }

    void lose(int from, int to) { std::fill(lost_.begin() + from, lost_.begin() + to, 1); }

    void write_states() {
      for (const Run& run : runs_) {
        char* state = cases().state(*run.slice) + run.place;
        for (int i = 0; i < run.rows; ++i) {
          const int r = run.from + i;
          state[i] = tile_.flagged(r, kInfinite) ? TemperCases::kUnread
                     : lost_[r]                  ? TemperCases::kLost
                                                 : TemperCases::kScored;
        }
      }
    }

    TemperCases& cases() { return all_.wanted_.cases; }

    const CaseScorer& all_;
    std::vector<Index> next_, left_;
    Tile tile_;
    std::vector<char> lost_;
    std::vector<Run> runs_;
    const simd::TileLoops& loops_ = simd::tile_loops();
  };

  const FoldedRows& rows_;
  const FoldModels& models_;
  TemperedParts& wanted_;
  const Index window_;
  const HeldOutBags bags_;
  const int classes_;
  const std::vector<std::pair<BlockMembers, int>> runs_;
  IntVector label_;
};

}  // namespace bayesrisk
