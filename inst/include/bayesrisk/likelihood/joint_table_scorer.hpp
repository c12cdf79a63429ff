#pragma once

#include <bayesrisk/likelihood/joint_table.hpp>

#include <map>
#include <memory>
#include <mutex>
#include <unordered_map>

namespace bayesrisk {

class JointTable::Scorer {
 public:
  Scorer(const Plan& plan, const Parameters& parameters) : plan_(plan), parameters_(parameters) {}

  void add(const Frame& frame, int, int, Tile& tile) const {
    const int members = plan_.members();
    IntMatrix codes(tile.rows, members);
    for (int j = 0; j < members; ++j) {
      load_tile_codes(frame, plan_.features[j], plan_.levels[j], tile, codes.col(j).data());
    }
    IntVector row(members);
    Key pattern = 0;
    std::shared_ptr<const Marginal> marginal;
    for (int r = 0; r < tile.rows; ++r) {
      Key observed = 0;
      for (int j = 0; j < members; ++j) {
        row[j] = codes(r, j);
        if (row[j] >= 0) observed |= Key{1} << j;
      }
      if (observed == 0) continue;
      if (observed != pattern) marginal = of_pattern(observed);
      pattern = observed;
      const auto found = marginal->place.find(plan_.key(row.data(), observed));
      for (int k = 0; k < tile.classes; ++k) {
        tile.of_class(k)[r] +=
            found == marginal->place.end() ? marginal->unseen[k] : marginal->seen(k, found->second);
      }
    }
  }

 private:
  // The table summed over the features that a pattern misses: what was seen in
  // each remaining cell, and what the cells that were not seen add to it.
  struct Marginal {
    std::unordered_map<Key, int> place;
    Matrix seen;    // groups x remaining cells, log
    Vector unseen;  // per group, log
  };

  static constexpr std::size_t kRemembered = 1024;

  std::shared_ptr<const Marginal> of_pattern(Key observed) const {
    const std::lock_guard<std::mutex> lock(mutex_);
    const auto found = marginals_.find(observed);
    if (found != marginals_.end()) return found->second;
    auto marginal = std::make_shared<const Marginal>(sum_out(observed));
    if (marginals_.size() < kRemembered) marginals_.emplace(observed, marginal);
    return marginal;
  }

  Marginal sum_out(Key observed) const {
    const Index groups = parameters_.log_probability.rows();
    double matching = 1;  // whole cells behind one remaining cell
    for (int j = 0; j < plan_.members(); ++j) {
      if (!(observed >> j & 1)) matching *= plan_.levels[j];
    }
    Marginal result;
    Vector listed;  // whole cells that were seen, per remaining cell
    result.seen = Matrix::Constant(groups, parameters_.cells.rows(), kNegativeInfinity);
    IntVector codes(plan_.members());
    for (Index c = 0; c < parameters_.cells.rows(); ++c) {
      for (int j = 0; j < plan_.members(); ++j) codes[j] = parameters_.cells(c, j) - 1;
      const auto [place, added] =
          result.place.try_emplace(plan_.key(codes.data(), observed), listed.size());
      if (added) listed.push_back(0);
      ++listed[place->second];
      for (Index k = 0; k < groups; ++k) {
        double& sum = result.seen(k, place->second);
        sum = log_add(sum, parameters_.log_probability(k, c));
      }
    }
    result.seen.conservativeResize(Eigen::NoChange, static_cast<Index>(listed.size()));
    for (Index k = 0; k < groups; ++k) {
      result.unseen.push_back(parameters_.log_unseen[k] + std::log(matching));
      for (std::size_t i = 0; i < listed.size(); ++i) {
        if (listed[i] == matching) continue;
        result.seen(k, i) =
            log_add(result.seen(k, i), parameters_.log_unseen[k] + std::log(matching - listed[i]));
      }
    }
    return result;
  }

  const Plan& plan_;
  const Parameters& parameters_;
  mutable std::map<Key, std::shared_ptr<const Marginal>> marginals_;
  mutable std::mutex mutex_;
};

}  // namespace bayesrisk
