#pragma once

#include <engine/charge/normal_parts.hpp>
#include <engine/charge/quadratic_form.hpp>
#include <engine/core/context.hpp>
#include <engine/core/quotient.hpp>
#include <engine/core/spectrum.hpp>

#include <algorithm>
#include <numeric>

namespace bayesrisk {

// A set of parts whose features are independent of all other features: the parts of a world in one
// class, and those of two classes of a rule. Its share of the log ratio is a quadratic form in
// independent N(0, 1) z, with the features as mean + U'z.
class NormalGroup {
 public:
  void add_met(const NormalPart& part) {
    for (int feature : part.features) place_.push_back(feature);
    met_.push_back(&part);
  }
  void add_believed(const NormalPart& first, const NormalPart& second) {
    believed_.push_back({&first, &second});
  }

  void add_to(QuadraticForm& form) {
    const auto size = static_cast<Index>(place_.size());
    square_ = Matrix::Zero(size, size);
    linear_ = Eigen::VectorXd::Zero(size);
    for (const auto& [first, second] : believed_) {
      const Seen low = see(*first), high = see(*second);
      const double power = first->power;
      form.add_constant(power * 0.5 * (low.centre - high.centre).dot(low.centre + high.centre),
                        power * 0.5 * (low.centre.squaredNorm() + high.centre.squaredNorm()));
      if (first->factor == second->factor) {
        add_linear(low, *first, power * (low.centre - high.centre));
        continue;
      }
      form.add_constant(
          power * (half_log_determinant(first->factor) - half_log_determinant(second->factor)),
          power * (size_of_logs(first->factor) + size_of_logs(second->factor)));
      add(low, *first, 0.5 * power);
      add(high, *second, -0.5 * power);
      bends_ = true;
    }
    if (!bends_) return form.add(0, linear_.norm(), 0, linear_size_);
    // Each eigenvalue has the rounding error of the largest one, and of what it is a difference of.
    const Spectrum spectrum = spectrum_of(square_, linear_);
    const double error = std::max(spectrum.value.cwiseAbs().maxCoeff(), square_size_);
    for (Index i = 0; i < size; ++i) {
      form.add(spectrum.value[i], spectrum.part[i], error, linear_size_);
    }
  }

 private:
  // A part of the rule with U'U as its covariance: U'^-1 (x - mean) is centre + (columns U^-1)'z.
  // It is z itself if this part is also one of the world.
  struct Seen {
    Eigen::VectorXd centre;
    Matrix columns;
    Index same = -1;
  };

  Seen see(const NormalPart& part) const {
    Seen seen{Eigen::VectorXd(part.size()), {}, place_in_world(part)};
    if (seen.same < 0) {
      seen.columns =
          Matrix::Zero(simd::whole_vectors(static_cast<Index>(place_.size())), part.size());
    }
    Index begin = 0;
    for (const NormalPart* met : met_) {
      for (Index i = 0; i < part.size(); ++i) {
        const auto found = std::find(met->features.begin(), met->features.end(),
                                     part.features[static_cast<std::size_t>(i)]);
        if (found == met->features.end()) continue;
        const Index j = found - met->features.begin();
        seen.centre[i] = (met->mean[j] - part.mean[i]) + (met->mean_low[j] - part.mean_low[i]);
        if (seen.same < 0) seen.columns.col(i).segment(begin, met->size()) = met->factor.col(j);
      }
      begin += met->size();
    }
    part.factor.transpose().triangularView<Eigen::Lower>().solveInPlace(seen.centre);
    return seen;
  }

  // Where the z of the same part of the world begin; -1 if there is none.
  Index place_in_world(const NormalPart& part) const {
    Index begin = 0;
    for (const NormalPart* met : met_) {
      if (met->features == part.features && met->factor == part.factor) return begin;
      begin += met->size();
    }
    return -1;
  }

  void add(const Seen& seen, const NormalPart& part, double weight) {
    add_linear(seen, part, 2 * weight * seen.centre);
    if (seen.same < 0) {
      const Index size = square_.rows();
      const Matrix product = products_of_quotient(seen.columns, part.factor);
      square_ += weight * product.topLeftCorner(size, size);
      square_size_ += std::abs(weight) * product.diagonal().maxCoeff();
    } else {
      square_.diagonal().segment(seen.same, part.size()).array() += weight;
      square_size_ += std::abs(weight);
    }
  }

  void add_linear(const Seen& seen, const NormalPart& part, const Eigen::VectorXd& along) {
    if (seen.same < 0) {
      const Eigen::VectorXd z = part.factor.triangularView<Eigen::Upper>().solve(along);
      const Eigen::VectorXd share = seen.columns.topRows(linear_.size()) * z;
      linear_ += share;
      linear_size_ += share.norm();
    } else {
      linear_.segment(seen.same, part.size()) += along;
      linear_size_ += along.norm();
    }
  }

  // The numbers of a triangle have errors of their own.
  static double size_of_logs(const Matrix& triangle) {
    return (triangle.diagonal().array().abs().log().abs() + 1).sum();
  }

  IntVector place_;
  std::vector<const NormalPart*> met_;
  std::vector<std::pair<const NormalPart*, const NormalPart*>> believed_;
  Matrix square_;
  Eigen::VectorXd linear_;
  double square_size_ = 0, linear_size_ = 0;  // of the terms of these sums
  bool bends_ = false;
};

// The log ratio of the densities of two classes of a rule, second over first, is a quadratic form
// in each class of a world if both have normal features. Sets of features that no block connects
// are independent, so each of them has an eigenvalue problem of its own. Features of other kinds
// are left to the caller.
class RatioForms {
 public:
  RatioForms(const View& world, const View& rule, int first, int second)
      : first_class_(static_cast<std::size_t>(first)),
        second_class_(static_cast<std::size_t>(second)),
        features_(world.feature.size()),
        first_(NormalParts(rule, seen_by(rule)).of_class(first, false)),
        second_(NormalParts(rule, seen_by(rule)).of_class(second, false)),
        world_(world, used(world.feature.size())) {}

  // The form in each class that has a prior.
  std::vector<QuadraticForm> in_classes(const Vector& prior, const Context& context) const {
    const std::size_t classes = prior.size();
    std::vector<std::vector<NormalPart>> met(classes);
    for (std::size_t k = 0; k < classes; ++k) {
      if (prior[k] > 0) met[k] = world_.of_class(static_cast<int>(k), true);
    }
    // The densities of the rule are those of the world, which are not tempered.
    const bool known = is_large() && met[first_class_] == first_ && met[second_class_] == second_;
    std::vector<QuadraticForm> forms(classes);
    context.run(static_cast<Index>(classes), [&](Index i) {
      const auto k = static_cast<std::size_t>(i);
      if (prior[k] > 0 && !(known && k == second_class_)) forms[k] = form(met[k]);
    });
    if (known) {
      const QuadraticForm& first = forms[first_class_];
      forms[second_class_] = first.tilts() ? first.tilted() : form(met[second_class_]);
    }
    return forms;
  }

 private:
  QuadraticForm form(const std::vector<NormalPart>& met) const {
    QuadraticForm result;
    for (NormalGroup& group : groups(met)) group.add_to(result);
    return result;
  }

  // Few features take no time, and their forms are more accurate if each is computed by itself.
  bool is_large() const {
    constexpr Index kLarge = 64;
    Index size = 0;
    for (const NormalPart& part : first_) size = std::max(size, part.size());
    return size >= kLarge;
  }

  static std::vector<bool> seen_by(const View& rule) {
    std::vector<bool> seen;
    for (int own : rule.feature) seen.push_back(own >= 0);
    return seen;
  }

  std::vector<bool> used(std::size_t features) const {
    std::vector<bool> result(features);
    for (const NormalPart& part : first_) {
      for (int feature : part.features) result[static_cast<std::size_t>(feature)] = true;
    }
    return result;
  }

  // Parts that share features are in one group.
  std::vector<NormalGroup> groups(const std::vector<NormalPart>& met) const {
    std::vector<std::size_t> root(features_);
    std::iota(root.begin(), root.end(), std::size_t{0});
    const auto root_of = [&](int feature) {
      auto j = static_cast<std::size_t>(feature);
      while (root[j] != j) j = root[j] = root[root[j]];
      return j;
    };
    const auto unite = [&](const NormalPart& part) {
      for (int feature : part.features) root[root_of(feature)] = root_of(part.features[0]);
    };
    for (const NormalPart& part : met) unite(part);
    for (const NormalPart& part : first_) unite(part);
    std::vector<NormalGroup> result;
    std::vector<std::size_t> at(features_, features_);
    const auto group_of = [&](const NormalPart& part) -> NormalGroup& {
      std::size_t& place = at[root_of(part.features[0])];
      if (place == features_) {
        place = result.size();
        result.emplace_back();
      }
      return result[place];
    };
    for (const NormalPart& part : met) group_of(part).add_met(part);
    for (std::size_t i = 0; i < first_.size(); ++i) {
      group_of(first_[i]).add_believed(first_[i], second_[i]);
    }
    return result;
  }

  std::size_t first_class_, second_class_, features_;
  std::vector<NormalPart> first_, second_;
  NormalParts world_;
};

}  // namespace bayesrisk
