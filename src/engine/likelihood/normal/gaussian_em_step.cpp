#include <engine/likelihood/normal/gaussian_em_step.hpp>

namespace bayesrisk {

Matrix EmMove::numbers() const {
  Matrix all(factor.rows(), shift.cols() + factor.cols());
  all << shift, factor;
  all.rightCols(factor.cols()).diagonal() = factor.diagonal().array().log();
  return all;
}

EmMove EmMove::of_numbers(const Matrix& numbers) {
  const Index size = numbers.rows();
  EmMove move{numbers.leftCols(numbers.cols() - size), numbers.rightCols(size)};
  move.factor.diagonal() = move.factor.diagonal().array().exp();
  return move;
}

EmMove EmStep::operator()(const EmState& at) {
  prepare(at);
  const Sums sums = add_up();
  EmMove move;
  move.log_likelihood = sums.log_likelihood;
  move.shift = sums.sum;
  Matrix product = sums.product.selfadjointView<Eigen::Lower>();
  for (int k = 0; k < rows_.groups(); ++k) {
    const double weight = rows_.weight()[static_cast<std::size_t>(k)];
    move.shift.col(k) /= weight;
    product -= weight * move.shift.col(k) * move.shift.col(k).transpose();
  }
  Matrix triangle;
  const bool safe = cholesky(product, triangle) && is_conditioned(triangle, kSafeCholesky);
  move.factor = (safe ? triangle : factor_rows(move.shift)) / std::sqrt(weight_);
  return move;
}

void EmStep::Sums::merge(const Sums& other) {
  product += other.product;
  sum += other.sum;
  log_likelihood += other.log_likelihood;
}

void EmStep::set_tasks() {
  constexpr Index kMostTasks = 32;
  Index total = 0, columns = 0;
  for (const EmPattern& p : rows_.patterns()) total += columns_of(p);
  const Index enough = std::max(2 * columns_, total / kMostTasks + 1);
  start_.push_back(0);
  for (std::size_t i = 0; i < rows_.patterns().size(); ++i) {
    columns += columns_of(rows_.patterns()[i]);
    if (columns < enough && i + 1 < rows_.patterns().size()) continue;
    start_.push_back(static_cast<Index>(i) + 1);
    columns = 0;
  }
}

void EmStep::prepare(const EmState& at) {
  context_.check();
  at_ = &at;
  across_ = Matrix::Identity(size(), size());
  at.factor.triangularView<Eigen::Upper>().transpose().solveInPlace(across_);
  half_log_determinant_ = half_log_determinant(at.factor);
  log_scale_ = rows_.scale().array().log();
}

EmStep::Sums EmStep::add_up() const {
  std::vector<Sums> sums(static_cast<std::size_t>(tasks()), empty_sums());
  context_.run(tasks(), [&](Index t) {
    const auto i = static_cast<std::size_t>(t);
    for_each_block(start_[i], start_[i + 1], sums[i], [&](const auto& block, Index, Index) {
      sums[i].product.template selfadjointView<Eigen::Lower>().rankUpdate(block);
    });
  });
  Sums total = empty_sums();
  for (const Sums& of_task : sums) total.merge(of_task);
  return total;
}

void EmStep::fill(Index first, Index end, Matrix& block, Sums& sums) const {
  const auto& patterns = rows_.patterns();
  const Index begin = patterns[static_cast<std::size_t>(first)].first;
  Index next = patterns[static_cast<std::size_t>(end - 1)].last - begin;
  for (Index i = first; i < end; ++i) {
    const EmPattern& p = patterns[static_cast<std::size_t>(i)];
    const Index rows = p.last - p.first;
    block.middleCols(p.first - begin, rows) =
        rows_.numbers().middleCols(p.first, rows) -
        at_->mean.col(p.group) * rows_.root().segment(p.first, rows).transpose();
  }
  auto z = block.leftCols(next);
  at_->factor.triangularView<Eigen::Upper>().transpose().solveInPlace(z);
  for (Index i = first; i < end; ++i) {
    const EmPattern& p = patterns[static_cast<std::size_t>(i)];
    const Index rows = p.last - p.first, missing = static_cast<Index>(p.missing.size());
    auto known = block.middleCols(p.first - begin, rows);
    auto basis = block.middleCols(next, missing);
    double log_determinant = half_log_determinant_ + log_scale_.sum();
    if (missing > 0) {
      log_determinant += set_basis(p, basis);
      known -= basis * (basis.transpose() * known).eval();
      set_guesses(p, known);
      basis *= std::sqrt(p.weight);
    }
    next += missing;
    const auto members = static_cast<double>(size() - missing);
    sums.log_likelihood -=
        0.5 * known.squaredNorm() + p.weight * (members * kHalfLogTwoPi + log_determinant);
    sums.sum.col(p.group) += known * rows_.root().segment(p.first, rows);
  }
}

Matrix EmStep::factor_rows(const Matrix& shift) const {
  std::vector<Matrix> triangles(static_cast<std::size_t>(tasks()));
  context_.run(tasks(), [&](Index t) {
    const auto i = static_cast<std::size_t>(t);
    Matrix triangle = Matrix::Zero(size(), size());
    Sums sums = empty_sums();
    for_each_block(start_[i], start_[i + 1], sums, [&](auto block, Index first, Index end) {
      centre(shift, first, end, block);
      triangle = triangle_of_rows(stack(triangle, block.transpose()));
    });
    triangles[i] = triangle;
  });
  Matrix all = triangles[0];
  for (std::size_t i = 1; i < triangles.size(); ++i) {
    all = triangle_of_rows(stack(all, triangles[i]));
  }
  return all;
}

}  // namespace bayesrisk
