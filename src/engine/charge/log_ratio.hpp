#pragma once

#include <engine/charge/quadratic_form.hpp>
#include <engine/core/quotient.hpp>
#include <engine/core/spectrum.hpp>
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
      form.add_constant(power * 0.5 * (low.centre - high.centre).dot(low.centre + high.centre));
      if (first->factor == second->factor) {
        add_linear(low, *first, power * (low.centre - high.centre));
        continue;
      }
      form.add_constant(
          power * (half_log_determinant(first->factor) - half_log_determinant(second->factor)));
      add(low, *first, 0.5 * power);
      add(high, *second, -0.5 * power);
      bends_ = true;
    }
    // Each weight has the rounding error of the largest one.
    if (!bends_) return form.add(0, linear_.norm(), 0, linear_.norm());
    const Spectrum spectrum = spectrum_of(square_, linear_);
    const double error = spectrum.value.cwiseAbs().maxCoeff(), length = linear_.norm();
    for (Index i = 0; i < size; ++i) {
      form.add(spectrum.value[i], spectrum.part[i], error, length);
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
    Eigen::VectorXd away(part.size());
    Matrix columns = Matrix::Zero(static_cast<Index>(place_.size()), part.size());
    Index begin = 0, same = -1;
    for (const NormalPart* met : met_) {
      for (Index i = 0; i < part.size(); ++i) {
        const auto found = std::find(met->features.begin(), met->features.end(),
                                     part.features[static_cast<std::size_t>(i)]);
        if (found == met->features.end()) continue;
        const Index j = found - met->features.begin();
        away[i] = (met->mean[j] - part.mean[i]) + (met->mean_low[j] - part.mean_low[i]);
        columns.col(i).segment(begin, met->size()) = met->factor.col(j);
      }
      if (met->features == part.features && met->factor == part.factor) same = begin;
      begin += met->size();
    }
    part.factor.transpose().triangularView<Eigen::Lower>().solveInPlace(away);
    return {away, columns, same};
  }

  void add(const Seen& seen, const NormalPart& part, double weight) {
    add_linear(seen, part, 2 * weight * seen.centre);
    if (seen.same < 0) {
      square_ += weight * products_of_quotient(seen.columns, part.factor);
    } else {
      square_.diagonal().segment(seen.same, part.size()).array() += weight;
    }
  }

  void add_linear(const Seen& seen, const NormalPart& part, const Eigen::VectorXd& along) {
    if (seen.same < 0) {
      linear_ += seen.columns * part.factor.triangularView<Eigen::Upper>().solve(along);
    } else {
      linear_.segment(seen.same, part.size()) += along;
    }
  }

  IntVector place_;
  std::vector<const NormalPart*> met_;
  std::vector<std::pair<const NormalPart*, const NormalPart*>> believed_;
  Matrix square_;
  Eigen::VectorXd linear_;
  bool bends_ = false;
};

// The log ratio of the densities of two classes of a rule, second over first, is a quadratic form
// in each class of a world if both have normal features. Sets of features that no block connects
// are independent, so each of them has an eigenvalue problem of its own. Features of other kinds
// are left to the caller.
class RatioForms {
 public:
  RatioForms(const View& world, const View& rule, int first, int second)
      : classes_(first, second),
        features_(world.feature.size()),
        first_(NormalParts(rule, seen_by(rule)).of_class(first, false)),
        second_(NormalParts(rule, seen_by(rule)).of_class(second, false)),
        world_(world, used(world.feature.size())) {}

  // The form in each class that has a prior.
  std::vector<QuadraticForm> in_classes(const Vector& prior, const Context& context) const {
    std::vector<QuadraticForm> forms(prior.size());
    const auto first = static_cast<std::size_t>(classes_.first);
    const auto second = static_cast<std::size_t>(classes_.second);
    const bool tilts = prior[first] > 0 && prior[second] > 0 && is_large() && is_true();
    context.run(static_cast<Index>(forms.size()), [&](Index i) {
      const auto k = static_cast<std::size_t>(i);
      if (prior[k] > 0 && !(tilts && k == second)) forms[k] = in(static_cast<int>(k));
    });
    if (tilts) {
      forms[second] = forms[first].tilts() ? forms[first].tilted() : in(classes_.second);
    }
    return forms;
  }

 private:
  QuadraticForm in(int k) const {
    const std::vector<NormalPart> met = world_.of_class(k, true);
    QuadraticForm form;
    for (NormalGroup& group : groups(met)) group.add_to(form);
    return form;
  }

  // Few features take no time, and their forms are more accurate if each is computed by itself.
  bool is_large() const {
    constexpr Index kLarge = 64;
    Index size = 0;
    for (const NormalPart& part : first_) size = std::max(size, part.size());
    return size >= kLarge;
  }

  // Whether the rule knows the densities of both classes.
  bool is_true() const {
    return world_.of_class(classes_.first, true) == first_ &&
           world_.of_class(classes_.second, true) == second_;
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

  std::pair<int, int> classes_;
  std::size_t features_;
  std::vector<NormalPart> first_, second_;
  NormalParts world_;
};

}  // namespace bayesrisk
