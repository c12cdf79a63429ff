#pragma once

#include "problem.hpp"

namespace fuzz {

// Visits the fields of a state and damages some of them, as an R user can damage a list: other
// numbers, other dimensions, or an empty field.
class Damage : public EveryField<Damage, true> {
 public:
  explicit Damage(Bytes& bytes) : bytes_(bytes) {}

  template <class Field>
  void visit(const char*, Field& field) {
    if (bytes_.byte() >= 160) damage(field);
  }

 private:
  void damage(double& x) { x = bytes_.number(); }
  void damage(int& x) { x = bytes_.integer(); }
  void damage(bool& x) { x = !x; }

  template <class T>
  void damage(std::vector<T>& x) {
    switch (bytes_.below(4)) {
      case 0: x.clear(); break;
      case 1: x.resize(static_cast<std::size_t>(bytes_.below(12))); break;
      default:
        if (!x.empty()) damage(x[static_cast<std::size_t>(bytes_.byte()) % x.size()]);
    }
  }

  template <class T>
  void damage(Eigen::Matrix<T, Eigen::Dynamic, Eigen::Dynamic>& x) {
    using Any = Eigen::Matrix<T, Eigen::Dynamic, Eigen::Dynamic>;
    switch (bytes_.below(5)) {
      case 0: x.resize(0, 0); break;
      case 1: x = Any::Zero(bytes_.below(6), bytes_.below(6)); break;
      case 2: x.transposeInPlace(); break;
      default:
        if (x.size() > 0) damage(x.data()[bytes_.byte() % x.size()]);
    }
  }

  Bytes& bytes_;
};

template <class State>
void damage(Bytes& bytes, State& state) {
  Damage editor(bytes);
  edit_fields(state, editor);
}

inline void damage(Bytes& bytes, std::vector<AnyPlan>& banks) {
  Damage editor(bytes);
  for (AnyPlan& bank : banks) bank->edit(editor);
}

template <class Kind>
void damage(Bytes& bytes, std::vector<AnyState<Kind>>& banks) {
  Damage editor(bytes);
  for (auto& bank : banks) bank.edit(editor);
}

}  // namespace fuzz
