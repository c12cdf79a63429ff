#pragma once

#include <engine/evaluation/low_rank.hpp>

#include <Eigen/LU>
#include <functional>
#include <memory>

namespace bayesrisk {

// A concave function, usually a log likelihood, with its gradient, and with its information, minus
// its Hessian, if it is asked for: as a matrix or, if it has few terms, by these.
struct LogLikelihood {
  double value = 0;
  Eigen::VectorXd gradient;
  Matrix information;
  LowRank terms;

  explicit LogLikelihood(Index size = 0, bool informed = true)
      : gradient(Eigen::VectorXd::Zero(size)) {
    if (informed) information = Matrix::Zero(size, size);
  }
  void merge(const LogLikelihood& other);
};

// The first variables are at least 0, the sum of the last ones stays, and one of them may be held.
// Information by terms holds none, and its root adds up to 0 over the last variables.
struct Limits {
  int floored, summed_from, held = -1;

  bool has_floor(Index k) const { return k < floored; }
  bool is_summed(Index k) const { return k >= summed_from; }
};

// Solves equations with an information matrix. Those of the last open variables stay factorised.
class Curvature {
 public:
  explicit Curvature(Matrix information, int summed_from = 0)
      : information_(std::move(information)), summed_from_(summed_from) {}

  explicit Curvature(LowRank terms) : terms_(std::move(terms)), summed_from_(0) {}

  // Empty if the information is known by its terms.
  const Matrix& information() const { return information_; }

  // Null if the information is a matrix.
  LowRank* terms() { return terms_.empty() ? nullptr : &terms_; }

  // The information matrix times x.
  Eigen::VectorXd times(const Eigen::VectorXd& x) const;

  // The x of the open variables with information * x = right, plus a constant for those whose sum
  // is `sum`. The ridge keeps variables that say nothing, or the same, where they are.
  Eigen::VectorXd solve(const IntVector& open, const Eigen::VectorXd& right, double sum);

 private:
  void factorise(const IntVector& open);

  Matrix information_;
  LowRank terms_;
  int summed_from_;
  double unit_ = 1;
  IntVector open_{-1};
  Eigen::PartialPivLU<Matrix> factors_;
};

// The step that maximises a concave quadratic, gradient'd - d'information d / 2, within the limits:
// an active set.
class QuadraticStep {
 public:
  // `check` is called at times: see Context.
  QuadraticStep(const Eigen::VectorXd& from, const Eigen::VectorXd& gradient, Curvature& curvature,
                const Limits& limits, std::function<void()> check);

  Eigen::VectorXd find();

 private:
  // Walks to the maximum over the open variables, or until one becomes 0, which closes it. Returns
  // whether the maximum is reached.
  bool walk();

  void find_slope() { slope_ = gradient_ - curvature_.information() * (to_ - from_); }

  // The largest slope of the open variables whose sum stays.
  double level() const;

  // Opens the closed variable that should grow most. Returns whether there is one.
  bool open_best();

  const Eigen::VectorXd &from_, &gradient_;
  Curvature& curvature_;
  const Limits limits_;
  const std::function<void()> check_;
  const int size_;
  Eigen::VectorXd to_, slope_;
  std::vector<char> open_;
};

struct Maximum {
  Eigen::VectorXd x;
  LogLikelihood at;                      // of x, without the information
  std::shared_ptr<Curvature> curvature;  // of x, or of a place nearby
  double decrement = 0;                  // twice what the last step promised
  int iterations = 0;
};

// Maximises a concave function by Newton's method with line search. As long as steps are short, and
// the decrement falls fast, a step costs a gradient: the curvature nearby serves.
class Newton {
 public:
  using Function = std::function<LogLikelihood(const Eigen::VectorXd& x, bool informed)>;
  static constexpr double kRounding = 1e-13;

  struct Stop {
    std::function<bool(const Maximum&)> done;   // before a step
    double relative = kRounding, absolute = 0;  // the decrement of the last step
  };

  // `near`: the relative length of a short step.
  Newton(Function function, const Limits& limits, double near, std::function<void()> check)
      : function_(std::move(function)), limits_(limits), near_(near), check_(std::move(check)) {}

  // `nearby`: null, or the curvature of a place nearby.
  Maximum climb(const Eigen::VectorXd& start, const std::shared_ptr<Curvature>& nearby,
                const Stop& stop) const;

 private:
  static constexpr int kMostIterations = 1000;
  // The relative length of a last step, and a fall of the decrement.
  static constexpr double kShort = 1e-3, kFast = 0.1;

  void renew(Maximum& best) const { put(best.x, function_(best.x, true), best); }

  void put(const Eigen::VectorXd& x, LogLikelihood found, Maximum& best) const;

  Eigen::VectorXd step_from(const Maximum& best) const;

  // What a step promises to first order.
  double rise(const Eigen::VectorXd& step, const Maximum& best) const;

  // The last step, which is too short to need the function at its end.
  static void finish(const Eigen::VectorXd& step, Maximum& best);

  // Moves along the step, or a part of it, if the function grows.
  bool move(const Eigen::VectorXd& step, bool informed, Maximum& best) const;

  Function function_;
  Limits limits_;
  double near_;
  std::function<void()> check_;
};

}  // namespace bayesrisk
