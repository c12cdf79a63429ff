#include <engine/evaluation/cross_validation.hpp>

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
  std::vector<ModelStatistics> outside =
      collect_parts(shared_, rows, batch.data(), batches, context_, diagnostics);
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

std::vector<ModelStatistics> collect_parts(const ModelPlan& shared, const FoldedRows& rows,
                                           const int* part, int parts, const Context& context,
                                           Diagnostics& diagnostics) {
  const int classes = shared.groups;
  IntVector group(rows.frame.rows);
  for (Index r = 0; r < rows.frame.rows; ++r) {
    const bool counted = part[r] != kMissingInteger && rows.group[r] != kMissingInteger;
    group[r] = counted ? (part[r] - 1) * classes + rows.group[r] : kMissingInteger;
  }
  ModelPlan grouped = shared;
  grouped.groups = parts * classes;
  const ModelStatistics all =
      StatisticsCollector(grouped, rows.frame, {group.data(), rows.weight, grouped.groups})
          .collect(context, diagnostics);
  std::vector<ModelStatistics> result;
  for (int p = 0; p < parts; ++p) {
    result.push_back(all.of_groups(shared, p * classes, classes));
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
  const TemperFit fit = temper(parts.cases, false, {}, context_);
  if (fit.separated) return tempering;
  for (int p : candidate.part_of) tempering.power.push_back(fit.power[p]);
  tempering.offset = fit.offset;
  return tempering;
}

void CrossValidation::run_batch(const FoldedRows& rows, int first_fold, int folds,
                                const ModelStatistics& outside,
                                const std::vector<Tempering>* exponents, Diagnostics& diagnostics) {
  std::vector<ModelStatistics> training =
      collect_parts(shared_, rows, rows.fold, folds, context_, diagnostics);
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
    models[f] = estimator.models(candidates_, training[f], held_out[f],
                                 tempered ? (exponents ? exponents : &own[f]) : nullptr);
  });
  report_problems(models, first_fold);
  HeldOutScorer(rows, models, wanted_).run(window(rows.frame, rows.frame.rows), context_);
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
      const FoldModel& model = *models[f][c];
      if (model.scorer && model.empty.empty() && model.problems.empty()) continue;
      problems_.push_back({static_cast<int>(c), first_fold + static_cast<int>(f), !model.scorer,
                           model.empty, model.problems});
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

ModelStatistics CandidateEstimator::pooled(const Candidate& candidate,
                                           const ModelStatistics& training,
                                           Diagnostics& problems) const {
  const OtherGroups& others = *candidate.others;
  ModelStatistics all = others.statistics;
  all.merge(candidate.plan, training, context_);
  const Estimate merged =
      Estimator(candidate.plan, all, candidate.options, candidate.borrow, context_)
          .estimate({}, problems);
  if (problems.stops()) return training;
  return with_cases(candidate.plan, training, all, merged, candidate.options, others.cases);
}

FoldModel CandidateEstimator::estimate(const Candidate& candidate,
                                       const std::vector<AnyOptions>& options,
                                       const ModelStatistics& own) const {
  FoldModel model;
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
  model.estimate = Estimator(candidate.plan, own, options, candidate.borrow, context_)
                       .estimate(prior, model.problems);
  return model;
}

ModelsOfFold CandidateEstimator::models(const std::vector<Candidate>& candidates,
                                        const ModelStatistics& training, Index rows,
                                        const std::vector<Tempering>* exponents) const {
  ModelsOfFold result;
  for (std::size_t c = 0; c < candidates.size(); ++c) {
    const Candidate& candidate = candidates[c];
    ModelStatistics own = realign(shared_, training, candidate.plan, identity_, candidate.bank);
    Diagnostics problems;
    std::vector<AnyOptions> options = candidate.options;
    if (candidate.others) {
      own = pooled(candidate, own, problems);
      options = options_with_cases(candidate.plan, options, candidate.others->cases);
    }
    result.push_back(std::make_shared<FoldModel>());
    if (problems.stops()) {
      result.back()->problems = problems;
      continue;
    }
    *result.back() = estimate(candidate, options, own);
    if (exponents) result.back()->tempering = (*exponents)[c];
    add_scorer(candidate, options, own, rows, *result.back());
  }
  return result;
}

void CandidateEstimator::add_scorer(const Candidate& candidate,
                                    const std::vector<AnyOptions>& options,
                                    const ModelStatistics& own, Index rows,
                                    FoldModel& model) const {
  if (model.estimate.prior.empty()) return;
  std::vector<Hyperparameters> hyperparameters;
  if (candidate.predictive && !model.problems.stops()) {
    ParameterPosterior posterior =
        parameter_posterior(candidate.plan, own, options, model.estimate.prior, candidate.borrow,
                            model.problems, context_);
    model.estimate.banks = std::move(posterior.centre.banks);
    hyperparameters = std::move(posterior.hyperparameters);
  }
  if (model.problems.stops()) return;
  model.scorer =
      std::make_unique<Scorer>(candidate.plan, model.estimate.banks, model.estimate.prior, rows,
                               model.tempering, hyperparameters);
}

}  // namespace bayesrisk
