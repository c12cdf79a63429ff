#pragma once

#include <engine/decision/row_rule.hpp>
#include <engine/marginal/complete.hpp>
#include <engine/marginal/marginal.hpp>

namespace bayesrisk {

// One number whose density in each class is a power of a density, divided by its integral, where
// this has no closed form: sums of normals, and counts. The integrals between the points of a grid
// are computed once; a decision that changes between two points is searched there.
class PoweredFeature {
 public:
  PoweredFeature(const Marginal& marginal, const Vector& prior, double power)
      : marginal_(marginal), prior_(prior), power_(power) {
    std::visit([this](const auto& of) { set_grid(of); }, marginal_);
    std::sort(grid_.begin(), grid_.end());
    grid_.erase(std::unique(grid_.begin(), grid_.end()), grid_.end());
    set_scale();
  }

  // Adds P(class, decision) to a table of classes x actions.
  void add_table(const Eigen::VectorXd& log_weight, const Cost& cost, Matrix& table) const {
    RowRule rule(cost);
    const Eigen::VectorXd weight = log_weight.array().exp();
    const auto decide = [&](double x) { return rule.decide(log_weight + log_density_at(x)); };
    const auto add = [&](double from, double to, int action) {
      if (from < to) table.col(action).array() += weight.array() * mass(from, to).array();
    };
    const auto decide_at_point = [&](std::size_t i) {
      return rule.decide(log_weight + log_density_.col(static_cast<Index>(i)));
    };
    int left = decide_at_point(0);
    if (counts_) table.col(left) += weight.cwiseProduct(density_at_point(0));
    for (std::size_t i = 1; i < grid_.size(); ++i) {
      const int right = decide_at_point(i);
      if (counts_) {
        table.col(right) += weight.cwiseProduct(density_at_point(i));
      } else if (left == right) {
        table.col(left).array() += weight.array() * mass_.col(static_cast<Index>(i) - 1).array();
      } else {
        const double cut = cut_between(grid_[i - 1], grid_[i], left, decide);
        add(grid_[i - 1], cut, left);
        add(cut, grid_[i], right);
      }
      left = right;
    }
  }

 private:
  static constexpr int kPoints = 512;  // of a density with few parts
  static constexpr std::size_t kFewTerms = 16;
  static constexpr double kBody = 9, kMostSteps = 8192;
  static constexpr double kFaint = 45;     // below the largest log density nothing counts
  static constexpr double kMost = 200000;  // counts; of more, neighbours are one point

  bool possible(Index k) const { return prior_[static_cast<std::size_t>(k)] > 0; }

  // The points of the density, and of the normals that bound its power.
  void set_grid(const Normals& normals) {
    for (Normals::OfClass terms : possible_classes(normals)) {
      if (terms.size() > kFewTerms) {
        add_even_points(terms);
        terms = ends_of(terms);
      }
      const int each = kPoints / static_cast<int>(parts_of(terms));
      add_points(terms, each, grid_);
      for (NormalComponent& term : terms) term.sd /= std::sqrt(power_);
      add_points(terms, each, grid_);
    }
  }

  // A sum of many normals is smooth on the scale of their least spread.
  void add_even_points(const Normals::OfClass& terms) {
    double low = kInfinity, high = kNegativeInfinity, sd = kInfinity;
    for (const NormalComponent& term : terms) {
      low = std::min(low, term.mean - kBody * term.sd);
      high = std::max(high, term.mean + kBody * term.sd);
      sd = std::min(sd, term.sd);
    }
    const double steps = std::clamp(std::ceil(2 * (high - low) / sd), 1.0, kMostSteps);
    for (double i = 0; i <= steps; ++i) grid_.push_back(low + (high - low) * (i / steps));
  }

  static Normals::OfClass ends_of(const Normals::OfClass& terms) {
    const auto [low, high] = std::minmax_element(
        terms.begin(), terms.end(), [](const auto& a, const auto& b) { return a.mean < b.mean; });
    return {*low, *high};
  }

  // Counts as far as any of them is not faint. Of too many, neighbours are one point, the more of
  // them the farther they are from the first count.
  void set_grid(const Counts& counts) {
    counts_ = true;
    double first = kInfinity, last = 0;
    for (const CountLaw& law : possible_classes(counts)) {
      first = std::min(first, last_seen(law, -1));
      last = std::max(last, last_seen(law, 1));
    }
    const double width = last - first;
    const double growth = width > kMost ? (1 + std::log(width)) / kMost : 0;
    for (double x = first; x <= last;) {
      const double next = std::max(x + std::floor((x - first) * growth), next_count(x));
      grid_.push_back(std::floor(x + (next - 1 - x) / 2));
      log_copies_.push_back(std::log(next - x));
      x = next;
    }
  }

  // The farthest count below (side -1) or above the mean (1) that is not faint, within a power
  // of 2.
  double last_seen(const CountLaw& law, double side) const {
    const double mean = std::floor(law.mean);
    const double faint = power_ * law.log_probability(mean) - kFaint;
    for (double reach = 1;; reach *= 2) {
      const double x = std::max(0.0, mean + side * reach);
      if (x == 0 || reach > 1e300 || power_ * law.log_probability(x) < faint) return x;
    }
  }

  template <class Other>
  void set_grid(const Other&) {
    throw InvalidState("a density to a power that has a closed form");
  }

  template <class M>
  std::vector<typename M::OfClass> possible_classes(const M& marginal) const {
    std::vector<typename M::OfClass> result;
    for (std::size_t k = 0; k < prior_.size(); ++k) {
      if (prior_[k] > 0) result.push_back(marginal.classes[k]);
    }
    return result;
  }

  void set_scale() {
    const auto classes = static_cast<Index>(prior_.size());
    log_scale_ = Eigen::VectorXd::Zero(classes);
    log_density_.resize(classes, static_cast<Index>(grid_.size()));
    for (std::size_t i = 0; i < grid_.size(); ++i) {
      log_density_.col(static_cast<Index>(i)) = log_density_at(grid_[i]);
      if (counts_) log_density_.col(static_cast<Index>(i)).array() += log_copies_[i];
    }
    move_scale(-log_density_.rowwise().maxCoeff());
    Eigen::VectorXd total = Eigen::VectorXd::Zero(classes);
    if (counts_) {
      for (std::size_t i = 0; i < grid_.size(); ++i) total += density_at_point(i);
    } else {
      mass_.resize(classes, static_cast<Index>(grid_.size()) - 1);
      for (std::size_t i = 1; i < grid_.size(); ++i) {
        mass_.col(static_cast<Index>(i) - 1) = mass(grid_[i - 1], grid_[i]);
      }
      total = mass_.rowwise().sum();
      mass_.array().colwise() /= total.array();
    }
    move_scale(-total.array().log());
  }

  // Impossible classes have no density to be moved.
  void move_scale(Eigen::VectorXd by) {
    for (Index k = 0; k < by.size(); ++k) {
      if (!possible(k) || !std::isfinite(by[k])) by[k] = 0;
    }
    log_scale_ += by;
    log_density_.colwise() += by;
  }

  Eigen::VectorXd log_density_at(double x) const {
    Eigen::VectorXd result = log_scale_;
    std::visit(
        [&](const auto& of) {
          for (std::size_t k = 0; k < prior_.size(); ++k) {
            if (prior_[k] > 0) {
              result[static_cast<Index>(k)] += power_ * log_density(of.classes[k], x);
            }
          }
        },
        marginal_);
    return result;
  }

  Eigen::VectorXd density_at(double x) const { return log_density_at(x).array().exp(); }

  Eigen::VectorXd density_at_point(std::size_t i) const {
    return log_density_.col(static_cast<Index>(i)).array().exp();
  }

  // The integrals of the densities, by Gauss's rule of three points.
  Eigen::VectorXd mass(double from, double to) const {
    constexpr double kNode = 0.774596669241483377036;
    const double middle = 0.5 * (from + to), half = 0.5 * (to - from);
    return half / 9 *
           (5 * density_at(middle - half * kNode) + 8 * density_at(middle) +
            5 * density_at(middle + half * kNode));
  }

  template <class Decide>
  static double cut_between(double low, double high, int left, const Decide& decide) {
    for (int i = 0; i < 60; ++i) {
      const double middle = low + (high - low) / 2;
      (decide(middle) == left ? low : high) = middle;
    }
    return high;
  }

  const Marginal marginal_;
  const Vector& prior_;
  const double power_;
  bool counts_ = false;
  Vector grid_;
  Vector log_copies_;          // of counts: how many each point of the grid stands for
  Eigen::VectorXd log_scale_;  // minus the logarithms of the integrals
  Matrix log_density_;         // classes x points of the grid
  Matrix mass_;                // classes x intervals of the grid
};

}  // namespace bayesrisk
