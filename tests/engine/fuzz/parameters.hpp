#pragma once

#include "problem.hpp"

namespace fuzz {

// Sound parameters of a bank, of any size that doubles have.
class ParametersDecoder {
 public:
  ParametersDecoder(Bytes& bytes, int groups) : bytes_(bytes), groups_(groups) {}

  AnyParameters operator()(const Gaussian::Plan& plan) {
    const int m = plan.members();
    return Gaussian::Parameters{finite(m), Matrix::Zero(groups_, m), positive(m)};
  }

  AnyParameters operator()(const MultivariateGaussian::Plan& plan) {
    const int p = plan.members();
    MultivariateGaussian::Parameters result{finite(p), Matrix::Zero(groups_, p), {}};
    for (int g = bytes_.flag() ? groups_ : 1; g > 0; --g) {
      Matrix factor = Matrix::Zero(p, p);
      for (int j = 0; j < p; ++j) {
        for (int i = 0; i <= j; ++i) factor(i, j) = i == j ? bytes_.positive() : bytes_.finite();
      }
      result.factor.push_back(factor);
    }
    return result;
  }

  AnyParameters operator()(const Categorical::Plan& plan) {
    Matrix result(groups_, plan.offsets().back());
    for (int g = 0; g < groups_; ++g) {
      Index next = 0;
      for (int levels : plan.levels) {
        for (double share : log_shares(levels)) result(g, next++) = share;
      }
    }
    return Categorical::Parameters{result};
  }

  AnyParameters operator()(const JointTable::Plan& plan) {
    const auto all = static_cast<int>(plan.cells());
    IntVector keys;
    for (int key = 0; key < all; ++key) {
      if (bytes_.flag()) keys.push_back(key);
    }
    const auto seen = static_cast<int>(keys.size());
    JointTable::Parameters result{IntMatrix(seen, plan.members()), Matrix(groups_, seen), {}};
    for (int c = 0; c < seen; ++c) {
      int key = keys[static_cast<std::size_t>(c)];
      for (int j = plan.members() - 1; j >= 0; --j) {
        const int levels = plan.levels[static_cast<std::size_t>(j)];
        result.cells(c, j) = key % levels + 1;
        key /= levels;
      }
    }
    for (int g = 0; g < groups_; ++g) {
      const Vector shares = log_shares(seen + 1);
      for (int c = 0; c < seen; ++c) {
        result.log_probability(g, c) = shares[static_cast<std::size_t>(c)];
      }
      result.log_unseen.push_back(shares.back() - std::log(std::max(1, all - seen)));
    }
    return result;
  }

  AnyParameters operator()(const Poisson::Plan& plan) {
    return Poisson::Parameters{finite(plan.members()).cwiseAbs()};
  }

  AnyParameters operator()(const Gamma::Plan& plan) {
    return Gamma::Parameters{positive(plan.members()), positive(plan.members())};
  }

  AnyParameters operator()(const NegativeBinomial::Plan&) {
    Matrix size = positive(1);
    for (int g = 0; g < groups_; ++g) size(g, 0) = bytes_.flag() ? kInfinity : size(g, 0);
    return NegativeBinomial::Parameters{size, finite(1).cwiseAbs()};
  }

  AnyParameters operator()(const Histogram::Plan& plan) {
    Matrix result = Matrix::Constant(groups_, plan.most_bins(), kNegativeInfinity);
    for (int g = 0; g < groups_; ++g) {
      const Vector shares = log_shares(plan.of_group(g).count);
      for (std::size_t b = 0; b < shares.size(); ++b) {
        result(g, static_cast<Index>(b)) = shares[b];
      }
    }
    return Histogram::Parameters{result};
  }

  AnyParameters operator()(const Empirical::Plan&) { return Empirical::Parameters{points()}; }

  AnyParameters operator()(const Kernel::Plan&) {
    Kernel::Parameters result{points(), {}};
    for (int g = 0; g < groups_; ++g) result.bandwidth.push_back(bytes_.positive());
    return result;
  }

  AnyParameters operator()(const Mixture::Plan& plan) {
    Mixture::Parameters result{IntMatrix(groups_, plan.members()), {}, {}, {}};
    for (Index i = 0; i < result.components.size(); ++i) {
      result.components.data()[i] = 1 + bytes_.below(3);
      for (double share : log_shares(result.components.data()[i])) {
        result.log_weight.push_back(share);
        result.mean.push_back(bytes_.finite());
        result.sd.push_back(bytes_.positive());
      }
    }
    return result;
  }

 private:
  Matrix finite(int features) {
    Matrix result(groups_, features);
    for (Index i = 0; i < result.size(); ++i) result.data()[i] = bytes_.finite();
    return result;
  }

  Matrix positive(int features) {
    Matrix result(groups_, features);
    for (Index i = 0; i < result.size(); ++i) result.data()[i] = bytes_.positive();
    return result;
  }

  // Some are 0, some next to it.
  Vector log_shares(int count) {
    Vector weight;
    double sum = 0;
    for (int i = 0; i < count; ++i) {
      const int kind = bytes_.byte();
      weight.push_back(kind < 200 ? kind % 5 : std::ldexp(1, -5 * (kind - 200)));
      sum += weight.back();
    }
    for (double& w : weight) w = sum > 0 ? std::log(w / sum) : -std::log(count);
    return weight;
  }

  std::vector<Points> points() {
    std::vector<Points> result;
    for (int g = 0; g < groups_; ++g) {
      Vector values;
      for (int i = bytes_.below(5); i >= 0; --i) values.push_back(bytes_.finite());
      std::sort(values.begin(), values.end());
      values.erase(std::unique(values.begin(), values.end()), values.end());
      const auto count = static_cast<int>(values.size());
      const Vector shares = log_shares(count);
      Points& of_group = result.emplace_back(count, 2);
      for (int i = 0; i < count; ++i) {
        of_group.row(i) << values[static_cast<std::size_t>(i)], shares[static_cast<std::size_t>(i)];
      }
    }
    return result;
  }

  Bytes& bytes_;
  int groups_;
};

inline std::vector<AnyParameters> decode_parameters(Bytes& bytes, const ModelPlan& plan) {
  std::vector<AnyParameters> result;
  ParametersDecoder decode(bytes, plan.groups);
  for (const AnyPlan& bank : plan.banks) result.push_back(std::visit(decode, bank));
  return result;
}

// Some classes may have no chance.
inline Vector decode_prior(Bytes& bytes, int classes) {
  Vector prior;
  double sum = 0;
  for (int k = 0; k < classes; ++k) sum += prior.emplace_back((1 + bytes.byte()) % 256);
  if (!(sum > 0)) return Vector(static_cast<std::size_t>(classes), 1.0 / classes);
  for (double& p : prior) p /= sum;
  return prior;
}

}  // namespace fuzz
