#pragma once

#include <engine/core/types.hpp>
#include <engine/likelihood/contract/state.hpp>
#include <engine/likelihood/contract/views.hpp>

#include <memory>
#include <string>
#include <variant>

namespace bayesrisk {

// The contract mentions these names and does not use them.
struct Atoms;
struct Chunk;
struct Context;
struct Counts;
struct Frame;
struct Gammas;
struct Mapping;
struct Moments;
struct Normals;
struct Overlap;
struct Scatter;
struct Steps;
class BankTilt;
class Diagnostics;
class DrawnRows;
class RandomLaws;
struct Classes;
struct Tile;

using Marginal = std::variant<Normals, Counts, Steps, Atoms, Gammas>;

// The hyperparameters of the posterior of a bank's parameters, apart from its centre, the estimate:
// see posterior/draws.hpp.
struct Hyperparameters {
  Matrix weight{};     // groups x blocks. Empty or 0: no posterior, the parameters count as known
  Matrix freedom{};    // likewise: degrees of freedom of a variance or a covariance; of a Poisson
                       // rate the size of its negative binomial distribution
  IntVector shared{};  // of single variances: whether that of a block is one for all groups

  template <class Self, class Visitor>
  static void fields(Self& self, Visitor& visit) {
    visit("weight", self.weight);
    visit("freedom", self.freedom);
    visit("shared", self.shared);
  }
  bool known() const { return weight.size() == 0; }
  bool is_shared(Index block) const {
    return !shared.empty() && shared[static_cast<std::size_t>(block)] != 0;
  }
  void check(int groups, int blocks, bool has_freedom) const {
    require(known() || has_shape(weight, groups, blocks), "hyperparameters: wrong dimensions");
    require(freedom.size() == 0 || has_shape(freedom, groups, blocks),
            "hyperparameters: wrong dimensions");
    require(!has_freedom || freedom.size() == weight.size(),
            "hyperparameters: no degrees of freedom");
    require(!has_freedom || !known(), "hyperparameters: none");
    require(shared.empty() || static_cast<int>(shared.size()) == blocks,
            "hyperparameters: wrong length");
  }
};

// A bank of the model of all groups, whose cases a group may add to its own rows.
struct MergedBank {
  const AnyStatistics& statistics;
  const AnyParameters& parameters;
};

// Adds the log likelihood of members [from, to) of a bank to a tile of rows.
class BankScorer {
 public:
  virtual ~BankScorer() = default;
  virtual void add(const Frame& frame, int from, int to, Tile& tile) const = 0;
};

// Draws the features of a bank given the class.
class BankDrawer {
 public:
  virtual ~BankDrawer() = default;
  virtual int uniforms() const = 0;  // the count of numbers in (0, 1) for a row
  virtual void draw(int k, const double* uniform, Index row, DrawnRows& to) const = 0;
};

enum class Reads { numbers, codes, bag };

// The contract of a likelihood: a bank, the features that share a plan of this likelihood. The rest
// of the engine knows no more. adapter.hpp makes it of the parts of a likelihood; what a likelihood
// cannot do, it says there (Unsupported).
class Bank {
 public:
  virtual ~Bank() = default;
  virtual std::unique_ptr<Bank> clone() const = 0;
  virtual const char* name() const = 0;  // of the likelihood

  // The plan.
  virtual Reads reads() const = 0;
  virtual const IntVector& features() const = 0;
  virtual IntVector& features() = 0;
  virtual const IntVector& levels() const = 0;  // of each member, terms of a bag; numbers: empty
  virtual int members() const = 0;
  virtual int blocks() const = 0;  // independent parts
  virtual void check() const = 0;
  virtual void read(FieldReader& reader) const = 0;
  virtual void edit(FieldEditor& editor) = 0;
  virtual const std::type_info& type() const = 0;
  virtual void* address() = 0;

  // States to be filled, and checks of states that come from outside.
  virtual AnyOptions empty_options() const = 0;
  virtual AnyStatistics empty_statistics() const = 0;
  virtual AnyParameters empty_parameters() const = 0;
  virtual void check(const AnyOptions& options, int groups) const = 0;
  virtual void check(const AnyStatistics& statistics, int groups) const = 0;
  virtual void check(const AnyParameters& parameters, int groups) const = 0;
  virtual void check(const Hyperparameters& hyperparameters, int groups) const = 0;

  // Statistics.
  virtual AnyStatistics statistics(int groups) const = 0;  // of no rows
  virtual void renew(AnyStatistics& statistics, int groups) const = 0;
  virtual void collect(AnyStatistics& statistics, const Frame& frame, const Chunk& chunk,
                       Diagnostics& diagnostics) const = 0;
  // Collects the statistics of a bag from all rows.
  virtual AnyStatistics collect_terms(const Frame& frame, const Chunk& rows, const Context& context,
                                      Diagnostics& diagnostics) const = 0;
  virtual void merge(AnyStatistics& statistics, const AnyStatistics& other) const = 0;
  virtual AnyStatistics of_groups(const AnyStatistics& statistics, int first, int count) const = 0;
  virtual AnyStatistics realign(const AnyStatistics& statistics, const Bank& target,
                                const Mapping& mapping) const = 0;
  // Only blocks of numbers have a scatter; the others return null.
  virtual bool has_scatter() const = 0;
  virtual Scatter* scatter(AnyStatistics& statistics) const = 0;
  virtual const Moments* moments(const AnyStatistics& statistics) const = 0;  // single numbers
  virtual TableView table(const AnyStatistics& statistics) const = 0;
  // A joint block counts the rows that miss `fewest_missing()` features or more; 0: it does not.
  virtual int fewest_missing() const = 0;
  virtual void set_incomplete(AnyStatistics& statistics, const Vector& of_feature,
                              double rows) const = 0;
  // Whether the features have a spread that a class can borrow. Then groups can be exchanged.
  virtual bool lends_spread() const = 0;
  virtual void copy_group(const AnyStatistics& from, int group, AnyStatistics& to,
                          int place) const = 0;

  // Pooling: the statistics of a group with those of some cases of the merged model in each class,
  // for each block: 0 of them, or infinitely many, which leaves the merged statistics. Only where
  // `pools()` may their number lie between, and there is the log marginal likelihood of the rows of
  // several groups under the conjugate prior that these cases are.
  virtual bool pools() const = 0;
  virtual AnyStatistics with_cases(const AnyStatistics& statistics, const MergedBank& merged,
                                   const AnyOptions& options, const Vector& cases) const = 0;
  // The options of such a group: the merged model has been smoothed and shrunk, so its cases are
  // not shrunk once more.
  virtual AnyOptions options_with_cases(const AnyOptions& options, const Vector& cases) const = 0;
  virtual double log_marginal(const std::vector<const AnyStatistics*>& groups,
                              const MergedBank& merged, const AnyOptions& options, int block,
                              double cases) const = 0;

  // Parameters.
  virtual AnyParameters estimate(const AnyStatistics& statistics, const AnyOptions& options,
                                 const Classes& classes, Diagnostics& diagnostics) const = 0;
  virtual bool sound(const AnyParameters& parameters, int group) const = 0;
  virtual double log_likelihood(const AnyStatistics& statistics,
                                const AnyParameters& parameters) const = 0;
  virtual double parameter_count(const AnyOptions& options, const AnyParameters& parameters,
                                 int classes) const = 0;

  // Scores and draws. They refer to the bank and to the parameters. A scorer that has lookup tables
  // is told the number of rows.
  virtual std::unique_ptr<BankScorer> scorer(const AnyParameters& parameters, Index rows) const = 0;
  virtual std::unique_ptr<BankScorer> predictive_scorer(const AnyParameters& centre,
                                                        const Hyperparameters& hyperparameters,
                                                        Index rows) const = 0;
  // Scores a bag by several models: see HeldOutBags.
  virtual std::unique_ptr<BankScorer> scorer_of_models(
      const std::vector<const AnyParameters*>& models) const = 0;
  virtual std::unique_ptr<BankDrawer> drawer(const AnyParameters& parameters) const = 0;

  // The density of one member in each class, relative to an origin. A class of prior 0 has none.
  virtual Marginal density(const AnyParameters& parameters, const Vector& prior, int member,
                           double origin) const = 0;
  // The density given the other members in a row, for joint histograms.
  virtual bool has_conditional() const = 0;
  virtual Marginal conditional_density(const AnyParameters& parameters, const Vector& prior,
                                       const Frame& frame, Index row, int member,
                                       double origin) const = 0;
  virtual NormalView normals(const AnyParameters& parameters) const = 0;
  virtual Index cells(const AnyParameters& parameters) const = 0;  // of a table; 0: no table
  virtual void add_overlap(const AnyParameters& parameters, int one, int other,
                           Overlap& overlap) const = 0;
  virtual std::unique_ptr<BankTilt> tilt(const AnyParameters& parameters, int i, int j) const = 0;
  // The parameters by which single terms of a bag are scored.
  virtual void prepare_for_terms(AnyParameters& parameters) const = 0;

  // The posterior of the parameters.
  virtual AnyOptions unbiased(const AnyOptions& options) const = 0;
  virtual Hyperparameters hyperparameters(const AnyStatistics& statistics,
                                          const AnyOptions& unbiased, const AnyParameters& centre,
                                          const Classes& classes,
                                          Diagnostics& diagnostics) const = 0;
  virtual void draw_parameters(const Hyperparameters& hyperparameters, RandomLaws& random,
                               AnyParameters& parameters) const = 0;

  bool has_levels() const { return reads() != Reads::numbers; }
  bool is_bag() const { return reads() == Reads::bag; }
};

// The bank of a plan; each likelihood instantiates it.
template <class Plan>
std::unique_ptr<Bank> bank_of(Plan plan);

// The plan of any bank: a value, whose copy has its own data.
class AnyPlan {
 public:
  template <class Plan, class = typename Plan::Likelihood>
  AnyPlan(Plan plan) : bank_(bank_of(std::move(plan))) {}
  explicit AnyPlan(std::unique_ptr<Bank> bank) : bank_(std::move(bank)) {}
  AnyPlan(const AnyPlan& other) : bank_(other.bank_->clone()) {}
  AnyPlan(AnyPlan&&) noexcept = default;
  AnyPlan& operator=(AnyPlan other) noexcept {
    bank_ = std::move(other.bank_);
    return *this;
  }
  ~AnyPlan() = default;

  const Bank* operator->() const { return bank_.get(); }
  Bank* operator->() { return bank_.get(); }
  const Bank& operator*() const { return *bank_; }

  // The plan, which must have this type.
  template <class Plan>
  Plan& as() {
    require(bank_->type() == typeid(Plan), "a bank of another likelihood");
    return *static_cast<Plan*>(bank_->address());
  }
  template <class Plan>
  const Plan& as() const {
    return const_cast<AnyPlan*>(this)->as<Plan>();
  }

 private:
  std::unique_ptr<Bank> bank_;
};

}  // namespace bayesrisk
