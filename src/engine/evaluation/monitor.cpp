#include <engine/evaluation/monitor.hpp>

namespace bayesrisk {

void Monitor::check(const IntVector& levels) const {
  features.check(levels, static_cast<Index>(prior.size()));
  shares.check(2 * static_cast<Index>(classes.size()));
  changes.check(3 * features.count());
  const auto count = static_cast<Index>(prior.size());
  require(has_shape(mean, features.count(), count) && has_shape(edge, features.count(), 2),
          "monitor: wrong size");
  for (int k : classes) require(k >= 0 && k < count, "monitor: no such class");
}

IntVector Monitor::share_owners() const {
  IntVector owner;
  for (std::size_t i = 0; i < 2 * classes.size(); ++i) owner.push_back(static_cast<int>(i / 2));
  return owner;
}

IntVector Monitor::change_owners() const {
  IntVector owner;
  int last = -1;
  for (Index f = 0; f < features.count(); ++f) {
    last += features.is_first(f);
    owner.insert(owner.end(), 3, last);
  }
  return owner;
}

void Monitor::add(const Frame& frame, const Matrix& posterior, const OtherFeatures& others,
                  const IntVector& group, double before, const Context& context) {
  const auto watched = static_cast<Index>(classes.size());
  std::vector<Index> first;  // functions
  for (Index f = 0; f < features.count(); ++f) {
    if (features.is_first(f)) first.push_back(f);
  }
  context.run(watched + static_cast<Index>(first.size()), [&](Index i) {
    context.check();
    if (i < watched) {
      add_share(i, posterior, group, before);
    } else {
      add_feature(first[static_cast<std::size_t>(i - watched)], frame, others, group, before);
    }
  });
}

void Monitor::add_share(Index watched, const Matrix& posterior, const IntVector& group,
                        double before) {
  const int k = classes[static_cast<std::size_t>(watched)];
  const double share = prior[static_cast<std::size_t>(k)];
  for (Index r = 0; r < posterior.rows(); ++r) {
    const int own = group[static_cast<std::size_t>(r)];
    const double row = before + static_cast<double>(r) + 1, p = posterior(r, k);
    if (own >= 0) {
      shares.add(2 * watched + 1, row, own == k ? 1.0 : 0.0, share);
    } else if (!std::isnan(p)) {
      shares.add(2 * watched, row, p, share);
    }
  }
}

// All functions of a feature that do, or do not, use other features.
void Monitor::add_feature(Index first, const Frame& frame, const OtherFeatures& others,
                          const IntVector& group, double before) {
  const auto at = static_cast<std::size_t>(first);
  Matrix by_others;
  if (features.others[at]) by_others = others.posterior(features.feature[at]);
  Index f = first;
  do {
    add_function(f++, frame, by_others, group, before);
  } while (f < features.count() && !features.is_first(f));
}

// Rows whose class is known need no other features.
void Monitor::add_function(Index function, const Frame& frame, const Matrix& by_others,
                           const IntVector& group, double before) {
  const bool uses = features.others[static_cast<std::size_t>(function)] != 0;
  for (Index r = 0; r < frame.rows; ++r) {
    const int own = group[static_cast<std::size_t>(r)];
    if (uses && own >= 0) continue;
    const double* beliefs = uses ? by_others.data() + r : nullptr;
    const double value = features.value(function, frame, r, own, beliefs, frame.rows);
    if (std::isnan(value)) continue;
    const double row = before + static_cast<double>(r) + 1;
    if (own >= 0) {
      const double usual = mean(function, own);
      if (!std::isnan(usual)) changes.add(3 * function + 2, row, value, usual);
      continue;
    }
    for (int side = 0; side < 2; ++side) {
      changes.add(3 * function + side, row, value, edge(function, side));
    }
  }
}

}  // namespace bayesrisk
