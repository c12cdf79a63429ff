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
  NormalParts(const View& view, std::vector<bool> wanted);

  // A feature that the model has left out says nothing. In a world it has one value.
  std::vector<NormalPart> of_class(int k, bool as_world) const;

 private:
  void read(const NormalView& p, const BlockMembers& block, int k, bool as_world, NormalPart& part,
            const Matrix& factor) const;

  const View& view_;
  std::vector<bool> wanted_;
  IntVector place_;  // of each feature of the model in the world
};

}  // namespace bayesrisk
