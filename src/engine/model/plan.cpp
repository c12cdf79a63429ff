#include <engine/model/checks.hpp>
#include <engine/model/draw.hpp>
#include <engine/model/model_statistics.hpp>
#include <engine/model/plan.hpp>
#include <engine/model/tempering.hpp>

namespace bayesrisk {

std::vector<BlockMembers> blocks_of(const ModelPlan& plan) {
  std::vector<BlockMembers> blocks;
  for (std::size_t b = 0; b < plan.banks.size(); ++b) {
    const int count = plan.banks[b]->blocks();
    const int size = plan.banks[b]->members() / count;  // all of a joint block, or one feature
    for (int i = 0; i < count; ++i) blocks.push_back({b, i * size, (i + 1) * size});
  }
  return blocks;
}

IntVector features_of(const ModelPlan& plan, const BlockMembers& block) {
  const IntVector& features = plan.banks[block.bank]->features();
  return IntVector(features.begin() + block.from, features.begin() + block.to);
}

IntVector feature_levels(const ModelPlan& plan) {
  constexpr int kNew = -1;
  IntVector result;
  for (const AnyPlan& bank : plan.banks) {
    const bool codes = bank->reads() == Reads::codes;
    for (int j = 0; j < bank->members(); ++j) {
      const auto feature = static_cast<std::size_t>(bank->features()[j]);
      if (feature >= result.size()) result.resize(feature + 1, kNew);
      const int levels = codes ? bank->levels()[j] : 0;
      require(!codes || levels > 0, "levels: none");
      require(result[feature] == kNew || result[feature] == levels, "levels: not the same");
      result[feature] = levels;
    }
  }
  std::replace(result.begin(), result.end(), kNew, 0);
  return result;
}

int levels_of(const ModelPlan& plan, int feature) {
  const IntVector levels = feature_levels(plan);
  require(feature < static_cast<int>(levels.size()), "a feature without a bank");
  return levels[static_cast<std::size_t>(feature)];
}

ClassStatistics ClassStatistics::of_groups(int first, int count) const {
  ClassStatistics part;
  part.weight.assign(weight.begin() + first, weight.begin() + first + count);
  part.rows.assign(rows.begin() + first, rows.begin() + first + count);
  return part;
}

void ClassStatistics::merge(const ClassStatistics& other) {
  for (std::size_t g = 0; g < weight.size(); ++g) {
    weight[g] += other.weight[g];
    rows[g] += other.rows[g];
  }
}

namespace {

bool is_one_of(const std::string& name, std::initializer_list<const char*> names) {
  return std::find(names.begin(), names.end(), name) != names.end();
}

}  // namespace

void StatisticsScaler::operator()(const char* name, Matrix& field) {
  if (!is_one_of(name, {"mean", "mean_low", "rows"})) field *= factor_;
}

void StatisticsScaler::operator()(const char* name, Vector& field) {
  if (is_one_of(name, {"rows", "missing"})) return;
  for (double& x : field) x *= factor_;
}

void StatisticsScaler::operator()(const char* name, std::vector<Matrix>& field) {
  const bool triangle = is_one_of(name, {"triangle"});
  for (Matrix& m : field) {
    if (triangle) {
      m *= std::sqrt(factor_);
    } else if (m.cols() > 0) {
      m.col(m.cols() - 1) *= factor_;
    }
  }
}

void ModelStatistics::scale(double factor) {
  StatisticsScaler scaler(factor);
  ClassStatistics::fields(classes, scaler);
  for (AnyStatistics& bank : banks) bank.edit(scaler);
}

void ModelStatistics::merge(const ModelPlan& plan, const ModelStatistics& other,
                            const Context& context) {
  classes.merge(other.classes);
  for (std::size_t b = 0; b < banks.size(); ++b) {
    context.check();
    plan.banks[b]->merge(banks[b], other.banks[b]);
  }
}

ModelStatistics ModelStatistics::of_groups(const ModelPlan& plan, int first, int count) const {
  ModelStatistics part;
  part.classes = classes.of_groups(first, count);
  for (std::size_t b = 0; b < banks.size(); ++b) {
    part.banks.push_back(plan.banks[b]->of_groups(banks[b], first, count));
  }
  return part;
}

ModelStatistics realign(const ModelPlan& plan, const ModelStatistics& statistics,
                        const ModelPlan& target, const Mapping& mapping, const IntVector& bank) {
  ModelStatistics result(target);
  for (std::size_t g = 0; g < mapping.group.size(); ++g) {
    result.classes.weight[mapping.group[g]] = statistics.classes.weight[g];
    result.classes.rows[mapping.group[g]] = statistics.classes.rows[g];
  }
  for (std::size_t b = 0; b < plan.banks.size(); ++b) {
    if (bank[b] < 0) continue;
    const auto place = static_cast<std::size_t>(bank[b]);
    result.banks[place] =
        plan.banks[b]->realign(statistics.banks[b], *target.banks[place], mapping);
  }
  return result;
}

void Tempering::check(const ModelPlan& plan) const {
  if (empty()) return;
  require(power.size() == blocks_of(plan).size(), "temper: wrong number of powers");
  require(static_cast<int>(offset.size()) == plan.groups, "temper: wrong number of offsets");
  for (double p : power) require(p >= 0 && std::isfinite(p), "temper: a power is wrong");
  for (double b : offset) require(std::isfinite(b), "temper: an offset is wrong");
}

void check_plan(const ModelPlan& plan, int features) {
  require(plan.groups >= 1, "no classes");
  for (const AnyPlan& bank : plan.banks) {
    require(!bank->features().empty(), "a bank without features");
    for (int feature : bank->features()) {
      require(feature >= 0 && feature < features, "a bank names a feature that is not there");
    }
    bank->check();
  }
}

void check_classes(const ModelPlan& plan, const ClassStatistics& classes) {
  require(static_cast<int>(classes.weight.size()) == plan.groups &&
              static_cast<int>(classes.rows.size()) == plan.groups,
          "classes: wrong length");
}

void require_codes(const ModelPlan& plan, const Frame& frame) {
  for (const AnyPlan& bank : plan.banks) {
    const Reads reads = bank->reads();
    for (int feature : bank->features()) {
      const Column& column = frame.columns[feature];
      require(column.is_bag() == (reads == Reads::bag), "frame: a matrix for a vector");
      require(reads != Reads::codes || column.integer != nullptr,
              "frame: codes that are no integers");
    }
  }
}

void require_sound(const ModelPlan& plan, const std::vector<AnyParameters>& parameters,
                   const Vector& prior) {
  for (std::size_t b = 0; b < parameters.size(); ++b) {
    for (std::size_t k = 0; k < prior.size(); ++k) {
      require(prior[k] <= 0 || plan.banks[b]->sound(parameters[b], static_cast<int>(k)),
              "parameters that are not those of a distribution");
    }
  }
}

void check_mapping(const Mapping& mapping, int groups, int target_features) {
  require(static_cast<int>(mapping.group.size()) == groups, "mapping: wrong number of classes");
  require(mapping.level.size() == mapping.feature.size(), "mapping: wrong number of features");
  require_places(mapping.group, 0, mapping.groups);
  require_places(mapping.feature, -1, target_features);
}

void check_moved_banks(const ModelPlan& plan, const ModelPlan& target, const Mapping& mapping,
                       const IntVector& bank) {
  require(bank.size() == plan.banks.size(), "mapping: wrong number of banks");
  require_places(bank, -1, static_cast<int>(target.banks.size()));
  for (std::size_t b = 0; b < plan.banks.size(); ++b) {
    if (bank[b] < 0) continue;
    const Bank &from = *plan.banks[b], &to = *target.banks[bank[b]];
    require(from.type() == to.type(), "mapping: another bank");
    if (!from.has_levels()) continue;
    const IntVector member = mapping.members(from.features(), to.features());
    for (int j = 0; j < from.members(); ++j) {
      if (member[j] < 0) continue;
      const IntVector& level = mapping.level[from.features()[j]];
      require(static_cast<int>(level.size()) == from.levels()[j], "mapping: wrong levels");
      require_places(level, 0, to.levels()[member[j]]);
    }
  }
}

Drawer::Drawer(const ModelPlan& plan, const std::vector<AnyParameters>& parameters)
    : levels_(feature_levels(plan)) {
  for (std::size_t b = 0; b < plan.banks.size(); ++b) {
    banks_.push_back(plan.banks[b]->drawer(parameters[b]));
    uniforms_ += banks_.back()->uniforms();
  }
}

void Drawer::draw(int k, const double* u, Index row, DrawnRows& to) const {
  for (const auto& bank : banks_) {
    bank->draw(k, u, row, to);
    u += bank->uniforms();
  }
}

}  // namespace bayesrisk
