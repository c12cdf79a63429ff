#pragma once

#include <engine/core/types.hpp>

#include <memory>
#include <type_traits>
#include <typeinfo>

namespace bayesrisk {

// Visits the fields of a state, which it may change or not: one function for each type that a field
// may have.
template <bool kChanges>
class FieldVisitor {
 public:
  template <class T>
  using Field = std::conditional_t<kChanges, T, const T>;

  virtual ~FieldVisitor() = default;
  virtual void operator()(const char* name, Field<Matrix>& field) = 0;
  virtual void operator()(const char* name, Field<IntMatrix>& field) = 0;
  virtual void operator()(const char* name, Field<Vector>& field) = 0;
  virtual void operator()(const char* name, Field<IntVector>& field) = 0;
  virtual void operator()(const char* name, Field<std::vector<Matrix>>& field) = 0;
  virtual void operator()(const char* name, Field<double>& field) = 0;
  virtual void operator()(const char* name, Field<bool>& field) = 0;
};

using FieldReader = FieldVisitor<false>;
using FieldEditor = FieldVisitor<true>;

// A visitor that calls visit(name, field) for a field of any type.
template <class Self, bool kChanges>
class EveryField : public FieldVisitor<kChanges> {
  template <class T>
  using Field = typename FieldVisitor<kChanges>::template Field<T>;

 public:
  void operator()(const char* name, Field<Matrix>& field) override { pass(name, field); }
  void operator()(const char* name, Field<IntMatrix>& field) override { pass(name, field); }
  void operator()(const char* name, Field<Vector>& field) override { pass(name, field); }
  void operator()(const char* name, Field<IntVector>& field) override { pass(name, field); }
  void operator()(const char* name, Field<std::vector<Matrix>>& field) override {
    pass(name, field);
  }
  void operator()(const char* name, Field<double>& field) override { pass(name, field); }
  void operator()(const char* name, Field<bool>& field) override { pass(name, field); }

 private:
  template <class T>
  void pass(const char* name, T& field) {
    static_cast<Self*>(this)->visit(name, field);
  }
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
