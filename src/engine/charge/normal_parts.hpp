#pragma once

#include <engine/core/triangle.hpp>
#include <engine/world/world.hpp>

namespace bayesrisk {

// Features of a world that are jointly normal in one class of a model: the mean, and a triangle U
// with U'U as the covariance. `features` are those of the world.
struct NormalPart {
  IntVector features;
  Eigen::VectorXd mean, mean_low;
  Matrix factor;
  double power = 1;

  Index size() const { return static_cast<Index>(features.size()); }
  bool operator==(const NormalPart& other) const {
    return features == other.features && mean == other.mean && mean_low == other.mean_low &&
           factor == other.factor && power == other.power;
  }
};

// The normal features of a model in a world, part by part. Features that are not `wanted` are
// integrated out.
class NormalParts {
 public:
  NormalParts(const View& view, std::vector<bool> wanted)
      : view_(view), wanted_(std::move(wanted)) {
    for (std::size_t j = 0; j < view.feature.size(); ++j) {
      const int own = view.feature[j];
      if (own < 0) continue;
      place_.resize(std::max(place_.size(), static_cast<std::size_t>(own) + 1), -1);
      place_[static_cast<std::size_t>(own)] = static_cast<int>(j);
    }
  }

  // A feature that the model has left out says nothing. In a world it has one value.
  std::vector<NormalPart> of_class(int k, bool as_world) const {
    std::vector<NormalPart> parts;
    const std::vector<BlockMembers> blocks = blocks_of(view_.plan);
    for (std::size_t b = 0; b < blocks.size(); ++b) {
      const BlockMembers& block = blocks[b];
      NormalPart part;
      if (const auto* plan = std::get_if<Gaussian::Plan>(&view_.plan.banks[block.bank])) {
        const auto& p = std::get<Gaussian::Parameters>(view_.parameters[block.bank]);
        read(*plan, p, block, k, as_world, part, Matrix::Constant(1, 1, p.sd(k, block.from)));
      } else if (const auto* joint =
                     std::get_if<MultivariateGaussian::Plan>(&view_.plan.banks[block.bank])) {
        const auto& p = std::get<MultivariateGaussian::Parameters>(view_.parameters[block.bank]);
        read(*joint, p, block, k, as_world, part, p.factor_of(k));
      }
      if (part.features.empty()) continue;
      const bool tempered = view_.tempering && !view_.tempering->power.empty();
      if (tempered) part.power = view_.tempering->power[b];
      parts.push_back(std::move(part));
    }
    return parts;
  }

 private:
  template <class Plan, class Parameters>
  void read(const Plan& plan, const Parameters& p, const BlockMembers& block, int k, bool as_world,
            NormalPart& part, const Matrix& factor) const {
    std::vector<Index> kept;
    for (int j = block.from; j < block.to; ++j) {
      const auto own = static_cast<std::size_t>(plan.features[static_cast<std::size_t>(j)]);
      const int place = own < place_.size() ? place_[own] : -1;
      if (place < 0 || !wanted_[static_cast<std::size_t>(place)]) continue;
      if (p.left_out[j] && !as_world) continue;
      part.features.push_back(place);
      kept.push_back(j);
    }
    const auto size = static_cast<Index>(kept.size());
    part.mean.resize(size);
    part.mean_low.resize(size);
    Matrix columns(factor.rows(), size);
    for (Index i = 0; i < size; ++i) {
      const Index j = kept[static_cast<std::size_t>(i)];
      part.mean[i] = p.mean(k, j);
      part.mean_low[i] = p.mean_low(k, j);
      columns.col(i) = factor.col(j - block.from);
      if (p.left_out[j]) columns.col(i).setZero();
    }
    part.factor = size == factor.cols() ? std::move(columns) : triangle_of_rows(columns);
  }

  const View& view_;
  std::vector<bool> wanted_;
  IntVector place_;  // of each feature of the model in the world
};

}  // namespace bayesrisk
