#pragma once

#include "fuzz/bytes.hpp"

// The knowledge of the tests about a likelihood beside its parts. The template `Defaults` derives
// it from the fields of the likelihood. An `Example` replaces defaults that do not fit.
namespace testing {

using fuzz::Bytes;

inline Matrix any_matrix(int rows, int columns, const std::function<double()>& number) {
  Matrix result(rows, columns);
  for (Index i = 0; i < result.size(); ++i) result.data()[i] = number();
  return result;
}

// Some shares are 0, some almost 0.
inline Vector any_log_shares(Bytes& bytes, int count) {
  Vector weight;
  double sum = 0;
  for (int i = 0; i < count; ++i) {
    const int kind = bytes.byte();
    weight.push_back(kind < 200 ? kind % 5 : std::ldexp(1, -5 * (kind - 200)));
    sum += weight.back();
  }
  for (double& w : weight) w = sum > 0 ? std::log(w / sum) : -std::log(count);
  return weight;
}

inline std::vector<Points> any_points(Bytes& bytes, int groups) {
  std::vector<Points> result;
  for (int g = 0; g < groups; ++g) {
    Vector values;
    for (int i = bytes.below(5); i >= 0; --i) values.push_back(bytes.finite());
    std::sort(values.begin(), values.end());
    values.erase(std::unique(values.begin(), values.end()), values.end());
    const auto count = static_cast<int>(values.size());
    const Vector shares = any_log_shares(bytes, count);
    Points& of_group = result.emplace_back(count, 2);
    for (int i = 0; i < count; ++i) {
      of_group.row(i) << values[static_cast<std::size_t>(i)], shares[static_cast<std::size_t>(i)];
    }
  }
  return result;
}

inline IntVector any_levels(Bytes& bytes, std::size_t features) {
  IntVector levels;
  for (std::size_t j = 0; j < features; ++j) levels.push_back(1 + bytes.below(4));
  return levels;
}

// Whether two states agree, those of merged parts and of the whole. Numbers that overflowed are not
// compared.
inline bool close(double a, double b, double size = 0) {
  if (!std::isfinite(a) || !std::isfinite(b)) return true;
  return std::abs(a - b) <= 1e-8 * std::max({std::abs(a), std::abs(b), size});
}

inline bool close(const Matrix& a, const Matrix& b, double size = 0) {
  if (a.rows() != b.rows() || a.cols() != b.cols()) return false;
  for (Index i = 0; i < a.size(); ++i) {
    if (!close(a.data()[i], b.data()[i], size)) return false;
  }
  return true;
}

// The error of a mean is relative to the spread and to the size of the mean.
inline bool close(const Moments& a, const Moments& b) {
  if (!close(a.weight, b.weight)) return false;
  for (Index i = 0; i < a.weight.size(); ++i) {
    const double weight = a.weight.data()[i], mean = a.mean.data()[i];
    const double scatter = a.scatter.data()[i], size = std::abs(mean) + std::sqrt(scatter / weight);
    if (weight == 0 || !std::isfinite(size) || !std::isfinite(b.scatter.data()[i])) continue;
    if (!close(mean, b.mean.data()[i], size)) return false;
    if (!close(scatter, b.scatter.data()[i], weight * 1e-24 * mean * mean + 1e-290)) return false;
  }
  return true;
}

inline bool close(const Scatter& a, const Scatter& b) {
  if (!close(a.weight, b.weight) || !close(a.rows, b.rows)) return false;
  for (std::size_t g = 0; g < a.triangle.size(); ++g) {
    const Matrix &r = a.triangle[g], &s = b.triangle[g];
    if (!r.allFinite() || !s.allFinite()) continue;
    const double size =
        std::max(r.cwiseAbs().maxCoeff(), a.mean.row(static_cast<Index>(g)).cwiseAbs().maxCoeff());
    if (size > 1e150 || size < 1e-150) continue;
    if (!close(Matrix(r.transpose() * r), Matrix(s.transpose() * s), size * size)) return false;
  }
  return true;
}

inline bool close(const std::vector<Points>& a, const std::vector<Points>& b) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end(),
                    [](const Points& x, const Points& y) { return close(x, y); });
}

inline bool close(const Vector& a, const Vector& b) { return a == b; }

inline LeftOut any_left_out(Bytes& bytes, int features) {
  LeftOut left_out;
  for (int j = 0; j < features; ++j) {
    if (bytes.byte() == 1) left_out.set(j, features);
  }
  return left_out;
}

// Fills the fields of parameters that are positive numbers for each class and feature.
struct PositiveFields {
  Bytes& bytes;
  int groups, features;

  void operator()(const char*, Matrix& field) {
    field = any_matrix(groups, features, [&] { return bytes.positive(); });
  }
  void operator()(const char*, IntVector& left_out) {
    left_out = any_left_out(bytes, features).features;
  }
};

template <class L>
struct Defaults {
  using Plan = typename L::Plan;
  using Options = typename L::Options;
  using Statistics = typename L::Statistics;
  using Parameters = typename L::Parameters;

  static constexpr bool kSingle = false;  // a bank has one feature

  static Plan plan(const IntVector& features) { return {features}; }

  // Plans and parameters that pass the checks of the engine.
  static Plan any_plan(Bytes&, const IntVector& features, int) { return {features}; }
  static Options any_options(Bytes&, const Plan&, int) { return {}; }
  static Parameters any_parameters(Bytes& bytes, const Plan& plan, int groups) {
    Parameters result;
    PositiveFields fill{bytes, groups, plan.members()};
    Parameters::fields(result, fill);
    return result;
  }

  // Whether the statistics of merged parts agree with those of the whole.
  static bool close(const Statistics& a, Statistics b) {
    bool same = true;
    pair_fields(a, b, [&](const auto& x, const auto& y) { same = same && testing::close(x, y); });
    return same;
  }
};

template <class L>
struct Example : Defaults<L> {};

template <>
struct Example<Gaussian> : Defaults<Gaussian> {
  static Options any_options(Bytes& bytes, const Plan& plan, int) {
    Options options;
    for (int j = 0; j < plan.members(); ++j) {
      options.unbiased.push_back(!bytes.flag());
      options.min_variance.push_back(bytes.flag() ? bytes.not_negative() : 0);
      options.min_variance_share.push_back(bytes.flag() ? bytes.not_negative() : 0);
      options.borrow.push_back(bytes.flag() ? bytes.not_negative() : 0);
      options.pooled.push_back(0);
    }
    return options;
  }
  static Parameters any_parameters(Bytes& bytes, const Plan& plan, int groups) {
    const int m = plan.members();
    const Matrix mean = any_matrix(groups, m, [&] { return bytes.finite(); });
    const Matrix sd = any_matrix(groups, m, [&] { return bytes.positive(); });
    return {mean, Matrix::Zero(groups, m), sd, any_left_out(bytes, m)};
  }
  static bool close(const Statistics& a, const Statistics& b) {
    return testing::close(a.moments, b.moments);
  }
};

template <>
struct Example<MultivariateGaussian> : Defaults<MultivariateGaussian> {
  static Plan any_plan(Bytes& bytes, const IntVector& features, int) {
    return {features, bytes.flag()};
  }
  static Options any_options(Bytes& bytes, const Plan&, int) {
    const int kind = bytes.below(4);
    return {!bytes.flag(), kind == 1, kind < 2 ? 0 : bytes.byte() / 255.0,
            bytes.flag() ? bytes.not_negative() : 0};
  }
  static Parameters any_parameters(Bytes& bytes, const Plan& plan, int groups) {
    const int p = plan.members();
    Parameters result{
        any_matrix(groups, p, [&] { return bytes.finite(); }), Matrix::Zero(groups, p), {}};
    for (int g = bytes.flag() ? groups : 1; g > 0; --g) {
      Matrix factor = Matrix::Zero(p, p);
      for (int j = 0; j < p; ++j) {
        for (int i = 0; i <= j; ++i) factor(i, j) = i == j ? bytes.positive() : bytes.finite();
      }
      result.factor.push_back(factor);
    }
    return result;
  }
  static bool close(const Statistics& a, const Statistics& b) {
    return testing::close(a.incomplete, b.incomplete) && testing::close(a.scatter, b.scatter);
  }
};

template <>
struct Example<Categorical> : Defaults<Categorical> {
  static Plan plan(const IntVector& features) { return {features, {2, 3}}; }
  static Plan any_plan(Bytes& bytes, const IntVector& features, int) {
    return {features, any_levels(bytes, features.size())};
  }
  static Options any_options(Bytes& bytes, const Plan& plan, int) {
    Options options;
    const bool smooth = bytes.flag();
    for (int l = 0; l < plan.offsets().back(); ++l) {
      options.pseudo_count.push_back(smooth ? bytes.not_negative() : 0);
    }
    return options;
  }
  static Parameters any_parameters(Bytes& bytes, const Plan& plan, int groups) {
    Matrix result(groups, plan.offsets().back());
    for (int g = 0; g < groups; ++g) {
      Index next = 0;
      for (int levels : plan.levels) {
        for (double share : any_log_shares(bytes, levels)) result(g, next++) = share;
      }
    }
    return {result};
  }
};

template <>
struct Example<JointTable> : Defaults<JointTable> {
  static Plan plan(const IntVector& features) { return {features, {2, 3}}; }
  static Plan any_plan(Bytes& bytes, const IntVector& features, int) {
    return {features, any_levels(bytes, features.size())};
  }
  static Options any_options(Bytes& bytes, const Plan&, int) {
    return {bytes.flag() ? bytes.not_negative() : 0};
  }
  static Parameters any_parameters(Bytes& bytes, const Plan& plan, int groups) {
    const auto all = static_cast<int>(plan.cells());
    IntVector keys;
    for (int key = 0; key < all; ++key) {
      if (bytes.flag()) keys.push_back(key);
    }
    const auto seen = static_cast<int>(keys.size());
    Parameters result{IntMatrix(seen, plan.members()), Matrix(groups, seen), {}};
    for (int c = 0; c < seen; ++c) {
      int key = keys[static_cast<std::size_t>(c)];
      for (int j = plan.members() - 1; j >= 0; --j) {
        const int levels = plan.levels[static_cast<std::size_t>(j)];
        result.cells(c, j) = key % levels + 1;
        key /= levels;
      }
    }
    for (int g = 0; g < groups; ++g) {
      const Vector shares = any_log_shares(bytes, seen + 1);
      for (int c = 0; c < seen; ++c) {
        result.log_probability(g, c) = shares[static_cast<std::size_t>(c)];
      }
      result.log_unseen.push_back(shares.back() - std::log(std::max(1, all - seen)));
    }
    return result;
  }
  static bool close(const Statistics& a, const Statistics& b) {
    return a.cells == b.cells && a.missing == b.missing && a.skipped == b.skipped &&
           testing::close(a.count, b.count);
  }
};

template <>
struct Example<Poisson> : Defaults<Poisson> {
  static Parameters any_parameters(Bytes& bytes, const Plan& plan, int groups) {
    return {any_matrix(groups, plan.members(), [&] { return bytes.not_negative(); })};
  }
};

// The plan of a histogram with any bins, some sets without bins. `bins`: the field that counts
// them.
template <class Plan>
Plan plan_of_sets(Bytes& bytes, const IntVector& features, int sets, IntVector Plan::*bins) {
  Plan plan;
  plan.features = features;
  for (int set = 0; set < sets; ++set) {
    Vector edges;
    for (int e = bytes.below(6); e >= 0; --e) edges.push_back(bytes.finite());
    std::sort(edges.begin(), edges.end());
    edges.erase(std::unique(edges.begin(), edges.end()), edges.end());
    if (edges.size() == 1) edges.clear();
    (plan.*bins).push_back(std::max(0, static_cast<int>(edges.size()) - 1));
    plan.edges.insert(plan.edges.end(), edges.begin(), edges.end());
  }
  return plan;
}

template <>
struct Example<Histogram> : Defaults<Histogram> {
  static constexpr bool kSingle = true;
  static Plan plan(const IntVector& features) { return {features, {3}, {0, 100, 150, 1000}}; }
  static Plan any_plan(Bytes& bytes, const IntVector& features, int groups) {
    return plan_of_sets<Plan>(bytes, features, bytes.flag() ? groups : 1, &Plan::bins);
  }
  static Options any_options(Bytes& bytes, const Plan&, int) {
    return {bytes.flag() ? bytes.not_negative() : 0};
  }
  static Parameters any_parameters(Bytes& bytes, const Plan& plan, int groups) {
    Matrix result = Matrix::Constant(groups, plan.most_bins(), kNegativeInfinity);
    for (int g = 0; g < groups; ++g) {
      const Vector shares = any_log_shares(bytes, plan.of_group(g).count);
      for (std::size_t b = 0; b < shares.size(); ++b) {
        result(g, static_cast<Index>(b)) = shares[b];
      }
    }
    return {result};
  }
};

template <>
struct Example<JointHistogram> : Defaults<JointHistogram> {
  static Plan plan(const IntVector& features) {
    return {{features, {3, 2}}, {0, 100, 150, 1000, 0, 120, 1000}};
  }
  static Plan any_plan(Bytes& bytes, const IntVector& features, int) {
    return plan_of_sets<Plan>(bytes, features, static_cast<int>(features.size()), &Plan::levels);
  }
  static Options any_options(Bytes& bytes, const Plan&, int) {
    return {bytes.flag() ? bytes.not_negative() : 0};
  }
  static Parameters any_parameters(Bytes& bytes, const Plan& plan, int groups) {
    return Example<JointTable>::any_parameters(bytes, plan, groups);
  }
  static bool close(const Statistics& a, const Statistics& b) {
    return Example<JointTable>::close(a, b);
  }
};

template <>
struct Example<Empirical> : Defaults<Empirical> {
  static constexpr bool kSingle = true;
  static Parameters any_parameters(Bytes& bytes, const Plan&, int groups) {
    return {any_points(bytes, groups)};
  }
};

template <>
struct Example<Kernel> : Defaults<Kernel> {
  static constexpr bool kSingle = true;
  static Plan plan(const IntVector& features) { return {features, 64}; }
  static Plan any_plan(Bytes& bytes, const IntVector& features, int) {
    return {features, bytes.flag() ? 64 : 1e6};
  }
  static Options any_options(Bytes& bytes, const Plan&, int groups) {
    Options options{{}, bytes.flag() ? bytes.positive() : 0.9};
    if (!bytes.flag()) return options;
    for (int g = 0; g < groups; ++g) options.bandwidth.push_back(bytes.positive());
    return options;
  }
  static Parameters any_parameters(Bytes& bytes, const Plan&, int groups) {
    Parameters result{any_points(bytes, groups), {}, Vector(groups, 0.0), any_left_out(bytes, 1)};
    for (int g = 0; g < groups; ++g) result.bandwidth.push_back(bytes.positive());
    for (int g = 0; g < groups; ++g) {
      if (bytes.flag()) result.step[g] = std::ldexp(1.0, std::ilogb(result.bandwidth[g]) - 3);
    }
    return result;
  }
  static bool close(const Statistics& a, const Statistics& b) {
    return a.step == b.step && testing::close(a.points, b.points) &&
           testing::close(a.moments, b.moments);
  }
};

template <>
struct Example<Gamma> : Defaults<Gamma> {
  // The accuracy of a deviance is that of the mean.
  static bool close(const Statistics& a, const Statistics& b) {
    if (!testing::close(a.weight, b.weight) || !testing::close(a.mean, b.mean)) return false;
    for (Index i = 0; i < a.weight.size(); ++i) {
      const double room = 1e-24 * a.weight.data()[i];
      if (!testing::close(a.deviance.data()[i], b.deviance.data()[i], room)) return false;
    }
    return true;
  }
};

template <>
struct Example<NegativeBinomial> : Defaults<NegativeBinomial> {
  static constexpr bool kSingle = true;
  static Parameters any_parameters(Bytes& bytes, const Plan&, int groups) {
    Matrix size = any_matrix(groups, 1, [&] { return bytes.positive(); });
    for (int g = 0; g < groups; ++g) size(g, 0) = bytes.flag() ? kInfinity : size(g, 0);
    return {size, any_matrix(groups, 1, [&] { return bytes.not_negative(); })};
  }
};

inline MixtureOptions any_mixture_options(Bytes& bytes) {
  MixtureOptions options;
  options.components = {1 + bytes.below(3), 2};
  options.bic = bytes.flag();
  options.starts = 1 + bytes.below(3);
  options.seed = bytes.below(5);
  options.borrow = bytes.below(2);
  options.min_variance_share = bytes.flag() ? 0 : 1e-4;
  return options;
}

template <>
struct Example<Mixture> : Defaults<Mixture> {
  static constexpr bool kSingle = true;
  static Plan plan(const IntVector& features) { return {features, 64}; }
  static Plan any_plan(Bytes& bytes, const IntVector& features, int) {
    return {features, bytes.flag() ? 64 : 1e6};
  }
  static Options any_options(Bytes& bytes, const Plan&, int) { return any_mixture_options(bytes); }
  static bool close(const Statistics& a, const Statistics& b) {
    return a.step == b.step && testing::close(a.points, b.points) &&
           testing::close(a.moments, b.moments);
  }
  static Parameters any_parameters(Bytes& bytes, const Plan&, int groups) {
    Parameters result{{}, {}, {}, any_left_out(bytes, 1)};
    for (int g = 0; g < groups; ++g) {
      result.components.push_back(1 + bytes.below(3));
      for (double share : any_log_shares(bytes, result.components.back())) {
        result.log_weight.push_back(share);
        result.mean.push_back(bytes.finite());
        result.sd.push_back(bytes.positive());
      }
    }
    return result;
  }
};

template <>
struct Example<MultivariateMixture> : Defaults<MultivariateMixture> {
  static Plan plan(const IntVector& features) { return {{features}}; }
  static Plan any_plan(Bytes&, const IntVector& features, int) { return {{features}}; }
  static Options any_options(Bytes& bytes, const Plan&, int) {
    return {any_mixture_options(bytes)};
  }
  // The normals are those of a Gaussian block with a class for each term.
  static Parameters any_parameters(Bytes& bytes, const Plan& plan, int groups) {
    Parameters result;
    for (int g = 0; g < groups; ++g) {
      result.components.push_back(1 + bytes.below(3));
      for (double share : any_log_shares(bytes, result.components.back())) {
        result.log_weight.push_back(share);
      }
    }
    result.normals = Example<MultivariateGaussian>::any_parameters(
        bytes, plan, static_cast<int>(result.log_weight.size()));
    return result;
  }
  static bool close(const Statistics& a, const Statistics& b) {
    return testing::close(a.points, b.points) && testing::close(a.scatter, b.scatter);
  }
};

// Bags of a few terms.
template <class L>
struct BagExample : Defaults<L> {
  using typename Defaults<L>::Plan;
  using typename Defaults<L>::Statistics;
  static constexpr bool kSingle = true;
  static constexpr int kTerms = 4;

  static Plan plan_of(const IntVector& features, int terms) {
    Plan plan;
    plan.features = features;
    plan.levels = {terms};
    return plan;
  }
  static Plan plan(const IntVector& features) { return plan_of(features, kTerms); }
  static Plan any_plan(Bytes& bytes, const IntVector& features, int) {
    return plan_of(features, 1 + bytes.below(5));
  }
  static double any_laplace(Bytes& bytes) { return bytes.flag() ? bytes.not_negative() : 1; }
  static bool close(const Statistics& a, Statistics b) {
    bool same = true;
    pair_fields(a, b, [&](const auto& x, const auto& y) {
      for (Index i = 0; i < static_cast<Index>(x.size()); ++i) {
        same = same && testing::close(x.data()[i], y.data()[i]);
      }
    });
    return same;
  }
};

template <>
struct Example<Multinomial> : BagExample<Multinomial> {
  static Plan any_plan(Bytes& bytes, const IntVector& features, int groups) {
    Plan plan = BagExample::any_plan(bytes, features, groups);
    plan.fractions = bytes.flag();
    return plan;
  }
  static Options any_options(Bytes& bytes, const Plan&, int) {
    return {any_laplace(bytes), bytes.flag(), bytes.flag()};
  }
  static Parameters any_parameters(Bytes& bytes, const Plan& plan, int groups) {
    Matrix of_term(groups, plan.terms());
    if (bytes.flag()) {
      return {{}, any_matrix(groups, plan.terms(), [&] { return bytes.finite(); })};
    }
    for (int g = 0; g < groups; ++g) {
      const Vector shares = any_log_shares(bytes, plan.terms());
      for (int t = 0; t < plan.terms(); ++t) of_term(g, t) = shares[static_cast<std::size_t>(t)];
    }
    return {of_term, {}};
  }
};

template <>
struct Example<Bernoulli> : BagExample<Bernoulli> {
  static Options any_options(Bytes& bytes, const Plan&, int) { return {any_laplace(bytes)}; }
  static Parameters any_parameters(Bytes& bytes, const Plan& plan, int groups) {
    Parameters result{Matrix(groups, plan.terms()), Matrix(groups, plan.terms())};
    for (Index i = 0; i < result.log_present.size(); ++i) {
      const double share = bytes.byte() / 255.0;
      result.log_present.data()[i] = std::log(share);
      result.log_absent.data()[i] = std::log1p(-share);
    }
    return result;
  }
};

template <>
struct Example<PoissonBag> : BagExample<PoissonBag> {
  static Options any_options(Bytes& bytes, const Plan&, int) {
    return {bytes.flag() ? bytes.not_negative() : 0, bytes.flag() ? bytes.not_negative() : 0};
  }
  static Parameters any_parameters(Bytes& bytes, const Plan& plan, int groups) {
    return {any_matrix(groups, plan.terms(), [&] { return bytes.not_negative(); })};
  }
};

template <>
struct Example<GaussianBag> : BagExample<GaussianBag> {
  static Options any_options(Bytes& bytes, const Plan&, int) {
    return {!bytes.flag(), bytes.flag() ? bytes.not_negative() : 0,
            bytes.flag() ? bytes.not_negative() : 0, bytes.flag() ? bytes.not_negative() : 0};
  }
  static Parameters any_parameters(Bytes& bytes, const Plan& plan, int groups) {
    const int terms = plan.terms();
    const Matrix mean = any_matrix(groups, terms, [&] { return bytes.finite(); });
    const Matrix sd = any_matrix(groups, terms, [&] { return bytes.positive(); });
    return {mean, sd, any_left_out(bytes, terms)};
  }
  static bool close(const Statistics& a, const Statistics& b) {
    for (std::size_t g = 0; g < a.total.size(); ++g) {
      if (!testing::close(a.total[g], b.total[g])) return false;
    }
    return testing::close(a.cells, b.cells);
  }
};

// The number of terms of each feature that is a bag; 0 for the others.
inline IntVector bag_terms(const ModelPlan& plan, std::size_t features) {
  IntVector result(features, 0);
  for (const AnyPlan& bank : plan.banks) {
    if (bank->is_bag()) result[static_cast<std::size_t>(bank->features()[0])] = bank->levels()[0];
  }
  return result;
}

template <class Plan>
using ExampleOf = Example<typename Plan::Likelihood>;

// The likelihoods of the engine; a test compares this list with the engine's own.
template <class... L>
struct Likelihoods {
  static std::vector<std::string> names() { return {L::name...}; }

  // Calls visit(Example<L>()) for each likelihood L.
  template <class Visit>
  static void visit_examples(const Visit& visit) {
    (visit(Example<L>()), ...);
  }
  // Calls visit(plan) with the plan itself.
  template <class Visit>
  static void visit_plan(const AnyPlan& plan, const Visit& visit) {
    (visit_if<L>(plan, visit), ...);
  }

 private:
  template <class L0, class Visit>
  static void visit_if(const AnyPlan& plan, const Visit& visit) {
    if (plan->type() == typeid(typename L0::Plan)) visit(plan.as<typename L0::Plan>());
  }
};

using AllLikelihoods =
    Likelihoods<Gaussian, MultivariateGaussian, Categorical, JointTable, Poisson, Histogram,
                Empirical, Kernel, Gamma, NegativeBinomial, Mixture, MultivariateMixture,
                JointHistogram, Multinomial, Bernoulli, PoissonBag, GaussianBag>;

template <class Visit>
void visit_examples(const Visit& visit) {
  AllLikelihoods::visit_examples(visit);
}
template <class Visit>
void visit_plan(const AnyPlan& plan, const Visit& visit) {
  AllLikelihoods::visit_plan(plan, visit);
}

// A bank of a likelihood, with the simplest options.
struct ExampleBank {
  std::string name;
  AnyPlan plan;
  AnyOptions options;

  template <class Of>
  ExampleBank(Of, int first_feature)
      : name(Of::Plan::Likelihood::name), plan(plan_of<Of>(first_feature)) {
    Bytes nothing(nullptr, 0);
    options = Of::any_options(nothing, plan.as<typename Of::Plan>(), 2);
  }

 private:
  template <class Of>
  static typename Of::Plan plan_of(int first_feature) {
    IntVector features{first_feature};
    if (!Of::kSingle) features.push_back(first_feature + 1);
    return Of::plan(features);
  }
};

// A model of some banks.
struct ExampleModel {
  ModelPlan plan;
  std::vector<AnyOptions> options;
  int features = 0;

  // A bank of each likelihood. Each feature is in one bank.
  static ExampleModel of_all(int groups) {
    ExampleModel model;
    model.plan.groups = groups;
    visit_examples([&](auto of) { model.add(ExampleBank(of, model.features)); });
    return model;
  }

  void add(const ExampleBank& bank) {
    plan.banks.push_back(bank.plan);
    options.push_back(bank.options);
    features += bank.plan->members();
  }

  // A column for each feature: the given numbers in turn, codes with the right number of levels, or
  // the bag.
  std::vector<Column> columns(const std::vector<Column>& numbers, const std::vector<Column>& codes,
                              const Column& bag) const {
    std::vector<Column> result;
    const IntVector all = feature_levels(plan), terms = bag_terms(plan, all.size());
    for (int levels : all) {
      if (terms[result.size()] > 0) {
        result.push_back(bag);
        continue;
      }
      const auto same = [levels](const Column& column) { return column.stored_levels == levels; };
      result.push_back(levels == 0 ? numbers[result.size() % numbers.size()]
                                   : *std::find_if(codes.begin(), codes.end(), same));
    }
    return result;
  }
};

}  // namespace testing
