#include <engine/core/diagnostics.hpp>

#include <algorithm>

namespace bayesrisk {

bool is_note(ProblemName problem) {
  return problem == Problem::borrowed || problem == Problem::left_out ||
         problem == Problem::unfinished;
}

void Diagnostics::add(ProblemName problem, int group, int feature, double count) {
  const auto [place, added] =
      place_.try_emplace(std::tuple(problem, group, feature), items_.size());
  if (added) {
    items_.push_back({problem, group, feature, count});
  } else {
    items_[place->second].count += count;
  }
}

void Diagnostics::add_term(ProblemName problem, int group, int feature, double count, int term) {
  add(problem, group, feature, 0);
  Diagnostic& item = items_[place_[{problem, group, feature}]];
  item.count = count;
  item.terms.push_back(term);
}

void Diagnostics::merge(const Diagnostics& other) {
  for (const Diagnostic& item : other.items_) {
    add(item.problem, item.group, item.feature, item.count);
  }
}

void Diagnostics::unite(const Diagnostics& other) {
  for (const Diagnostic& item : other.items_) {
    add(item.problem, item.group, item.feature, 0);
    double& count = items_[place_[{item.problem, item.group, item.feature}]].count;
    count = std::max(count, item.count);
  }
}

void Diagnostics::keep(const Diagnostic& item) { items_.push_back(item); }

void Diagnostics::append(const Diagnostics& other, int bank) {
  for (Diagnostic item : other.items_) {
    item.bank = bank;
    keep(item);
  }
}

bool Diagnostics::stops() const {
  return std::any_of(items_.begin(), items_.end(),
                     [](const Diagnostic& item) { return !is_note(item.problem); });
}

}  // namespace bayesrisk
