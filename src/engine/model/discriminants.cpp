#include <engine/core/decompositions.hpp>
#include <engine/core/triangle.hpp>
#include <engine/model/discriminants.hpp>

#include <cmath>

namespace bayesrisk {

namespace {

bool has_mean(const NormalView& view, Index k) {
  return view.mean->row(k).allFinite() && view.mean_low->row(k).allFinite();
}

// The parameters of a class with a prior above 0 are sound.
Index first_possible(const Vector& prior) {
  const auto found = std::find_if(prior.begin(), prior.end(), [](double p) { return p > 0; });
  return std::min<Index>(found - prior.begin(), static_cast<Index>(prior.size()) - 1);
}

// Whether a member has the same covariance, number by number, in all classes with parameters. A
// block has it as a whole.
bool is_pooled(const NormalView& view, Index member, Index first) {
  if (view.components) return false;
  if (view.is_block() && view.factor->size() == 1) return true;
  for (Index k = 0; k < view.mean->rows(); ++k) {
    if (k == first || !has_mean(view, k)) continue;
    const bool same = view.is_block() ? view.factor_of(static_cast<int>(k)) ==
                                            view.factor_of(static_cast<int>(first))
                                      : (*view.sd)(k, member) == (*view.sd)(first, member);
    if (!same) return false;
  }
  return true;
}

// The features of a bank that are not left out, and the linear map that makes their covariance in
// each class the identity.
class WhitePart {
 public:
  // `k`: any class with parameters.
  WhitePart(const NormalView& view, Index k, double tolerance) {
    for (Index j = 0; j < view.mean->cols(); ++j) {
      if (!(*view.left_out)[j]) members_.push_back(j);
    }
    const auto size = static_cast<Index>(members_.size());
    sd_ = Eigen::VectorXd(size);
    if (view.is_block()) {
      whiten_block(view.factor_of(static_cast<int>(k)), tolerance);
    } else {
      for (Index j = 0; j < size; ++j) sd_[j] = (*view.sd)(k, members_[j]);
      directions_ = size;
    }
  }

  const std::vector<Index>& members() const { return members_; }
  Index directions() const { return directions_; }

  // Differences of features, member x any, in directions of standard deviation 1.
  Matrix to_white(Matrix x) const {
    x.array().colwise() /= sd_.array();
    if (by_axes_) return axes_.transpose() * x;
    return triangle_.size() > 0 ? solve_transposed(triangle_, x) : x;
  }

  // The coefficients of the members, from those of the directions.
  Matrix to_members(Matrix x) const {
    if (by_axes_) x = axes_ * x;
    if (triangle_.size() > 0) x = solve_triangle(triangle_, x);
    x.array().colwise() /= sd_.array();
    return x;
  }

 private:
  // The part of a left-out feature is the identity, so the rest of the factor is a factor itself.
  void whiten_block(const Matrix& factor, double tolerance) {
    const auto size = static_cast<Index>(members_.size());
    Matrix scaled(size, size);
    for (Index j = 0; j < size; ++j) {
      for (Index i = 0; i < size; ++i) scaled(i, j) = factor(members_[i], members_[j]);
      sd_[j] = scaled.col(j).stableNorm();
      scaled.col(j) /= sd_[j];
    }
    directions_ = size;
    // The least singular value exceeds 1 / (sqrt(size) condition), so most blocks need no axes.
    const double safe = 1 / (tolerance * std::sqrt(static_cast<double>(size)));
    if (tolerance == 0 || size == 0 || is_conditioned(scaled, safe)) {
      triangle_ = std::move(scaled);
      return;
    }
    by_axes_ = true;
    const LeftSingular found = left_singular(scaled.transpose());
    directions_ = (found.values.array() > tolerance).count();
    axes_ = found.vectors.leftCols(directions_) *
            found.values.head(directions_).cwiseInverse().asDiagonal();
  }

  std::vector<Index> members_;
  Eigen::VectorXd sd_;
  Matrix triangle_;  // of the scaled members; empty: they are independent, or there are axes
  bool by_axes_ = false;
  Matrix axes_;  // member x direction
  Index directions_ = 0;
};

// The normal features of a model with a shared covariance: their class means, and their directions.
class WhiteSpace {
 public:
  WhiteSpace(std::vector<NormalView> views, const Vector& prior, double tolerance)
      : views_(std::move(views)), prior_(prior), first_(first_possible(prior)) {
    for (const NormalView& view : views_) {
      parts_.emplace_back(view, first_, tolerance);
      for (Index j : parts_.back().members()) {
        features_.push_back((*view.features)[static_cast<std::size_t>(j)]);
      }
      directions_ += parts_.back().directions();
    }
    find_means();
  }

  Discriminants find(double tolerance) const;

 private:
  // The mean of the first possible class is the origin of the others, so that no digit is lost.
  void find_means() {
    const auto classes = static_cast<Index>(prior_.size());
    away_ = Matrix(static_cast<Index>(features_.size()), classes);
    Index row = 0;
    for (std::size_t i = 0; i < views_.size(); ++i) {
      const NormalView& view = views_[i];
      for (Index j : parts_[i].members()) {
        origin_.push_back((*view.mean)(first_, j));
        for (Index k = 0; k < classes; ++k) {
          away_(row, k) = ((*view.mean)(k, j) - origin_.back()) + (*view.mean_low)(k, j);
        }
        ++row;
      }
    }
    shift_ = Eigen::VectorXd::Zero(away_.rows());
    for (Index k = 0; k < classes; ++k) {
      if (prior_[k] > 0) shift_ += prior_[k] * away_.col(k);
    }
    away_.colwise() -= shift_;
  }

  Matrix to_white(const Matrix& x) const {
    Matrix result(directions_, x.cols());
    Index from = 0, to = 0;
    for (const WhitePart& part : parts_) {
      const auto size = static_cast<Index>(part.members().size());
      result.middleRows(to, part.directions()) = part.to_white(x.middleRows(from, size));
      from += size;
      to += part.directions();
    }
    return result;
  }

  Matrix to_features(const Matrix& x) const {
    Matrix result(static_cast<Index>(features_.size()), x.cols());
    Index from = 0, to = 0;
    for (const WhitePart& part : parts_) {
      const auto size = static_cast<Index>(part.members().size());
      result.middleRows(to, size) = part.to_members(x.middleRows(from, part.directions()));
      from += part.directions();
      to += size;
    }
    return result;
  }

  std::vector<NormalView> views_;
  const Vector& prior_;
  Index first_;
  std::vector<WhitePart> parts_;
  IntVector features_;
  Index directions_ = 0;
  Vector origin_;          // of each feature
  Eigen::VectorXd shift_;  // from the origin to the mean of all classes
  Matrix away_;            // feature x class: from there to the mean of each class
};

// Along each coordinate the mean of the last class is above that of the first one. If both are
// equal, but for rounding, the class before the last one takes its place, and so on.
void set_signs(const Vector& prior, Matrix& mean, Matrix& scaling) {
  std::vector<Index> possible;
  for (std::size_t k = 0; k < prior.size(); ++k) {
    if (prior[k] > 0) possible.push_back(static_cast<Index>(k));
  }
  for (Index c = 0; c < scaling.cols(); ++c) {
    double largest = 0;
    for (Index k : possible) largest = std::max(largest, std::abs(mean(k, c)));
    for (auto k = possible.rbegin(); k != possible.rend(); ++k) {
      const double apart = mean(*k, c) - mean(possible.front(), c);
      if (!(std::abs(apart) > 1e-8 * largest)) continue;
      if (apart < 0) {
        mean.col(c) *= -1;
        scaling.col(c) *= -1;
      }
      break;
    }
  }
}

Discriminants WhiteSpace::find(double tolerance) const {
  Discriminants found;
  found.directions = static_cast<int>(directions_);
  Matrix spread = Matrix::Zero(away_.rows(), away_.cols());
  Index possible = 0;
  for (std::size_t k = 0; k < prior_.size(); ++k) {
    if (!(prior_[k] > 0)) continue;
    spread.col(static_cast<Index>(k)) = std::sqrt(prior_[k]) * away_.col(static_cast<Index>(k));
    ++possible;
  }
  Matrix scaling(away_.rows(), 0);
  const Matrix white = to_white(spread);
  if (directions_ > 0 && possible > 1 && white.allFinite()) {
    const LeftSingular axes = left_singular(white);
    const double least = std::max(tolerance, kRankTolerance) * axes.values[0];
    Index rank = (axes.values.array() > least).count();
    rank = std::min(rank, possible - 1);
    scaling = to_features(axes.vectors.leftCols(rank));
    found.between.assign(axes.values.data(), axes.values.data() + rank);
  }
  found.mean = away_.transpose() * scaling;
  set_signs(prior_, found.mean, scaling);

  std::vector<std::size_t> order(features_.size());
  for (std::size_t j = 0; j < order.size(); ++j) order[j] = j;
  std::sort(order.begin(), order.end(),
            [&](std::size_t a, std::size_t b) { return features_[a] < features_[b]; });
  found.scaling = Matrix(scaling.rows(), scaling.cols());
  for (std::size_t j : order) {
    found.scaling.row(static_cast<Index>(found.features.size())) =
        scaling.row(static_cast<Index>(j));
    found.features.push_back(features_[j]);
    found.centre.push_back(origin_[j]);
    found.centre_low.push_back(shift_[static_cast<Index>(j)]);
  }
  return found;
}

// Adds the coordinates of the rows of a tile, whose classes are the coordinates.
void add_coordinates(const Discriminants& found, const Frame& frame, Tile& tile) {
  Vector away(static_cast<std::size_t>(tile.rows));
  for (std::size_t j = 0; j < found.features.size(); ++j) {
    const Column& column = frame.columns[static_cast<std::size_t>(found.features[j])];
    const double* x = load_tile_numbers(column, tile);
    for (int r = 0; r < tile.rows; ++r) away[r] = (x[r] - found.centre[j]) - found.centre_low[j];
    for (int c = 0; c < tile.classes; ++c) {
      const double slope = found.scaling(static_cast<Index>(j), c);
      double* sum = tile.of_class(c);
      for (int r = 0; r < tile.rows; ++r) sum[r] += slope * away[r];
    }
  }
}

}  // namespace

Discriminants find_discriminants(const ModelPlan& plan,
                                 const std::vector<AnyParameters>& parameters, const Vector& prior,
                                 double tolerance) {
  require(tolerance >= 0, "tolerance: negative");
  std::vector<NormalView> views;
  Discriminants none;
  const Index first = first_possible(prior);
  for (std::size_t b = 0; b < plan.banks.size(); ++b) {
    const NormalView view = plan.banks[b]->normals(parameters[b]);
    if (!view.features) continue;
    views.push_back(view);
    for (std::size_t j = 0; j < view.features->size(); ++j) {
      const auto member = static_cast<Index>(j);
      if ((*view.left_out)[member] || is_pooled(view, member, first)) continue;
      none.unpooled.push_back((*view.features)[j]);
    }
  }
  std::sort(none.unpooled.begin(), none.unpooled.end());
  if (!none.unpooled.empty()) return none;
  return WhiteSpace(std::move(views), prior, tolerance).find(tolerance);
}

ScoreReport discriminant_scores(const Discriminants& found, const Frame& frame, double missing,
                                double* out, const Context& context) {
  const int features = static_cast<int>(frame.columns.size());
  const auto coordinates = static_cast<int>(found.scaling.cols());
  const auto write_run = [&](Index first, Index last) {
    Tile tile(coordinates, features);
    ScoreReport report(features);
    for (Index begin = first; begin < last; begin += tile.rows) {
      context.check();
      tile.start(begin, last);
      add_coordinates(found, frame, tile);
      for (int c = 0; c < coordinates; ++c) {
        const double* from = tile.of_class(c);
        double* to = out + c * frame.rows + begin;
        for (int r = 0; r < tile.rows; ++r) to[r] = std::isfinite(from[r]) ? from[r] : missing;
      }
      report.count_flags(tile);
    }
    return report;
  };
  return merge_by_rows(frame.rows, context, ScoreReport(features), write_run);
}

}  // namespace bayesrisk
