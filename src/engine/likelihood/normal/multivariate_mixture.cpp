#include <engine/likelihood/contract/adapter.hpp>
#include <engine/likelihood/normal/block_moments.hpp>
#include <engine/likelihood/normal/multivariate_mixture.hpp>
#include <engine/likelihood/normal/multivariate_mixture_scorer.hpp>

namespace bayesrisk {

namespace {

// Writes log(sum of exp(-x)) over `count` columns of `stride` rows. Terms are summed relative to
// the largest one, which dominates in the tails. `scratch` has room for two columns.
void write_log_sums(const simd::TileLoops& loops, const double* x, int count, int stride,
                    double* scratch, double* result) {
  loops.find_least(x, count, stride, stride, result);
  if (count == 1) {
    for (int r = 0; r < stride; ++r) result[r] = -result[r];
    return;
  }
  double *sum = scratch, *share = scratch + stride;
  std::fill_n(sum, stride, 0.0);
  for (int t = 0; t < count; ++t) {
    loops.add_exponentials(result, x + t * stride, stride, share, sum);
  }
  for (int r = 0; r < stride; ++r) {
    result[r] = std::isinf(result[r]) ? kNegativeInfinity : std::log(sum[r]) - result[r];
  }
}

// The moments of a mixture in one class. The origin is the first mean of the block.
BlockMoments mixture_moments(const MultivariateMixture::Parameters& p, int k) {
  const int first = p.first_terms()[k], count = p.components[k];
  const auto& normals = p.normals;
  const Index size = normals.mean.cols();
  const Matrix away = (normals.mean.middleRows(first, count).rowwise() - normals.mean.row(0)) +
                      normals.mean_low.middleRows(first, count);
  const Eigen::VectorXd share = Eigen::Map<const Eigen::ArrayXd>(&p.log_weight[first], count).exp();
  const Eigen::VectorXd mean = away.transpose() * share - normals.mean_low.row(0).transpose();
  Matrix rows(count * (size + 1), size);
  for (int t = 0; t < count; ++t) {
    rows.middleRows(t * size, size) = std::sqrt(share[t]) * normals.factor_of(first + t);
    rows.row(count * size + t) =
        std::sqrt(share[t]) * (away.row(t) - normals.mean_low.row(0) - mean.transpose());
  }
  return {mean, triangle_of_rows(rows)};
}

}  // namespace

// The overlap of sums of normals has no closed form: NaN.
void MultivariateMixture::overlap(const Plan& plan, const Parameters& p, int one, int other,
                                  Overlap& overlap) {
  if (plan.size() == 1) {
    return add_marginal_overlap<MultivariateMixture>(plan, p, one, other, overlap);
  }
  const BlockMoments first = mixture_moments(p, one), second = mixture_moments(p, other);
  if (p.log_weight.size() == 2) return add_normals(first, second, overlap);
  overlap.parts.push_back([](double) { return kNaN; });
  add_moments(first, second, overlap);
}

bool MultivariateMixture::Parameters::sound(int g) const {
  const int first = first_terms()[g];
  for (int t = first; t < first + components[g]; ++t) {
    if (!(log_weight[t] <= kLogOne) || !normals.sound(t)) return false;
  }
  return true;
}

void MultivariateMixture::Statistics::merge(const Plan& plan, const Statistics& other) {
  Block::Statistics::merge(plan, other);
  for (std::size_t g = 0; g < points.size(); ++g) {
    points[g] = unite_rows(points[g], other.points[g]);
  }
}

MultivariateMixture::Statistics MultivariateMixture::Statistics::of_groups(const Plan&, int first,
                                                                           int count) const {
  Statistics part;
  part.scatter = scatter.of_groups(first, count);
  part.points.assign(points.begin() + first, points.begin() + first + count);
  return part;
}

MultivariateMixture::Statistics MultivariateMixture::Statistics::realign(
    const Plan& plan, const Plan& target, const Mapping& mapping) const {
  Statistics result(target, mapping.groups);
  result.scatter = Block::Statistics::realign(plan, target, mapping).scatter;
  const IntVector to = mapping.members(plan.features, target.features);
  for (std::size_t g = 0; g < points.size(); ++g) {
    result.points[mapping.group[g]] = move_columns(points[g], to, target.size());
  }
  return result;
}

double MultivariateMixture::parameter_count(const Plan& plan, const Options&, const Parameters& p,
                                            int) {
  const double kept = plan.size() - p.normals.left_out.count();
  double count = 0;
  const IntVector first = p.first_terms();
  for (std::size_t g = 0; g < first.size(); ++g) {
    if (p.normals.mean.row(first[g]).hasNaN()) continue;
    count += parameters_of_class(p.components[g], kept);
  }
  return count;
}

Normals::OfClass MultivariateMixture::marginal(const Plan& plan, const Parameters& p, int k,
                                               int member, double origin) {
  return p.normals_of(
      k, [&](int t) { return Block::marginal(plan, p.normals, t, member, origin)[0]; });
}

NormalView MultivariateMixture::normals(const Plan& plan, const Parameters& p) {
  NormalView view = Block::normals(plan, p.normals);
  view.components = &p.components;
  view.log_weight = &p.log_weight;
  return view;
}

MultivariateMixture::Scorer::Scorer(const Plan& plan, const Parameters& parameters)
    : plan_(plan),
      parameters_(parameters),
      first_(parameters.first_terms()),
      normals_(plan, parameters.normals) {
  for (int components : parameters.components) most_ = std::max(most_, components);
  const Block::Parameters& normals = parameters.normals;
  const Index terms = plan.size() == 1 ? normals.mean.rows() : 0;
  for (int t = 0; t < terms; ++t) {
    const Matrix& u = normals.factor_of(t);
    inverse_sd_.push_back(1 / u(0, 0));
    constant_.push_back(half_log_determinant(u) + kHalfLogTwoPi - parameters.log_weight[t]);
  }
  for (int t = 0; t < terms; ++t) {
    triangles_.push_back({normals.factor_of(t).data(), &inverse_sd_[t], &normals.mean(t, 0),
                          &normals.mean_low(t, 0)});
  }
}

void MultivariateMixture::Scorer::add_single(const double* x, Tile& tile) const {
  const int stride = tile.stride;
  tile.scratch.resize(static_cast<std::size_t>(most_ + 3) * stride + simd::kSolveScratch);
  double *sum = tile.scratch.data(), *negated = sum + 3 * stride;
  for (int k = 0; k < tile.classes; ++k) {
    const int first = first_[k], count = parameters_.components[k];
    loops_.solve_triangles(&x, 1, &triangles_[first], count, stride, stride,
                           negated + most_ * stride, negated);
    for (int t = 0; t < count; ++t) {
      double* of_term = negated + t * stride;
      for (int r = 0; r < stride; ++r) of_term[r] = 0.5 * of_term[r] + constant_[first + t];
    }
    write_log_sums(loops_, negated, count, stride, sum + stride, sum);
    double* out = tile.of_class(k);
    for (int r = 0; r < tile.rows; ++r) out[r] += std::isfinite(x[r]) ? sum[r] : 0.0;
  }
}

void MultivariateMixture::Scorer::add(const Frame& frame, int, int, Tile& tile) const {
  if (parameters_.normals.kept().empty()) return;
  if (plan_.size() == 1) {
    return add_single(load_tile_numbers(frame.columns[plan_.features[0]], tile), tile);
  }
  Tile terms(static_cast<int>(parameters_.log_weight.size()),
             static_cast<int>(frame.columns.size()));
  Vector scratch(static_cast<std::size_t>(3) * terms.capacity);
  const Index end = tile.begin + tile.rows;
  for (Index begin = tile.begin; begin < end; begin += terms.rows) {
    terms.start(begin, end);
    normals_.add(frame, 0, plan_.size(), terms);
    const std::vector<bool> known = rows_with_a_number(frame, terms);
    const auto offset = static_cast<int>(begin - tile.begin);
    for (int r = 0; r < terms.rows; ++r) {
      if (terms.flagged(r, kInfinite)) tile.flag(offset + r, kInfinite);
    }
    for (int k = 0; k < tile.classes; ++k) add_class(k, known, terms, scratch, offset, tile);
  }
}

void MultivariateMixture::Scorer::add_class(int k, const std::vector<bool>& known, Tile& terms,
                                            Vector& scratch, int offset, Tile& tile) const {
  const int count = parameters_.components[k], stride = terms.stride;
  for (int t = first_[k]; t < first_[k] + count; ++t) {
    double* x = terms.of_class(t);
    for (int r = 0; r < stride; ++r) x[r] = -(x[r] + parameters_.log_weight[t]);
  }
  double* sum = scratch.data();
  write_log_sums(loops_, terms.of_class(first_[k]), count, stride, sum + stride, sum);
  double* out = tile.of_class(k) + offset;
  for (int r = 0; r < terms.rows; ++r) {
    if (known[static_cast<std::size_t>(r)]) out[r] += sum[r];
  }
}

std::vector<bool> MultivariateMixture::Scorer::rows_with_a_number(const Frame& frame,
                                                                  Tile& terms) const {
  std::vector<bool> known(static_cast<std::size_t>(terms.rows), false);
  for (int j : parameters_.normals.kept()) {
    const double* x = load_numbers(frame.columns[plan_.features[j]], terms.begin, terms.rows,
                                   terms.stride, terms.buffer());
    for (int r = 0; r < terms.rows; ++r) {
      if (std::isfinite(x[r])) known[static_cast<std::size_t>(r)] = true;
    }
  }
  return known;
}

double MultivariateMixture::log_likelihood_of(const std::vector<RowPoints>& points,
                                              const Parameters& p) {
  const auto size = static_cast<int>(p.normals.mean.cols());
  Plan in_order{{IntVector(static_cast<std::size_t>(size))}};
  std::iota(in_order.features.begin(), in_order.features.end(), 0);
  const Scorer scorer(in_order, p);
  Tile tile(static_cast<int>(p.components.size()), size);
  double sum = 0;
  for (std::size_t g = 0; g < points.size(); ++g) {
    Frame frame;
    frame.rows = points[g].rows();
    frame.columns.resize(static_cast<std::size_t>(size));
    for (int j = 0; j < size; ++j) frame.columns[j].real = points[g].col(j).data();
    for (Index begin = 0; begin < frame.rows; begin += tile.rows) {
      tile.start(begin, frame.rows);
      scorer.add(frame, 0, size, tile);
      const double* log_density = tile.of_class(static_cast<int>(g));
      for (int r = 0; r < tile.rows; ++r) {
        sum += times_log(points[g](begin + r, size), log_density[r]);
      }
    }
  }
  return sum;
}

BAYESRISK_LIKELIHOOD(MultivariateMixture)

}  // namespace bayesrisk
