#pragma once

#include <engine/core/log_math.hpp>
#include <engine/likelihood/contract/class_overlap.hpp>

namespace bayesrisk {

// log(p_i^(1 - s) p_j^s) of cells of a table.
inline double tilted_log(double log_i, double log_j, double s) {
  if (std::min(log_i, log_j) == kNegativeInfinity) return kNegativeInfinity;
  return (1 - s) * log_i + s * log_j;
}

// Independent parts of a table: their first cells, and the end of the last part.
template <class L>
class TableTilt : public OverlapTilt<L> {
 public:
  TableTilt(const typename L::Plan& plan, const typename L::Parameters& p, int i, int j,
            IntVector parts)
      : OverlapTilt<L>(plan, p, i, j), parts_(std::move(parts)) {}

  void write(double s, AnyParameters& to, int row) const override {
    const Matrix& all = this->p_.log_probability;
    for (std::size_t k = 0; k + 1 < parts_.size(); ++k) {
      Eigen::VectorXd logs(parts_[k + 1] - parts_[k]);
      for (Index c = 0; c < logs.size(); ++c) {
        logs[c] = tilted_log(all(this->i_, parts_[k] + c), all(this->j_, parts_[k] + c), s);
      }
      this->own(to).log_probability.row(row).segment(parts_[k], logs.size()) =
          (logs.array() - log_sum(logs)).transpose();
    }
  }

 private:
  IntVector parts_;
};

}  // namespace bayesrisk
