#include <engine/evaluation/change_processes.hpp>

namespace bayesrisk {

ChangeProcesses::ChangeProcesses(Index half, Index count)
    : ratio(Matrix::Zero(2 * half + 1, count)),
      fresh(ratio),
      changed(ratio),
      time(ratio),
      before(Matrix::Zero(2 * half + 2, count)),
      null(before),
      step(static_cast<std::size_t>(count), 0.0),
      log_scale(step),
      rows(log_scale),
      limit(log_scale),
      last(log_scale),
      peak(log_scale),
      first(log_scale) {}

void ChangeProcesses::check(Index count) const {
  const auto wide = [&](const Vector& v) { return static_cast<Index>(v.size()) == count; };
  const auto tall = [&](const Matrix& m) { return has_shape(m, ratio.rows(), count); };
  const auto taller = [&](const Matrix& m) { return has_shape(m, ratio.rows() + 1, count); };
  require(tall(ratio) && tall(fresh) && tall(changed) && tall(time) && taller(before) &&
              taller(null) && ratio.rows() > 2 && wide(step) && wide(log_scale) && wide(rows) &&
              wide(limit) && wide(last) && wide(peak) && wide(first),
          "processes: wrong size");
}

// The odds before a change are those of a beta distribution with the variance of the law, and half
// a case more of each kind, because a rare kind may be missing by chance. The log odds after a
// change are logistic around them: uniform means, if the centre is 1/2.
void ChangeProcesses::start(Index process_at, const MeanLaw& law, double log_limit) {
  const double centre = std::clamp(law.centre, 1e-6, 1 - 1e-6), spread = centre * (1 - centre);
  const double cases = 1 / (std::max(law.variance, 1e-12) * spread);
  const double a = centre * cases + 0.5, b = (1 - centre) * cases + 0.5;
  const Index half = (ratio.rows() - 1) / 2;
  const double first_step =
      std::min(0.5 / std::sqrt(spread * (cases + 1)), OddsGrid::largest_step(half));
  const OddsGrid grid(law.shift, first_step, half);
  Vector log_null;
  for (std::size_t i = 0; i < grid.log_ratio.size(); ++i) {
    const auto at = static_cast<Index>(i);
    const double away = grid.log_ratio[i] - law.shift, odds = std::exp(-std::abs(away));
    const double mean = 1 / (1 + (1 - centre) / centre * std::exp(-away));
    log_null.push_back(a * std::log(mean) + b * std::log1p(-mean));
    const bool changes = law.side == 0 || away * law.side > 0;
    fresh(at, process_at) = changes ? grid.width[i] * odds / ((1 + odds) * (1 + odds)) : 0.0;
    ratio(at, process_at) = std::exp(grid.log_ratio[i]);
  }
  fresh.col(process_at) /= fresh.col(process_at).sum();
  OddsBefore(process_state(process_at).null).start(grid, log_null, first_step, law.side);
  limit[static_cast<std::size_t>(process_at)] = log_limit;
}

ChangeProcess::State ChangeProcesses::process_state(Index i) {
  const auto at = static_cast<std::size_t>(i);
  const OddsBefore::State of_null{null.rows(), before.col(i).data(), null.col(i).data(), &step[at]};
  return {ratio.rows(),        ratio.col(i).data(),
          fresh.col(i).data(), changed.col(i).data(),
          time.col(i).data(),  of_null,
          &log_scale[at],      &rows[at]};
}

void ChangeProcesses::add(Index process_at, double row, double value, double centre) {
  const auto i = static_cast<std::size_t>(process_at);
  last[i] = process(process_at).add(row, value, centre);
  peak[i] = std::max(peak[i], last[i]);
  if (first[i] == 0 && last[i] >= limit[i]) first[i] = row;
}

Strongest strongest(ChangeProcesses& processes, const IntVector& owner) {
  Strongest found;
  for (std::size_t i = 0; i < owner.size(); ++i) {
    const double last = processes.last[i] - processes.limit[i];
    const double peak = processes.peak[i] - processes.limit[i], first = processes.first[i];
    if (owner[i] >= static_cast<int>(found.process.size())) {
      found.process.push_back(static_cast<int>(i));
      found.last.push_back(last);
      found.peak.push_back(peak);
      found.first.push_back(first);
      continue;
    }
    found.last.back() = std::max(found.last.back(), last);
    const double before = found.first.back();
    if (first > 0 && (before == 0 || first < before)) found.first.back() = first;
    if (peak <= found.peak.back()) continue;
    found.peak.back() = peak;
    found.process.back() = static_cast<int>(i);
  }
  for (int i : found.process) {
    found.since.push_back(processes.process(i).changed_at());
    found.by.push_back(processes.process(i).changed_by());
  }
  return found;
}

}  // namespace bayesrisk
