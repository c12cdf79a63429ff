#pragma once

#include <engine/core/context.hpp>
#include <engine/core/log_math.hpp>
#include <engine/decision/decide.hpp>

#include <algorithm>
#include <limits>

namespace bayesrisk {

// Gives each case an action at the least sum of costs, such that no action has more cases than its
// limit: a transport problem, solved by shortest augmenting paths (Ahuja, Magnanti and Orlin 1993,
// chapter 9). A case moves from one action to another along an edge; the length of an edge is the
// least additional cost of such a move.
class Transport {
 public:
  // `columns`: the actions of least cost, from 1. `most`: per action; infinite: no limit.
  Transport(const DecisionColumns& columns, Index rows, const Vector& most, const Context& context)
      : columns_(&columns),
        rows_(rows),
        actions_(static_cast<int>(most.size())),
        most_(most),
        context_(&context),
        action_(static_cast<std::size_t>(rows)),
        count_(most.size(), 0.0),
        moves_(most.size() * most.size()) {}

  // Solves for the costs plus `extra` of each action, if it is not empty. Returns whether there is
  // a solution.
  bool solve(const Vector& extra) {
    extra_ = extra;
    double largest = 0;
    for (Index r = 0; r < rows_; ++r) {
      for (int a = 0; columns_->decision[r] != kMissingInteger && a < actions_; ++a) {
        if (std::isfinite(priced(r, a))) largest = std::max(largest, std::abs(priced(r, a)));
      }
    }
    rounding_ = 1e-13 * largest;
    for (Index r = 0; r < rows_; ++r) {
      const int first = columns_->decision[r];
      action_[r] = first == kMissingInteger ? -1 : extra.empty() ? first - 1 : cheapest(r);
      if (action_[r] >= 0) place(r, action_[r]);
    }
    for (Index step = 0; is_over(); ++step) {
      if (step % kSteps == 0) context_->check();
      if (!augment()) return false;
    }
    return true;
  }

  // From 0; -1: a case without a decision.
  int action(Index r) const { return action_[static_cast<std::size_t>(r)]; }
  double count(int a) const { return count_[static_cast<std::size_t>(a)]; }

  // The sum of the costs, without `extra`.
  double cost() const {
    double sum = 0;
    for (Index r = 0; r < rows_; ++r) {
      if (action(r) >= 0) sum += plain(r, action(r));
    }
    return sum;
  }

  // What one more case with each action would save: minus the length of the shortest path to it.
  Vector savings() const {
    const Vector length = all_lengths();
    Vector result(static_cast<std::size_t>(actions_), 0.0);
    for (int a = 0; a < actions_; ++a) {
      if (count(a) < most_[a]) continue;
      Vector distance(static_cast<std::size_t>(actions_), kInfinity);
      distance[a] = 0;
      for (int turn = 1; turn < actions_; ++turn) {
        for (int from = 0; from < actions_; ++from) {
          for (int to = 0; to < actions_; ++to) {
            distance[from] = std::min(distance[from], length[edge(from, to)] + distance[to]);
          }
        }
      }
      for (double x : distance) {
        if (-x > rounding_) result[a] = std::max(result[a], -x);
      }
    }
    return result;
  }

  // Spends money that is left, case by case, where a unit of it saves most.
  void spend(const Vector& price, double left) {
    std::vector<std::pair<double, std::pair<Index, int>>> moves;
    for (Index r = 0; r < rows_; ++r) {
      for (int a = 0; action(r) >= 0 && a < actions_; ++a) {
        const double saved = plain(r, action(r)) - plain(r, a);
        const double dearer = price[a] - price[action(r)];
        if (saved > 0 && dearer > 0 && dearer <= left) moves.push_back({-saved / dearer, {r, a}});
      }
    }
    std::sort(moves.begin(), moves.end());
    for (const auto& [ratio, move] : moves) {
      const auto [r, a] = move;
      const int from = action(r);
      const double dearer = price[a] - price[from];
      if (dearer > left || count(a) >= most_[a] || plain(r, from) <= plain(r, a)) continue;
      left -= dearer;
      --count_[from];
      place(r, a);
    }
  }

 private:
  using Move = std::pair<double, Index>;
  static constexpr Index kSteps = 1024;  // between two checks for an interrupt

  std::size_t edge(int from, int to) const {
    return static_cast<std::size_t>(from) * actions_ + static_cast<std::size_t>(to);
  }

  // If the least cost of a case is infinite, all its actions count as equal.
  double plain(Index r, int a) const {
    return std::isfinite(columns_->cost[r]) ? columns_->cost_of[a][r] : 0.0;
  }
  double priced(Index r, int a) const { return plain(r, a) + (extra_.empty() ? 0.0 : extra_[a]); }

  int cheapest(Index r) const {
    int best = columns_->decision[r] - 1;
    for (int a = 0; a < actions_; ++a) {
      if (priced(r, a) < priced(r, best)) best = a;
    }
    return best;
  }

  // A case that may have to leave its action is on a heap for each other action.
  void place(Index r, int a) {
    action_[r] = a;
    ++count_[a];
    if (most_[a] == kInfinity) return;
    for (int to = 0; to < actions_; ++to) {
      const double length = priced(r, to) - priced(r, a);
      if (to == a || !std::isfinite(length)) continue;
      auto& heap = moves_[edge(a, to)];
      // Of equal moves the last case moves first.
      heap.push_back({-length, r});
      std::push_heap(heap.begin(), heap.end());
    }
  }

  bool is_over() const {
    for (int a = 0; a < actions_; ++a) {
      if (count_[a] > most_[a]) return true;
    }
    return false;
  }

  // The cheapest move from one action to another; cases that have left are taken off the heap.
  const Move* move(int from, int to) {
    auto& heap = moves_[edge(from, to)];
    while (!heap.empty() && action(heap.front().second) != from) {
      std::pop_heap(heap.begin(), heap.end());
      heap.pop_back();
    }
    return heap.empty() ? nullptr : &heap.front();
  }

  // Moves a case along each edge of the shortest path from an action with too many cases to one
  // with room. Returns whether there is a path.
  bool augment() {
    const auto size = static_cast<std::size_t>(actions_);
    Vector distance(size, kInfinity);
    IntVector before(size, -1);
    for (int a = 0; a < actions_; ++a) {
      if (count_[a] > most_[a]) distance[a] = 0;
    }
    for (int turn = 1; turn < actions_; ++turn) {
      for (int from = 0; from < actions_; ++from) {
        for (int to = 0; distance[from] < kInfinity && to < actions_; ++to) {
          const Move* best = move(from, to);
          if (best == nullptr) continue;
          // A gain by rounding would close a circle.
          if (!(distance[from] - best->first < distance[to] - rounding_)) continue;
          distance[to] = distance[from] - best->first;
          before[to] = from;
        }
      }
    }
    int end = -1;
    for (int a = 0; a < actions_; ++a) {
      const bool room = count_[a] < most_[a] && distance[a] < kInfinity;
      if (room && (end < 0 || distance[a] < distance[end])) end = a;
    }
    int steps = 0;
    for (int to = end; to >= 0 && before[to] >= 0; to = before[to]) {
      require(++steps < actions_, "moves in a circle");
      const Index r = move(before[to], to)->second;
      --count_[before[to]];
      place(r, to);
    }
    return end >= 0;
  }

  // The length of each edge, also from actions without a limit.
  Vector all_lengths() const {
    Vector length(moves_.size(), kInfinity);
    for (Index r = 0; r < rows_; ++r) {
      for (int to = 0; action(r) >= 0 && to < actions_; ++to) {
        double& least = length[edge(action(r), to)];
        least = std::min(least, priced(r, to) - priced(r, action(r)));
      }
    }
    return length;
  }

  const DecisionColumns* columns_;
  Index rows_;
  int actions_;
  Vector most_, extra_;
  double rounding_ = 0;
  const Context* context_;
  IntVector action_;
  Vector count_;
  std::vector<std::vector<Move>> moves_;
};

}  // namespace bayesrisk
