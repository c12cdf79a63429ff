#include <engine/evaluation/held_out_cases.hpp>

namespace bayesrisk {

TemperedParts::TemperedParts(const ModelPlan& tempered, const IntVector& part_of_block,
                             int number_of_parts, const FoldedRows& rows)
    : plan(&tempered), part_of(part_of_block), parts(number_of_parts), filled(tempered.groups, 0) {
  std::vector<Index> count(tempered.groups, 0);
  Index unread = 0;
  for (Index r = 0; r < rows.frame.rows; ++r) {
    if (counts(rows, r)) ++(rows.fold[r] == kMissingInteger ? unread : count[rows.group[r] - 1]);
  }
  cases = TemperCases(tempered.groups, parts, count, rows.weight != nullptr);
  cases.unread = unread;
}

CaseScorer::CaseScorer(const FoldedRows& rows, const FoldModels& models, TemperedParts& wanted,
                       Index window)
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

void CaseScorer::run(const Context& context) {
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

CaseScorer::Window::Window(const CaseScorer& all, const std::vector<Index>& next)
    : all_(all),
      next_(next),
      left_(next.size(), 0),
      tile_(all.classes_, static_cast<int>(all.rows_.frame.columns.size())),
      lost_(tile_.capacity) {}

void CaseScorer::Window::score(Index window, const Context& context) {
  const int folds = static_cast<int>(all_.models_.size()), classes = all_.classes_;
  const RowsByPart by_label(all_.label_.data(), all_.first(window), all_.first(window + 1),
                            folds * classes);
  const HeldOutBags::Window bags(all_.bags_, all_.first(window), all_.first(window + 1), context);
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

void CaseScorer::Window::score_fold(const Scorer& scorer, const Frame& frame, const Index* rows,
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

void CaseScorer::Window::find_runs(const Index* rows) {
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

void CaseScorer::Window::write_base(const Vector& log_prior) {
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

void CaseScorer::Window::write_scores(int column) {
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

void CaseScorer::Window::write_any(const double* of_class, const double* of_truth, int rows,
                                   double* to) {
  const auto known = [](double x) { return std::isnan(x) ? 0.0 : x; };
  for (int r = 0; r < rows; ++r) {
    to[r] = TemperCases::relative(known(of_class[r]), known(of_truth[r]));
  }
}

void CaseScorer::Window::find_lost(const Run& run) {
  const double* of_truth = tile_.of_class(run.slice->truth);
  for (int r = run.from; r < run.from + run.rows; ++r) {
    if (of_truth[r] == kNegativeInfinity) lost_[r] = 1;
  }
}

void CaseScorer::Window::write_states() {
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

}  // namespace bayesrisk
