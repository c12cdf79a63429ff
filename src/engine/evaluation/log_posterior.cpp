#include <engine/evaluation/log_posterior.hpp>

namespace bayesrisk {

LogPosteriorSummer::LogPosteriorSummer(const TemperCases& cases, const Eigen::VectorXd& at,
                                       bool offsets, Information information)
    : cases_(cases),
      at_(at),
      offsets_(offsets),
      information_(information),
      sum_(at.size(), information == Information::kMatrix),
      improbability_(kSlice, cases.classes),
      p_(kSlice, cases.classes),
      centred_(information == Information::kMatrix && at.size() > 1
                   ? static_cast<Index>(kSlice) * cases.classes
                   : 0,
               at.size()) {
  if (information == Information::kTerms) {
    sum_.terms.root = Matrix::Zero(cases.places() * (cases.classes - 1), at.size());
  }
}

void LogPosteriorSummer::add(const TemperSlice& slice, int most) {
  slice_ = &slice;
  rows_ = std::min(most, slice.rows);
  weight_ = cases_.weight(slice);
  compute_posterior();
  add_gradient();
  if (information_ == Information::kMatrix) add_information();
  if (information_ == Information::kTerms) add_terms();
}

void LogPosteriorSummer::compute_posterior() {
  find_improbabilities();
  const int padded = simd::whole_vectors(rows_);
  const bool far = rows_ > 0 && least_.head(rows_).minCoeff() < -kFar;
  if (!far) least_.head(rows_).setZero();
  least_.segment(rows_, padded - rows_).setZero();
  // The odds of the truth are 1.
  if (far) {
    total_.head(padded) = least_.head(padded).exp();
  } else {
    total_.head(padded).setOnes();
  }
  p(truth()) = total_.head(rows_);
  for (int k = 0; k < cases_.classes; ++k) {
    if (k == truth()) continue;
    improbability_.col(k).segment(rows_, padded - rows_).setZero();
    loops_.add_exponentials(least_.data(), improbability_.col(k).data(), padded, p_.col(k).data(),
                            total_.data());
  }
  if (far) add_far();
  total_.head(rows_) = total_.head(rows_).inverse();
  if (!far) sum_.value += sum_of_logs(total_.data(), weight_, rows_);
  for (int k = 0; k < cases_.classes; ++k) p(k) *= total_.head(rows_);
}

void LogPosteriorSummer::find_improbabilities() {
  for (int k = 0; k < cases_.classes; ++k) {
    if (k == truth()) continue;
    const double offset = offsets_ ? at_[cases_.parts + truth()] - at_[cases_.parts + k] : 0.0;
    improbability(k) = offset - base(k);
  }
  for (int c = 0; c < cases_.parts; ++c) {
    for (int k = 0; k < cases_.classes; ++k) {
      if (k != truth()) improbability(k) -= at_[c] * score(c, k);
    }
  }
  least_.head(rows_).setZero();
  for (int k = 0; k < cases_.classes; ++k) {
    if (k != truth()) least_.head(rows_) = least_.head(rows_).min(improbability(k));
  }
}

void LogPosteriorSummer::add_far() {
  for (int i = 0; i < rows_; ++i) {
    sum_.value -= (weight_ ? weight_[i] : 1.0) * (std::log(total_[i]) - least_[i]);
  }
}

void LogPosteriorSummer::add_gradient() {
  for (int c = 0; c < cases_.parts; ++c) {
    find_mean(c);
    sum_.gradient[c] -= weighted_sum(mean_.head(rows_));
  }
  for (int l = 0; l < cases_.classes && offsets_; ++l) {
    sum_.gradient[cases_.parts + l] -= weighted_sum(p(l) - (l == truth() ? 1.0 : 0.0));
  }
}

void LogPosteriorSummer::add_information() {
  if (at_.size() == 1) return add_variance();
  // The improbabilities are not needed any more.
  for (int k = 0; k < cases_.classes; ++k) {
    if (weight_) {
      improbability(k) = (Numbers(weight_, rows_) * p(k)).sqrt();
    } else {
      improbability(k) = p(k).sqrt();
    }
  }
  for (int c = 0; c < cases_.parts; ++c) {
    find_mean(c);
    for (int k = 0; k < cases_.classes; ++k) {
      if (k == truth()) {
        centred(c, k) = -improbability(k) * mean_.head(rows_);
      } else {
        centred(c, k) = improbability(k) * (score(c, k) - mean_.head(rows_));
      }
    }
  }
  for (int l = 0; l < cases_.classes && offsets_; ++l) {
    for (int k = 0; k < cases_.classes; ++k) {
      centred(cases_.parts + l, k) = improbability(k) * ((k == l ? 1.0 : 0.0) - p(l));
    }
  }
  sum_.information.selfadjointView<Eigen::Lower>().rankUpdate(
      centred_.topRows(static_cast<Index>(rows_) * cases_.classes).matrix().transpose());
}

// A variance over classes is the sum, class by class, of the squared distance to the mean of the
// classes before (West 1979, Commun. ACM 22, 532-535). The truth is the first.
void LogPosteriorSummer::add_terms() {
  total_.head(rows_) = p(truth());
  for (int k = 0; k < cases_.classes; ++k) {
    if (k == truth()) continue;
    // Posteriors and improbabilities are not needed any more: the share of the class among those
    // up to it, and the root of the weight of its distance.
    least_.head(rows_) = total_.head(rows_);
    total_.head(rows_) += p(k);
    p(k) = (total_.head(rows_) > 0).select(p(k) / total_.head(rows_), 0.0);
    improbability(k) = (p(k) * least_.head(rows_)).sqrt();
    if (weight_) improbability(k) *= Numbers(weight_, rows_).sqrt();
  }
  for (int c = 0; c < cases_.parts; ++c) {
    add_terms_of(c, [&](int k) { return score(c, k); });
  }
  for (int l = 0; l < cases_.classes && offsets_; ++l) {
    const double of_truth = l == truth() ? 1.0 : 0.0;
    add_terms_of(cases_.parts + l, [&](int k) {
      return Eigen::ArrayXd::Constant(rows_, (k == l ? 1.0 : 0.0) - of_truth);
    });
  }
}

template <class Scores>
void LogPosteriorSummer::add_terms_of(int variable, const Scores& scores) {
  mean_.head(rows_).setZero();
  Index first = slice_->first * (cases_.classes - 1);
  for (int k = 0; k < cases_.classes; ++k) {
    if (k == truth()) continue;
    auto term = sum_.terms.root.col(variable).segment(first, rows_).array();
    term = scores(k) - mean_.head(rows_);
    mean_.head(rows_) += p(k) * term;
    term *= improbability(k);
    first += rows_;
  }
}

void LogPosteriorSummer::add_variance() {
  least_.head(rows_) = p(truth()) * mean_.head(rows_).square();
  for (int k = 0; k < cases_.classes; ++k) {
    if (k != truth()) least_.head(rows_) += p(k) * (score(0, k) - mean_.head(rows_)).square();
  }
  sum_.information(0, 0) += weighted_sum(least_.head(rows_));
}

void LogPosteriorSummer::find_mean(int c) {
  mean_.head(rows_).setZero();
  for (int k = 0; k < cases_.classes; ++k) {
    if (k != truth()) mean_.head(rows_) += p(k) * score(c, k);
  }
}

}  // namespace bayesrisk
