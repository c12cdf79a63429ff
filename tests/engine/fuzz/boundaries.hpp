#pragma once

#include "answers.hpp"
#include "problem.hpp"

#include <engine/regions/action_pairs.hpp>
#include <engine/risk/decision_table.hpp>
#include <engine/world/conditional_plane.hpp>

namespace fuzz {

// A model and a row with some known values.
struct Given {
  ModelPlan plan;
  int features;
  std::vector<AnyParameters> parameters;
  Vector prior;
  Cost cost;
  Table row;

  explicit Given(Bytes& bytes) {
    // Limits the numbers, so that the squares of density ratios do not overflow.
    bytes.limit(1e70);
    const int groups = 1 + bytes.below(4);
    features = 1 + bytes.below(4);
    plan = PlanDecoder(bytes, groups, features).decode();
    parameters = decode_parameters(bytes, plan);
    prior = decode_prior(bytes, groups);
    cost = decode_cost(bytes, groups);
    TableDecoder(bytes, plan, features, 1).decode(row);
  }
  View view() const { return view_of(plan, parameters, prior, features); }

  // The log joint of the classes, by all features but the ones in `missing`.
  Vector log_joint(const IntVector& missing) const {
    const double none = kNaN;
    Frame frame = row.frame;
    for (int feature : missing) {
      frame.columns[static_cast<std::size_t>(feature)] = Column{};
      frame.columns[static_cast<std::size_t>(feature)].real = &none;
    }
    const Matrix result = score_numbers(plan, parameters, prior, frame, Output::log_joint);
    return {result.data(), result.data() + result.size()};
  }

  bool is_number(int feature) const {
    const IntVector levels = feature_levels(plan);
    const auto j = static_cast<std::size_t>(feature);
    return levels[j] == 0 && !row.frame.columns[j].is_bag();
  }
};

// Checks the boundaries of decisions along a line and in a plane.
class BoundaryCheck {
 public:
  explicit BoundaryCheck(Bytes& bytes) : given_(bytes), view_(given_.view()) {}

  void run() {
    IntVector numeric;
    for (int j = 0; j < given_.features; ++j) {
      if (!given_.is_number(j)) continue;
      check_line(j);
      numeric.push_back(j);
    }
    if (numeric.size() >= 2) check_plane(numeric[0], numeric[1]);
  }

 private:
  bool undecided(const Vector& log_joint) const {
    double largest = kNegativeInfinity;
    for (double l : log_joint) {
      if (std::isnan(l)) return true;
      largest = std::max(largest, l);
    }
    return !std::isfinite(largest);
  }

  void check_line(int feature) {
    const Vector log_joint = given_.log_joint({feature});
    if (undecided(log_joint)) return;
    const double origin = origin_of(view_, feature);
    const Marginal marginal = conditional_marginal(view_, given_.row.frame, 0, feature, origin);
    const Regions regions = find_regions(marginal, log_joint, given_.cost);
    check_order(regions);
    for (std::size_t i = 0; i < regions.decision.size(); ++i) {
      check_middle(marginal, log_joint, regions, i);
    }
  }

  void check_order(const Regions& regions) const {
    hold(regions.decision.size() == regions.cut.size() + 1, "regions without a decision");
    hold(regions.exact.size() == regions.cut.size(), "cuts of which nothing is known");
    for (int decision : regions.decision) {
      hold(decision >= kNoDecision && decision < given_.cost.actions(), "no such action");
    }
    for (std::size_t i = 0; i < regions.cut.size(); ++i) {
      hold(std::isfinite(regions.cut[i]), "a cut that is no number");
      hold(i == 0 || regions.cut[i - 1] < regions.cut[i], "cuts out of order");
      hold(regions.decision[i] != regions.decision[i + 1], "a cut between the same decisions");
    }
  }

  // Inside a region the decided action costs least, apart from rounding.
  void check_middle(const Marginal& marginal, const Vector& log_joint, const Regions& regions,
                    std::size_t i) const {
    const double low = i == 0 ? kNegativeInfinity : regions.cut[i - 1];
    const double high = i == regions.cut.size() ? kInfinity : regions.cut[i];
    double x = 0.5 * low + 0.5 * high;
    if (std::isinf(x)) x = std::isinf(high) ? low + 1 + std::abs(low) : high - 1 - std::abs(high);
    if (std::isnan(x)) x = 0;
    // At the middle itself there may be a spike that is narrower than the distance of two doubles.
    x = std::nextafter(x, high);
    if (std::holds_alternative<Counts>(marginal)) x = std::floor(x);
    if (!(x > low && x < high) || !std::isfinite(x)) return;
    const auto classes = static_cast<Index>(log_joint.size());
    Eigen::VectorXd at(classes);
    for (Index k = 0; k < classes; ++k) at[k] = log_joint_at(marginal, log_joint, k, x);
    check_choice(at, regions.decision[i]);
  }

  static double log_joint_at(const Marginal& marginal, const Vector& log_joint, Index k, double x) {
    const auto of_class = static_cast<std::size_t>(k);
    if (log_joint[of_class] == kNegativeInfinity) return kNegativeInfinity;
    return log_joint[of_class] +
           std::visit([&](const auto& of) { return log_density(of.classes[of_class], x); },
                      marginal);
  }

  void check_choice(const Eigen::VectorXd& log_joint, int decision) const {
    const double largest = log_joint.maxCoeff();
    if (!std::isfinite(largest) || log_joint.array().isNaN().any()) return;
    hold(decision >= 0, "no decision where a class is possible");
    Eigen::VectorXd posterior;
    posterior_of(log_joint, posterior);
    const Expected expected(given_.cost, posterior, log_joint);
    const double least = expected.cost.minCoeff(), size = expected.size.maxCoeff();
    if (!std::isfinite(least) || !std::isfinite(size)) return;
    // The effect of rounding in the log joint.
    const double band = 1e-9 + 1e-14 * log_joint.cwiseAbs().maxCoeff();
    hold(band > 1e-3 || expected.cost[decision] <= least + band * size,
         "a region whose middle is another's");
  }

  void check_plane(int first, int second) {
    const Vector log_joint = given_.log_joint({first, second});
    const bool normal = std::holds_alternative<Normals>(marginal_of(view_, first, 0)) &&
                        std::holds_alternative<Normals>(marginal_of(view_, second, 0));
    if (undecided(log_joint) || !normal) return;
    const Eigen::Vector2d origin(origin_of(view_, first), origin_of(view_, second));
    const Plane plane = conditional_plane(view_, given_.row.frame, 0, first, second, origin);
    for (const ActionPair& pair : compare_actions(plane, log_joint, given_.cost)) {
      const std::optional<Boundary> boundary = pair.boundary();
      if (!boundary) continue;
      for (const StraightLine& line : boundary->lines()) {
        hold(line.normal.allFinite() && std::isfinite(line.constant), "a line that is none");
      }
    }
  }

  Given given_;
  View view_;
};

}  // namespace fuzz
