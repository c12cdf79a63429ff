#include <engine/evaluation/nested.hpp>

namespace bayesrisk {

void NestedErrors::add(const Cases& cases, const int* fold_of, int fold, const Vector& values) {
  Vector own(values.size(), kNaN), others(values);
  if (held_out_.empty()) held_out_.assign(values.size(), kNaN);
  for (Index r = 0; r < cases.rows; ++r) {
    if (fold_of[r] != fold) continue;
    own[r] = held_out_[r] = values[r];
    others[r] = kNaN;
  }
  const MeanError outside = mean_and_error(cases, own), inside = mean_and_error(cases, others);
  if (inside.weight > 0) {
    inside_ += inside.mean;
    ++folds_;
  }
  if (std::isnan(outside.standard_error) || !(inside.weight > 0)) return;
  squares_ += (inside.mean - outside.mean) * (inside.mean - outside.mean);
  variances_ += outside.standard_error * outside.standard_error;
  ++compared_;
}

void NestedErrors::finish_split(const Cases& cases) {
  const MeanError all = mean_and_error(cases, held_out_);
  held_out_.clear();
  if (!(all.weight > 0)) return;
  plain_ += all.mean;
  plain_error_ += all.standard_error;
  ++splits_;
}

NestedMean NestedErrors::estimate(int folds) const {
  if (splits_ == 0 || folds_ == 0 || compared_ == 0) return {};
  const double plain = plain_ / splits_, error = plain_error_ / splits_, count = folds;
  // The models inside miss two folds and are a little worse than those outside.
  const double bias = (1 + (count - 2) / count) * (inside_ / folds_ - plain);
  const double square = (count - 1) / count * (squares_ - variances_) / compared_;
  return {inside_ / folds_ - bias,
          std::clamp(std::sqrt(std::max(0.0, square)), error, std::sqrt(count) * error)};
}

Index NestedCrossValidation::tasks(const FoldedRows& rows, int folds) const {
  const Index window = HeldOutBags::rows_of_window(rows.frame, shared_.groups, context_);
  return StatisticsCollector::tasks(shared_, rows.frame.rows, folds * shared_.groups) +
         folds * (folds + 1) / 2 + folds * ((rows.frame.rows + window - 1) / window);
}

void NestedCrossValidation::add(const FoldedRows& rows, int folds) {
  const std::vector<FoldModels> models = estimate(rows, folds);
  for (int f = 0; f < static_cast<int>(models.size()); ++f) compare(rows, f, models[f]);
  for (OfCandidate& of : errors_) {
    of.error.finish_split(cases_);
    of.cost.finish_split(cases_);
    of.difference.finish_split(cases_);
  }
}

std::vector<NestedRisk> NestedCrossValidation::risks(int folds) const {
  std::vector<NestedRisk> result;
  for (const OfCandidate& of : errors_) {
    result.push_back(
        {of.error.estimate(folds), of.cost.estimate(folds), of.difference.estimate(folds)});
  }
  return result;
}

std::vector<FoldModels> NestedCrossValidation::estimate(const FoldedRows& rows, int folds) const {
  Diagnostics none;
  const std::vector<ModelStatistics> parts =
      collect_parts(shared_, rows, rows.fold, folds, context_, none);
  if (!none.empty()) return {};
  const CandidateEstimator estimator(shared_, static_cast<int>(rows.frame.columns.size()),
                                     context_);
  std::vector<Index> held_out(folds);
  for (Index r = 0; r < rows.frame.rows; ++r) {
    if (rows.fold[r] != kMissingInteger) ++held_out[rows.fold[r] - 1];
  }
  // Merging takes most of the time, so each sum of neighbouring folds is merged once.
  std::vector<ModelStatistics> after(folds, ModelStatistics(shared_));
  for (int f = folds - 1; f > 0; --f) {
    after[f - 1] = parts[f];
    after[f - 1].merge(shared_, after[f], context_);
  }
  std::vector<FoldModels> models(folds, FoldModels(folds));
  ModelStatistics before(shared_);
  for (int f = 0; f < folds; ++f) {
    std::vector<ModelStatistics> training(folds - f, before);
    for (int other = f + 2; other < folds; ++other) {
      training[other - f] = training[other - f - 1];
      training[other - f].merge(shared_, parts[other - 1], context_);
    }
    context_.run(folds - f, [&](Index later) {
      const Index other = f + later;
      training[later].merge(shared_, after[other], context_);
      models[f][other] = estimator.models(candidates_, training[later],
                                          held_out[f] + (later > 0 ? held_out[other] : 0));
      models[other][f] = models[f][other];
    });
    before.merge(shared_, parts[f], context_);
  }
  return models;
}

void NestedCrossValidation::compare(const FoldedRows& rows, int fold, const FoldModels& models) {
  std::vector<IntVector> decisions(candidates_.size(), IntVector(cases_.rows, kMissingInteger));
  HeldOut wanted;
  wanted.cost = &cost_;
  for (IntVector& decision : decisions) wanted.choices.push_back(decision.data());
  HeldOutScorer(rows, models, wanted)
      .run(HeldOutBags::rows_of_window(rows.frame, shared_.groups, context_), context_);
  const CostTable table(cost_);
  Vector first;
  for (std::size_t c = 0; c < candidates_.size(); ++c) {
    const Vector loss = realised_losses(cases_, table, decisions[c].data());
    if (c == 0) first = loss;
    errors_[c].error.add(cases_, rows.fold, fold + 1,
                         wrong_decisions(cases_, class_of_, decisions[c].data(), loss));
    errors_[c].cost.add(cases_, rows.fold, fold + 1, loss);
    errors_[c].difference.add(cases_, rows.fold, fold + 1, loss_difference(loss, first));
  }
}

}  // namespace bayesrisk
