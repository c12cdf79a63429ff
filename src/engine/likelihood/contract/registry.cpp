#include <engine/likelihood/contract/registry.hpp>

namespace bayesrisk {

struct Bernoulli;
struct Categorical;
struct Empirical;
struct Gamma;
struct Gaussian;
struct GaussianBag;
struct Histogram;
struct JointHistogram;
struct JointTable;
struct Kernel;
struct Mixture;
struct Multinomial;
struct MultivariateGaussian;
struct MultivariateMixture;
struct NegativeBinomial;
struct Poisson;
struct PoissonBag;

// Each likelihood instantiates it, see adapter.hpp.
template <class L>
std::unique_ptr<Bank> empty_bank();

namespace {

struct Entry {
  const char* name;
  std::unique_ptr<Bank> (*make)();
};

// The only list of likelihoods.
constexpr Entry kLikelihoods[] = {
    {"gaussian", empty_bank<Gaussian>},
    {"multivariate_gaussian", empty_bank<MultivariateGaussian>},
    {"categorical", empty_bank<Categorical>},
    {"joint_table", empty_bank<JointTable>},
    {"poisson", empty_bank<Poisson>},
    {"histogram", empty_bank<Histogram>},
    {"empirical", empty_bank<Empirical>},
    {"kernel", empty_bank<Kernel>},
    {"gamma", empty_bank<Gamma>},
    {"negative_binomial", empty_bank<NegativeBinomial>},
    {"mixture", empty_bank<Mixture>},
    {"multivariate_mixture", empty_bank<MultivariateMixture>},
    {"joint_histogram", empty_bank<JointHistogram>},
    {"multinomial", empty_bank<Multinomial>},
    {"bernoulli", empty_bank<Bernoulli>},
    {"poisson_bag", empty_bank<PoissonBag>},
    {"gaussian_bag", empty_bank<GaussianBag>},
};

}  // namespace

AnyPlan empty_plan(const std::string& likelihood) {
  for (const Entry& entry : kLikelihoods) {
    if (likelihood == entry.name) return AnyPlan(entry.make());
  }
  // R checks the types of the banks before.
  throw InvalidState("a bank of unknown type");
}

std::vector<std::string> likelihood_names() {
  std::vector<std::string> names;
  for (const Entry& entry : kLikelihoods) names.push_back(entry.name);
  return names;
}

}  // namespace bayesrisk
