#pragma once

#include <engine/likelihood/points/kernel_table.hpp>

namespace bayesrisk {

class Kernel::Scorer {
 public:
  Scorer(const Plan& plan, const Parameters& parameters, Index rows);

  void add(const Frame& frame, int from, int to, Tile& tile) const;

 private:
  const Plan& plan_;
  bool left_out_;
  std::vector<KernelTable> tables_;
};

}  // namespace bayesrisk
