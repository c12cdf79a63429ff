#pragma once

#include <engine/core/types.hpp>

#include <memory>
#include <type_traits>
#include <typeinfo>

namespace bayesrisk {

// Looks at the fields of a state: one function for each type that a field may have.
class FieldReader {
 public:
  virtual ~FieldReader() = default;
  virtual void operator()(const char* name, const Matrix& field) = 0;
  virtual void operator()(const char* name, const IntMatrix& field) = 0;
  virtual void operator()(const char* name, const Vector& field) = 0;
  virtual void operator()(const char* name, const IntVector& field) = 0;
  virtual void operator()(const char* name, const std::vector<Matrix>& field) = 0;
  virtual void operator()(const char* name, const double& field) = 0;
  virtual void operator()(const char* name, const bool& field) = 0;
};

// Changes the fields of a state.
class FieldEditor {
 public:
  virtual ~FieldEditor() = default;
  virtual void operator()(const char* name, Matrix& field) = 0;
  virtual void operator()(const char* name, IntMatrix& field) = 0;
  virtual void operator()(const char* name, Vector& field) = 0;
  virtual void operator()(const char* name, IntVector& field) = 0;
  virtual void operator()(const char* name, std::vector<Matrix>& field) = 0;
  virtual void operator()(const char* name, double& field) = 0;
  virtual void operator()(const char* name, bool& field) = 0;
};

// The fields of a state that a template lists.
template <class State>
void read_fields(const State& state, FieldReader& reader) {
  State::fields(state, reader);
}
template <class State>
void edit_fields(State& state, FieldEditor& editor) {
  State::fields(state, editor);
}

// A state whose type only its likelihood knows.
class HeldState {
 public:
  virtual ~HeldState() = default;
  virtual std::unique_ptr<HeldState> clone() const = 0;
  virtual void read(FieldReader& reader) const = 0;
  virtual void edit(FieldEditor& editor) = 0;
  virtual const std::type_info& type() const = 0;
  virtual void* address() = 0;
};

template <class State>
class StateOf final : public HeldState {
 public:
  explicit StateOf(State state) : state_(std::move(state)) {}
  std::unique_ptr<HeldState> clone() const override { return std::make_unique<StateOf>(state_); }
  void read(FieldReader& reader) const override { read_fields(state_, reader); }
  void edit(FieldEditor& editor) override { edit_fields(state_, editor); }
  const std::type_info& type() const override { return typeid(State); }
  void* address() override { return &state_; }

 private:
  State state_;
};

// The options, statistics or parameters of a bank: a value, whose copy has its own data. `Kind`
// keeps the three apart.
template <class Kind>
class AnyState {
 public:
  AnyState() = default;
  template <class State, class = std::enable_if_t<!std::is_same_v<std::decay_t<State>, AnyState>>>
  AnyState(State state) : held_(std::make_unique<StateOf<State>>(std::move(state))) {}
  AnyState(const AnyState& other) : held_(other.held_ ? other.held_->clone() : nullptr) {}
  AnyState(AnyState&&) noexcept = default;
  AnyState& operator=(AnyState other) noexcept {
    held_ = std::move(other.held_);
    return *this;
  }
  ~AnyState() = default;

  void read(FieldReader& reader) const { held_->read(reader); }
  void edit(FieldEditor& editor) { held_->edit(editor); }

  // The state if it has this type, otherwise null.
  template <class State>
  State* find() {
    return holds(typeid(State)) ? static_cast<State*>(held_->address()) : nullptr;
  }
  template <class State>
  const State* find() const {
    return const_cast<AnyState*>(this)->find<State>();
  }

  // The state, which must have this type.
  template <class State>
  State& as() {
    require(holds(typeid(State)), "a state of another likelihood");
    return *static_cast<State*>(held_->address());
  }
  template <class State>
  const State& as() const {
    return const_cast<AnyState*>(this)->as<State>();
  }

 private:
  bool holds(const std::type_info& type) const { return held_ && held_->type() == type; }

  std::unique_ptr<HeldState> held_;
};

using AnyOptions = AnyState<struct OptionsKind>;
using AnyStatistics = AnyState<struct StatisticsKind>;
using AnyParameters = AnyState<struct ParametersKind>;

}  // namespace bayesrisk
