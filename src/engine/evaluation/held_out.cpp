#include <engine/evaluation/held_out.hpp>

namespace bayesrisk {

HeldOutScorer::HeldOutScorer(const FoldedRows& rows, const FoldModels& models,
                             const HeldOut& wanted)
    : rows_(rows),
      models_(models),
      wanted_(wanted),
      bags_(rows, models),
      classes_(wanted.parts ? wanted.parts->cases.classes : 1),
      label_(rows.fold, rows.fold + rows.frame.rows) {
  for (Index r = 0; wanted.parts && r < rows.frame.rows; ++r) {
    const bool counts = label_[r] != kMissingInteger && wanted.parts->cases.is_case(place(r));
    label_[r] = counts ? (label_[r] - 1) * classes_ + rows.group[r] : kMissingInteger;
  }
}

void HeldOutScorer::run(Index window, const Context& context) const {
  const Index rows = rows_.frame.rows;
  context.run((rows + window - 1) / window, [&](Index w) {
    score_window(w * window, std::min(rows, (w + 1) * window), context);
  });
}

void HeldOutScorer::score_window(Index first, Index last, const Context& context) const {
  const int folds = static_cast<int>(models_.size());
  const RowsByPart by_label(label_.data(), first, last, folds * classes_);
  const HeldOutBags::Window bags(bags_, first, last, context);
  Gather gather(rows_.frame);
  for (int f = 0; f < folds; ++f) {
    const Index* rows = by_label.of(f * classes_);
    const Index count = by_label.of((f + 1) * classes_) - rows;
    if (count == 0) continue;
    Frame& held_out = gather.take(rows, count);
    for (std::size_t c = 0; c < models_[f].size(); ++c) {
      if (!models_[f][c]->scorer) continue;
      bags.lend(c, rows, held_out);
      if (wanted_.parts) {
        score_parts(*models_[f][c]->scorer, held_out, rows, context);
      } else {
        score_rows(*models_[f][c]->scorer, held_out, rows, c, context);
      }
    }
  }
}

void HeldOutScorer::score_rows(const Scorer& scorer, const Frame& held_out, const Index* rows,
                               std::size_t candidate, const Context& context) const {
  Request request;
  request.missing = wanted_.missing;
  IntVector choices;
  Vector numbers;
  CaseCost cost;
  std::vector<Vector> varying;
  const Index columns = scorer.classes();
  if (wanted_.cost) {
    cost = gather_cost(rows, held_out.rows, varying);
    choices.resize(held_out.rows);
    request.output = Output::decision;
    request.cost = &cost;
    request.decision.decision = choices.data();
  } else {
    numbers.resize(held_out.rows * columns);
    request.output = wanted_.output;
    request.numbers = numbers.data();
  }
  ScoreTask(scorer, held_out, request).run(0, held_out.rows, context);
  for (Index i = 0; i < held_out.rows; ++i) {
    if (!choices.empty()) wanted_.choices[candidate][place(rows[i])] = choices[i];
    for (Index c = 0; !numbers.empty() && c < columns; ++c) {
      wanted_.numbers[candidate][c * wanted_.rows + place(rows[i])] =
          numbers[c * held_out.rows + i];
    }
  }
}

void HeldOutScorer::score_parts(const Scorer& scorer, const Frame& held_out, const Index* rows,
                                const Context& context) const {
  TemperCases& cases = wanted_.parts->cases;
  Tile tile(cases.classes, static_cast<int>(held_out.columns.size()));
  std::vector<Index> places;
  const auto is_nan = [](double x) { return std::isnan(x); };
  for (Index begin = 0; begin < held_out.rows; begin += tile.rows) {
    context.check();
    tile.start(begin, held_out.rows);
    places.resize(tile.rows);
    for (int r = 0; r < tile.rows; ++r) places[r] = place(rows[begin + r]);
    const auto runs = cases.runs(places);
    const auto write = [&](int column) {
      const bool finite =
          simd::tile_loops().all_finite(tile.of_class(0), tile.classes * tile.stride);
      // A class that had no rows has no likelihood: only the prior counts.
      if (!finite) std::replace_if(tile.log_joint.begin(), tile.log_joint.end(), is_nan, 0.0);
      for (const TemperCases::Run& run : runs) {
        cases.write(run, column, tile.of_class(0) + run.from, tile.stride, finite);
      }
    };
    for (int k = 0; k < cases.classes; ++k) {
      std::fill_n(tile.of_class(k), tile.stride, scorer.log_prior()[k]);
    }
    write(0);
    for (int part = 0; part < cases.parts; ++part) {
      tile.clear();
      for (const auto& [blocks, of_part] : wanted_.parts->runs) {
        if (of_part == part) scorer.add_blocks(held_out, blocks, tile);
      }
      write(1 + part);
    }
    for (int r = 0; r < tile.rows; ++r) {
      if (tile.flagged(r, kInfinite)) cases.skip(places[r]);
    }
  }
}

CaseCost HeldOutScorer::gather_cost(const Index* rows, Index count,
                                    std::vector<Vector>& varying) const {
  CaseCost cost{wanted_.cost->fixed, {}};
  for (const CaseCost::Entry& entry : wanted_.cost->varying) {
    Vector values(count);
    for (Index i = 0; i < count; ++i) values[i] = entry.value[place(rows[i])];
    varying.push_back(std::move(values));
    cost.varying.push_back({entry.action, entry.truth, varying.back().data()});
  }
  return cost;
}

HeldOutBags::HeldOutBags(const FoldedRows& rows, const FoldModels& models) : frame_(rows.frame) {
  for (std::size_t c = 0; c < models[0].size(); ++c) add_candidate(models, c);
  if (bags_.empty()) return;
  model_.resize(static_cast<std::size_t>(frame_.rows), 0);
  for (Index r = 0; r < frame_.rows; ++r) {
    if (rows.fold[r] != kMissingInteger) {
      model_[r] = static_cast<unsigned short>(rows.fold[r] - 1);
    }
  }
  for (Column& column : frame_.columns) {
    if (column.is_bag()) column.model = model_.data();
  }
}

void HeldOutBags::Window::lend(std::size_t candidate, const Index* rows, Frame& gathered) const {
  for (std::size_t b = 0; b < scores_.size(); ++b) {
    const Bag& bag = all_.bags_[b];
    if (bag.candidate != candidate) continue;
    gathered.columns[static_cast<std::size_t>(bag.feature)].scores = {scores_[b].data(), rows_,
                                                                      first_, rows};
  }
}

Vector HeldOutBags::Window::score(const Bag& bag, const Context& context) const {
  Vector scores(static_cast<std::size_t>(rows_ * bag.classes));
  Tile tile(bag.classes, static_cast<int>(all_.frame_.columns.size()));
  for (Index begin = first_; begin < first_ + rows_; begin += tile.rows) {
    context.check();
    tile.start(begin, first_ + rows_);
    bag.scorer->add(all_.frame_, 0, 1, tile);
    for (int k = 0; k < bag.classes; ++k) {
      std::copy_n(tile.of_class(k), tile.rows, scores.data() + k * rows_ + (begin - first_));
    }
  }
  return scores;
}

Index HeldOutBags::rows_of_window(const Frame& frame, int classes, const Context& context) {
  constexpr Index kFewest = 8192;
  const bool bags = std::any_of(frame.columns.begin(), frame.columns.end(),
                                [](const Column& column) { return column.is_bag(); });
  if (!bags) return kFewest;
  const Index runs =
      std::max<Index>(std::max(context.threads, 1), frame.rows * classes / Tile::Ahead::kMost + 1);
  return std::max((frame.rows + runs - 1) / runs, kFewest);
}

void HeldOutBags::add_candidate(const FoldModels& models, std::size_t candidate) {
  std::vector<const FoldModel*> of_fold;
  const FoldModel* any = nullptr;
  for (const auto& of_candidates : models) {
    of_fold.push_back(of_candidates[candidate].get());
    if (of_fold.back()->scorer) any = of_fold.back();
  }
  if (any == nullptr) return;
  // Nobody asks for the scores of a fold without a model.
  for (const FoldModel*& model : of_fold) model = model->scorer ? model : any;
  const ModelPlan& plan = any->scorer->plan();
  for (std::size_t b = 0; b < plan.banks.size(); ++b) {
    const Bank& bank = *plan.banks[b];
    if (!bank.is_bag()) continue;
    std::vector<const AnyParameters*> parameters;
    for (const FoldModel* model : of_fold) parameters.push_back(&model->estimate.banks[b]);
    bags_.push_back(
        {candidate, bank.features()[0], plan.groups, bank.scorer_of_models(parameters)});
  }
}

}  // namespace bayesrisk
