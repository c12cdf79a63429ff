#include <engine/evaluation/candidates.hpp>
#include <engine/evaluation/cross_validation.hpp>
#include <engine/evaluation/folds.hpp>
#include <engine/evaluation/held_out.hpp>
#include <engine/evaluation/held_out_bags.hpp>
#include <engine/evaluation/held_out_cases.hpp>

namespace bayesrisk {

std::vector<FoldProblem> CrossValidation::run(const FoldedRows& rows, int folds,
                                              Diagnostics& diagnostics) {
  if (folds <= kMostParts) {
    context_.expect(tasks(rows.frame, rows.frame.rows, folds));
    run_batch(rows, 0, folds, ModelStatistics(shared_), nullptr, diagnostics);
    return std::move(problems_);
  }
  const int size = static_cast<int>(std::ceil(std::sqrt(folds)));
  const int batches = (folds + size - 1) / size;
  IntVector batch(rows.fold, rows.fold + rows.frame.rows);
  for (int& b : batch) b = b == kMissingInteger ? b : (b - 1) / size + 1;
  const RowsByPart by_batch(batch.data(), 0, rows.frame.rows, batches);
  Index expected = StatisticsCollector::tasks(shared_, rows.frame.rows, batches * shared_.groups);
  for (int b = 0; b < batches; ++b) expected += tasks(rows.frame, by_batch.count(b), size);
  context_.expect(expected);
  std::vector<ModelStatistics> outside = collect_parts(rows, batch.data(), batches, diagnostics);
  if (!diagnostics.empty()) return std::move(problems_);
  merge_others(shared_, outside, 0, outside.size(), ModelStatistics(shared_), context_);
  for (int b = 0; b < batches; ++b) {
    // The folds of a batch share exponents, which no row of the batch has affected.
    const auto exponents = temper_outside(rows, batch.data(), b + 1, batches);
    run_gathered(rows, by_batch.of(b), by_batch.count(b), b * size,
                 std::min(size, folds - b * size), outside[b], exponents);
  }
  return std::move(problems_);
}

Index CrossValidation::tasks(const Frame& frame, Index rows, int folds) const {
  const Index of_window = window(frame, rows);
  return StatisticsCollector::tasks(shared_, rows, folds * shared_.groups) + folds +
         (rows + of_window - 1) / of_window;
}

std::vector<ModelStatistics> CrossValidation::collect_parts(const FoldedRows& rows, const int* part,
                                                            int parts,
                                                            Diagnostics& diagnostics) const {
  const int classes = shared_.groups;
  IntVector group(rows.frame.rows);
  for (Index r = 0; r < rows.frame.rows; ++r) {
    const bool counted = part[r] != kMissingInteger && rows.group[r] != kMissingInteger;
    group[r] = counted ? (part[r] - 1) * classes + rows.group[r] : kMissingInteger;
  }
  ModelPlan grouped = shared_;
  grouped.groups = parts * classes;
  const ModelStatistics all =
      StatisticsCollector(grouped, rows.frame, {group.data(), rows.weight, grouped.groups})
          .collect(context_, diagnostics);
  std::vector<ModelStatistics> result;
  for (int p = 0; p < parts; ++p) {
    result.push_back(all.of_groups(shared_, p * classes, classes));
  }
  return result;
}

std::vector<Tempering> CrossValidation::temper_outside(const FoldedRows& rows, const int* part,
                                                       int left_out, int parts) const {
  std::vector<Tempering> result(candidates_.size());
  IntVector fold(rows.frame.rows, kMissingInteger);
  Index next = 0;
  for (Index r = 0; r < rows.frame.rows; ++r) {
    if (part[r] == kMissingInteger || part[r] == left_out) continue;
    // One part alone is divided.
    const Index label = parts > 2 ? part[r] - (part[r] > left_out) - 1 : next++;
    fold[r] = static_cast<int>(label % kInnerFolds) + 1;
  }
  FoldedRows inside = rows;
  inside.fold = fold.data();
  inside.place = nullptr;
  for (std::size_t c = 0; c < candidates_.size(); ++c) {
    if (!candidates_[c].part_of.empty()) result[c] = temper_candidate(candidates_[c], inside);
  }
  return result;
}

Tempering CrossValidation::temper_candidate(const Candidate& candidate,
                                            const FoldedRows& rows) const {
  const std::vector<Candidate> alone{untempered(candidate)};
  TemperedParts parts(alone[0].plan, candidate.part_of, candidate.parts, rows);
  HeldOut wanted;
  wanted.parts = &parts;
  wanted.rows = rows.frame.rows;
  Diagnostics none;
  CrossValidation(shared_, alone, wanted, context_).run(rows, kInnerFolds, none);
  parts.cases.finish();
  Tempering tempering;
  if (parts.cases.rows == 0) return tempering;
  const TemperFit fit = temper(parts.cases, false, 1, context_);
  if (fit.separated) return tempering;
  for (int p : candidate.part_of) tempering.power.push_back(fit.power[p]);
  tempering.offset = fit.offset;
  return tempering;
}

void CrossValidation::run_batch(const FoldedRows& rows, int first_fold, int folds,
                                const ModelStatistics& outside,
                                const std::vector<Tempering>* exponents, Diagnostics& diagnostics) {
  std::vector<ModelStatistics> training = collect_parts(rows, rows.fold, folds, diagnostics);
  if (!diagnostics.empty()) return;
  merge_others(shared_, training, 0, training.size(), outside, context_);
  const CandidateEstimator estimator(shared_, static_cast<int>(rows.frame.columns.size()),
                                     context_);
  std::vector<Index> held_out(folds);
  for (Index r = 0; r < rows.frame.rows; ++r) {
    if (rows.fold[r] != kMissingInteger) ++held_out[rows.fold[r] - 1];
  }
  FoldModels models(folds);
  std::vector<std::vector<Tempering>> own(folds);
  const bool tempered = std::any_of(candidates_.begin(), candidates_.end(),
                                    [](const Candidate& c) { return !c.part_of.empty(); });
  for (int f = 0; tempered && !exponents && f < folds; ++f) {
    own[f] = temper_outside(rows, rows.fold, f + 1, folds);
  }
  context_.run(folds, [&](Index f) {
    for (std::size_t c = 0; c < candidates_.size(); ++c) {
      models[f].push_back(estimator.estimate(candidates_[c], training[f]));
      if (tempered) models[f][c].tempering = (exponents ? *exponents : own[f])[c];
    }
    for (std::size_t c = 0; c < candidates_.size(); ++c) {
      CandidateEstimator::make_scorer(candidates_[c], held_out[f], models[f][c]);
    }
  });
  report_problems(models, first_fold);
  const Index of_window = window(rows.frame, rows.frame.rows);
  if (wanted_.parts) return CaseScorer(rows, models, *wanted_.parts, of_window).run(context_);
  HeldOutScorer(rows, models, wanted_).run(of_window, context_);
}

void CrossValidation::run_gathered(const FoldedRows& rows, const Index* chosen, Index count,
                                   int first_fold, int folds, const ModelStatistics& outside,
                                   const std::vector<Tempering>& exponents) {
  Gather gather(rows.frame);
  IntVector group(count), fold(count);
  Vector weight(rows.weight ? count : 0);
  for (Index i = 0; i < count; ++i) {
    group[i] = rows.group[chosen[i]];
    fold[i] = rows.fold[chosen[i]] - first_fold;
    if (rows.weight) weight[i] = rows.weight[chosen[i]];
  }
  Diagnostics none;
  run_batch({gather.take_with_cells(chosen, count), group.data(),
             rows.weight ? weight.data() : nullptr, fold.data(), chosen},
            first_fold, folds, outside, &exponents, none);
}

void CrossValidation::report_problems(const FoldModels& models, int first_fold) {
  for (std::size_t f = 0; f < models.size(); ++f) {
    for (std::size_t c = 0; c < models[f].size(); ++c) {
      const FoldModel& model = models[f][c];
      if (model.scorer && model.empty.empty() && model.problems.empty()) continue;
      problems_.push_back({static_cast<int>(c), first_fold + static_cast<int>(f), !model.scorer,
                           model.empty, model.problems});
    }
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
  const RowsByPart by_fold(rows_.fold, first, last, folds);
  const HeldOutBags::Window bags(bags_, first, last, context);
  Gather gather(rows_.frame);
  for (int f = 0; f < folds; ++f) {
    if (by_fold.count(f) == 0) continue;
    Frame& held_out = gather.take(by_fold.of(f), by_fold.count(f));
    for (std::size_t c = 0; c < models_[f].size(); ++c) {
      if (!models_[f][c].scorer) continue;
      bags.lend(c, by_fold.of(f), held_out);
      score_rows(*models_[f][c].scorer, held_out, by_fold.of(f), c, context);
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
    request.output = Output::prob;
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
    of_fold.push_back(&of_candidates[candidate]);
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

Mapping identity_mapping(const ModelPlan& shared, int features) {
  Mapping mapping;
  mapping.groups = shared.groups;
  for (int g = 0; g < shared.groups; ++g) mapping.group.push_back(g);
  for (int j = 0; j < features; ++j) mapping.feature.push_back(j);
  mapping.level.resize(features);
  for (const AnyPlan& bank : shared.banks) {
    const IntVector& levels = bank->levels();
    for (std::size_t j = 0; j < levels.size(); ++j) {
      IntVector& level = mapping.level[bank->features()[j]];
      level.resize(levels[j]);
      for (int l = 0; l < levels[j]; ++l) level[l] = l;
    }
  }
  return mapping;
}

FoldModel CandidateEstimator::estimate(const Candidate& candidate,
                                       const ModelStatistics& training) const {
  FoldModel model;
  const ModelStatistics own = realign(shared_, training, candidate.plan, identity_, candidate.bank);
  Vector prior = candidate.prior;
  if (candidate.uniform) prior.assign(shared_.groups, 1.0);
  bool lost_prior = false;
  for (int k = 0; k < shared_.groups; ++k) {
    if (own.classes.weight[k] > 0) continue;
    model.empty.push_back(k);
    if (candidate.uniform) prior[k] = 0;
    lost_prior = lost_prior || (!prior.empty() && prior[k] > 0);
  }
  const int present = shared_.groups - static_cast<int>(model.empty.size());
  if (present == 0 || lost_prior) return model;
  if (candidate.uniform) {
    for (double& p : prior) p /= present;
  }
  model.estimate = Estimator(candidate.plan, own, candidate.options, candidate.borrow, context_)
                       .estimate(prior, model.problems);
  return model;
}

void CandidateEstimator::make_scorer(const Candidate& candidate, Index rows, FoldModel& model) {
  if (model.estimate.prior.empty() || model.problems.stops()) return;
  model.scorer = std::make_unique<Scorer>(candidate.plan, model.estimate.banks,
                                          model.estimate.prior, rows, model.tempering);
}

void draw_folds(const int* group, Index rows, int groups, int folds, std::uint64_t seed,
                int* fold) {
  auto has_group = [&](Index r) { return group[r] > 0 && group[r] <= groups; };
  std::vector<std::size_t> next(groups + 1, 0);
  for (Index r = 0; r < rows; ++r) {
    if (has_group(r)) ++next[group[r]];
  }
  for (int g = 1; g <= groups; ++g) next[g] += next[g - 1];
  std::vector<std::int16_t> label(next[groups]);
  int turn = 0;
  for (std::int16_t& of_row : label) {
    of_row = static_cast<std::int16_t>(turn);
    turn = turn + 1 == folds ? 0 : turn + 1;
  }
  for (int g = 1; g <= groups; ++g) {
    CounterRandom random(seed, static_cast<std::uint64_t>(g));
    std::int16_t* own = label.data() + next[g - 1];
    for (std::size_t left = next[g] - next[g - 1]; left > 1; --left) {
      std::swap(own[left - 1], own[random.below(static_cast<std::uint32_t>(left))]);
    }
  }
  for (Index r = 0; r < rows; ++r) {
    fold[r] = has_group(r) ? label[next[group[r] - 1]++] + 1 : kMissingInteger;
  }
}

RowsByPart::RowsByPart(const int* part, Index first, Index last, int parts) : start_(parts + 1, 0) {
  for (Index r = first; r < last; ++r) {
    if (part[r] != kMissingInteger) ++start_[part[r]];
  }
  for (int p = 0; p < parts; ++p) start_[p + 1] += start_[p];
  rows_.resize(static_cast<std::size_t>(start_[parts]));
  std::vector<Index> next(start_);
  for (Index r = first; r < last; ++r) {
    if (part[r] != kMissingInteger) rows_[next[part[r] - 1]++] = r;
  }
}

void merge_others(const ModelPlan& plan, std::vector<ModelStatistics>& parts, std::size_t first,
                  std::size_t last, ModelStatistics outside, const Context& context) {
  if (last - first == 1) {
    parts[first] = std::move(outside);
    return;
  }
  const std::size_t middle = first + (last - first) / 2;
  ModelStatistics left = outside, right = std::move(outside);
  for (std::size_t i = middle; i < last; ++i) left.merge(plan, parts[i], context);
  for (std::size_t i = first; i < middle; ++i) right.merge(plan, parts[i], context);
  merge_others(plan, parts, first, middle, std::move(left), context);
  merge_others(plan, parts, middle, last, std::move(right), context);
}

}  // namespace bayesrisk
