#pragma once

#include <engine/likelihood/contract/overlap.hpp>
#include <engine/likelihood/contract/unsupported.hpp>
#include <engine/marginal/complete.hpp>

namespace bayesrisk {

// Adds the overlap of two classes of a bank of the likelihood L: that of each member.
template <class L>
void add_marginal_overlap(const typename L::Plan& plan, const typename L::Parameters& p, int one,
                          int other, Overlap& overlap) {
  for (int j = 0; j < plan.members(); ++j) {
    const double origin = origin_of(L::marginal(plan, p, one, j, 0));
    const auto first = L::marginal(plan, p, one, j, origin);
    const auto second = L::marginal(plan, p, other, j, origin);
    overlap.parts.push_back(log_overlap(first, second));
    overlap.moments.push_back(compare_moments(moments_of(first), moments_of(second)));
  }
}

// The same, or the overlap that the likelihood has itself.
template <class L>
void add_class_overlap(const typename L::Plan& plan, const typename L::Parameters& p, int one,
                       int other, Overlap& overlap) {
  using Part = std::decay_t<decltype(L::overlap)>;
  if constexpr (std::is_same_v<Part, ByMarginals>) {
    add_marginal_overlap<L>(plan, p, one, other, overlap);
  } else if constexpr (std::is_same_v<Part, Unsupported>) {
    throw InvalidState(L::overlap.why);
  } else {
    L::overlap(plan, p, one, other, overlap);
  }
}

// Two classes of a bank of the likelihood L.
template <class L>
class TiltOf : public BankTilt {
 public:
  TiltOf(const typename L::Parameters& p, int i, int j) : p_(p), i_(i), j_(j) {}

 protected:
  static typename L::Parameters& own(AnyParameters& to) { return to.as<typename L::Parameters>(); }

  const typename L::Parameters& p_;
  int i_, j_;
};

// The same with the normaliser of risk_bounds().
template <class L>
class OverlapTilt : public TiltOf<L> {
 public:
  OverlapTilt(const typename L::Plan& plan, const typename L::Parameters& p, int i, int j)
      : TiltOf<L>(p, i, j) {
    add_class_overlap<L>(plan, p, j, i, overlap_);
  }

  double log_normaliser(double s) const override { return overlap_.log_at(s); }

 private:
  Overlap overlap_;
};

}  // namespace bayesrisk
