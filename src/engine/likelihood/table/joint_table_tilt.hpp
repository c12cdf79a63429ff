#pragma once

#include <engine/likelihood/table/joint_table.hpp>
#include <engine/likelihood/table/table_tilt.hpp>

namespace bayesrisk {

class JointTableTilt : public OverlapTilt<JointTable> {
 public:
  using OverlapTilt::OverlapTilt;

  void write(double s, AnyParameters& to, int row) const override { write_to(own(to), s, row); }

 protected:
  void write_to(JointTable::Parameters& to, double s, int row) const;
};

}  // namespace bayesrisk
