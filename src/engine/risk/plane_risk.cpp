#include <engine/risk/plane_risk.hpp>
#include <engine/risk/plane_world.hpp>

namespace bayesrisk {

PlaneSections::PlaneSections(const Plane& plane, const Vector& log_prior) : log_prior_(log_prior) {
  for (std::size_t k = 0; k < plane.classes.size(); ++k) {
    std::vector<Section> sections;
    if (log_prior[k] > kNegativeInfinity) {
      for (const PlaneTerm& term : plane.classes[k]) sections.push_back(section_of(term));
    }
    line_.classes.emplace_back(sections.size(), NormalComponent{0, 0, 1});
    classes_.push_back(std::move(sections));
  }
  log_weight_.assign(classes_.size(), kNegativeInfinity);
}

void PlaneSections::cut(double x) {
  for (std::size_t k = 0; k < classes_.size(); ++k) {
    double total = kNegativeInfinity;
    for (std::size_t t = 0; t < classes_[k].size(); ++t) {
      const Section& section = classes_[k][t];
      const double z = (x - section.mean) / section.sd;
      NormalComponent& term = line_.classes[k][t];
      term = {section.log_size - 0.5 * z * z, section.mean_left + section.slope * z,
              section.sd_left};
      total = log_add(total, term.log_weight);
    }
    for (NormalComponent& term : line_.classes[k]) term.log_weight -= total;
    log_weight_[k] = log_prior_[k] + total;
  }
}

Vector PlaneSections::landmarks() const {
  Vector result;
  for (const std::vector<Section>& sections : classes_) {
    for (const Section& section : sections) {
      for (double z : {-9.0, -6.0, -4.0, -2.5, -1.25, 0.0, 1.25, 2.5, 4.0, 6.0, 9.0}) {
        result.push_back(section.mean + z * section.sd);
      }
    }
  }
  std::sort(result.begin(), result.end());
  return result;
}

PlaneSections::Section PlaneSections::section_of(const PlaneTerm& term) {
  const double sd = term.factor(0, 0);
  return {term.log_weight - std::log(std::abs(sd)) - kHalfLogTwoPi,
          term.mean[0],
          sd,
          term.mean[1],
          term.factor(0, 1),
          std::abs(term.factor(1, 1))};
}

PlaneRule::PlaneRule(const Plane& plane, const Vector& log_prior, const Cost& cost)
    : sections_(plane, log_prior), cost_(cost) {
  for (const ActionPair& pair : compare_actions(plane, log_prior, cost)) {
    const std::optional<Boundary> boundary = pair.boundary();
    if (!boundary) continue;
    for (double x : x_of_turns(boundary->conic())) turns_.push_back(x);
  }
}

Vector PlaneRule::changes(const Vector& marks) {
  Vector result = marks;
  for (double x : turns_) {
    if (x > marks.front() && x < marks.back()) result.push_back(x);
  }
  std::sort(result.begin(), result.end());
  const Vector coarse = result;
  for (std::size_t i = 1; i < coarse.size(); ++i) {
    double low = coarse[i - 1];
    const double step = (coarse[i] - low) / kLooks;
    for (int look = 1; look <= kLooks; ++look) {
      const double high = look == kLooks ? coarse[i] : coarse[i - 1] + look * step;
      bisect(low, high, result);
      low = high;
    }
  }
  std::sort(result.begin(), result.end());
  return result;
}

void PlaneRule::bisect(double low, const double end, Vector& found) {
  const IntVector last = regions(end).decision;
  for (IntVector first = regions(low).decision; first != last;) {
    double high = end;
    IntVector beyond = last;
    while (true) {
      const double middle = low + 0.5 * (high - low);
      if (!(low < middle && middle < high)) break;
      IntVector decision = regions(middle).decision;
      if (decision == first) {
        low = middle;
      } else {
        high = middle;
        beyond = std::move(decision);
      }
    }
    found.push_back(high);
    low = high;
    first = beyond;
  }
}

PlaneRisk plane_risk(const Plane& world, const Vector& log_prior, PlaneRule& rule, double tolerance,
                     int most_evaluations, const std::function<void()>& check) {
  PlaneSections sections(world, log_prior);
  PlaneRisk risk{Matrix::Zero(static_cast<Index>(log_prior.size()), rule.actions())};
  const Vector marks = sections.landmarks();
  if (marks.empty()) return risk;
  const auto add = [&](double x, Eigen::ArrayXd& value) {
    check();
    const Regions regions = rule.regions(x);
    sections.cut(x);
    risk.table.setZero();
    add_probabilities(sections.line(), sections.log_weight(), regions, risk.table);
    value += Eigen::Map<const Eigen::ArrayXd>(risk.table.data(), risk.table.size());
  };
  Quadrature quadrature(add, risk.table.size());
  const Integral found = quadrature.integrate(rule.changes(marks), tolerance, most_evaluations);
  Eigen::Map<Eigen::ArrayXd>(risk.table.data(), risk.table.size()) = found.value;
  risk.error = found.error;
  risk.evaluations = found.evaluations;
  return risk;
}

RiskTable PlaneMethod::risk(const Vector& world, const Vector& rule) const {
  const View there = world_.view.with_prior(world), decider = rule_.with_prior(rule);
  const Plane plane = world_.plane_of(there), believed = world_.plane_of(decider);
  const Matrix met = combination_joints(there, world_.combinations);
  const Matrix seen = combination_joints(decider, world_.combinations);
  const auto column = [](const Matrix& m, Index i) {
    return Vector(m.col(i).data(), m.col(i).data() + m.rows());
  };
  // A tolerance below the rounding error cannot be reached.
  const double attainable = std::max(tolerance_, 1e-15);
  std::vector<PlaneRisk> parts(static_cast<std::size_t>(met.cols()));
  context_.run(met.cols(), [&](Index i) {
    PlaneRule decides(believed, column(seen, i), cost_);
    const double share = met.col(i).array().exp().sum();
    parts[static_cast<std::size_t>(i)] = plane_risk(
        plane, column(met, i), decides, share * attainable, kMostEvaluations, context_.check);
  });
  RiskTable total = RiskTable::none(met.rows(), cost_.actions());
  for (const PlaneRisk& part : parts) {
    total.table += part.table;
    total.rest += part.error;
  }
  return total;
}

}  // namespace bayesrisk
