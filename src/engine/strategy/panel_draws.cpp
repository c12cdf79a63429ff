#include <engine/core/inverse.hpp>
#include <engine/core/log_math.hpp>
#include <engine/strategy/panel_draws.hpp>

#include <map>

namespace bayesrisk {

namespace {

using Terms = std::vector<ConditionalTerm>;

double log_density(const Terms& terms, const Eigen::VectorXd& x) {
  double total = kNegativeInfinity;
  for (const ConditionalTerm& term : terms) {
    Eigen::VectorXd z = x - term.given.mean;
    term.given.factor.transpose().triangularView<Eigen::Lower>().solveInPlace(z);
    total = log_add(
        total, term.log_weight - 0.5 * z.squaredNorm() - half_log_determinant(term.given.factor));
  }
  return total;
}

// A value of a class from uniform numbers, the first of which chooses the term.
Eigen::VectorXd value_of(const Terms& terms, const Vector& u) {
  Vector below;
  for (const ConditionalTerm& term : terms) {
    below.push_back((below.empty() ? 0 : below.back()) + std::exp(term.log_weight));
  }
  const auto at = index_of_weight(below.data(), static_cast<int>(below.size()), u[0]);
  const Conditional& given = terms[static_cast<std::size_t>(at)].given;
  Eigen::VectorXd z(given.mean.size());
  for (Index i = 0; i < z.size(); ++i) z[i] = normal_quantile(u[static_cast<std::size_t>(i) + 1]);
  return given.mean + given.factor.triangularView<Eigen::Upper>().transpose() * z;
}

// The log densities in each class of values that are drawn from all of them, a column each.
Matrix draw(const std::vector<Terms>& terms, std::uint64_t points, std::uint64_t seed,
            std::uint64_t batch) {
  std::vector<Eigen::VectorXd> values;
  const auto classes = static_cast<Index>(terms.size());
  for (std::size_t from = 0; from < terms.size(); ++from) {
    if (terms[from].empty()) continue;
    const Index size = terms[from][0].given.mean.size();
    const ShiftedLattice lattice(static_cast<int>(size) + 1, seed, batch * terms.size() + from);
    Vector u(static_cast<std::size_t>(size) + 1);
    for (std::uint64_t i = 0; i < points; ++i) {
      lattice.point(i, u.data());
      const Eigen::VectorXd x = value_of(terms[from], u);
      values.emplace_back(classes);
      for (Index k = 0; k < classes; ++k) {
        values.back()[k] = log_density(terms[static_cast<std::size_t>(k)], x);
      }
    }
  }
  Matrix result(classes, static_cast<Index>(values.size()));
  for (std::size_t i = 0; i < values.size(); ++i) result.col(static_cast<Index>(i)) = values[i];
  return result;
}

// The answer of each value: values whose log ratios to the largest density fall into the same bins
// have one. A bin is the wider the smaller the ratio.
class AnswerBins {
 public:
  AnswerBins(const std::vector<Matrix>& batches, double width) {
    for (const Matrix& values : batches) {
      IntVector own;
      for (Index i = 0; i < values.cols(); ++i) {
        IntVector key;
        const double largest = values.col(i).maxCoeff();
        for (Index k = 0; k < values.rows(); ++k) {
          key.push_back(static_cast<int>(
              std::round(std::log1p(std::min(largest - values(k, i), kFar)) / width)));
        }
        own.push_back(bins_.try_emplace(key, static_cast<int>(bins_.size())).first->second);
      }
      answer.push_back(std::move(own));
    }
  }

  Index count() const { return static_cast<Index>(bins_.size()); }

  std::vector<IntVector> answer;  // by batch and value

 private:
  static constexpr double kFar = 100;

  std::map<IntVector, int> bins_;
};

AnswerBins find_bins(const std::vector<Matrix>& batches) {
  constexpr Index kMost = 4000;
  double width = 0.03;
  AnswerBins bins(batches, width);
  while (bins.count() > kMost) bins = AnswerBins(batches, width *= 1.25);
  return bins;
}

// P(answer | class) of the values of a batch. No answer excludes a class.
Matrix given_answers(const std::vector<Terms>& terms, const Matrix& values, const IntVector& answer,
                     Index answers) {
  Matrix given = Matrix::Zero(values.rows(), answers);
  for (Index i = 0; i < values.cols(); ++i) {
    const Eigen::VectorXd value = values.col(i);
    given.col(answer[static_cast<std::size_t>(i)]) +=
        (value.array() - log_sum(value)).exp().matrix();
  }
  for (Index k = 0; k < given.rows(); ++k) {
    if (terms[static_cast<std::size_t>(k)].empty()) continue;
    given.row(k) = given.row(k).cwiseMax(1e-300);
    given.row(k) /= given.row(k).sum();
  }
  return given;
}

}  // namespace

PanelDraws::PanelDraws(const std::vector<std::vector<ConditionalTerm>>& terms, std::uint64_t seed) {
  constexpr std::uint64_t kPoints = 1024;  // by class and batch
  std::vector<Matrix> values;
  for (std::uint64_t b = 0; b < kBatches; ++b) values.push_back(draw(terms, kPoints, seed, b));
  const AnswerBins bins = find_bins(values);
  for (std::size_t b = 0; b < values.size(); ++b) {
    batches_.push_back(given_answers(terms, values[b], bins.answer[b], bins.count()));
  }
  given_ = Matrix::Zero(batches_[0].rows(), bins.count());
  for (const Matrix& batch : batches_) given_ += batch / static_cast<double>(kBatches);
}

}  // namespace bayesrisk
