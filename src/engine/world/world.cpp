#include <engine/world/combinations.hpp>
#include <engine/world/world.hpp>

namespace bayesrisk {

Vector View::log_prior() const {
  Vector result;
  for (double p : prior) result.push_back(std::log(p));
  return result;
}

View view_of(const ModelPlan& plan, const std::vector<AnyParameters>& parameters,
             const Vector& prior, int features) {
  View view{plan, parameters, prior, IntVector(static_cast<std::size_t>(features)), {}};
  std::iota(view.feature.begin(), view.feature.end(), 0);
  view.level.resize(static_cast<std::size_t>(features));
  for (const AnyPlan& bank : plan.banks) {
    if (bank->reads() != Reads::codes) continue;
    for (std::size_t j = 0; j < bank->features().size(); ++j) {
      IntVector& level = view.level[static_cast<std::size_t>(bank->features()[j])];
      level.resize(static_cast<std::size_t>(bank->levels()[j]));
      std::iota(level.begin(), level.end(), 0);
    }
  }
  return view;
}

Place place_of(const ModelPlan& plan, int feature) {
  for (std::size_t b = 0; b < plan.banks.size(); ++b) {
    const IntVector& features = plan.banks[b]->features();
    const auto found = std::find(features.begin(), features.end(), feature);
    if (found != features.end()) return {b, static_cast<int>(found - features.begin())};
  }
  // A checked plan has a bank for each feature.
  throw InvalidState("a feature without a bank");
}

double power_at(const View& view, const Place& place) {
  if (!view.tempering || view.tempering->power.empty()) return 1;
  const std::vector<BlockMembers> blocks = blocks_of(view.plan);
  for (std::size_t i = 0; i < blocks.size(); ++i) {
    const bool inside = blocks[i].from <= place.member && place.member < blocks[i].to;
    if (blocks[i].bank == place.bank && inside) return view.tempering->power[i];
  }
  throw InvalidState("a feature without a block");
}

Marginal density_of(const View& view, int feature, double origin) {
  const int own = view.feature[static_cast<std::size_t>(feature)];
  if (own < 0) return Normals{{view.prior.size(), Normals::unknown()}};
  const Place place = place_of(view.plan, own);
  return view.plan.banks[place.bank]->density(view.parameters[place.bank], view.prior, place.member,
                                              origin);
}

Marginal marginal_of(const View& view, int feature, double origin) {
  Marginal marginal = density_of(view, feature, origin);
  const int own = view.feature[static_cast<std::size_t>(feature)];
  if (view.tempering && own >= 0) raise(marginal, power_at(view, place_of(view.plan, own)));
  return marginal;
}

Normals normals_of(const View& view, int feature, double origin) {
  const Marginal marginal = density_of(view, feature, origin);
  const auto* normals = std::get_if<Normals>(&marginal);
  require(normals != nullptr, "a feature that is no sum of normals");
  return *normals;
}

double origin_of(const View& world, int feature) {
  const auto found =
      std::find_if(world.prior.begin(), world.prior.end(), [](double p) { return p > 0; });
  if (found == world.prior.end()) return 0;
  const auto k = static_cast<std::size_t>(found - world.prior.begin());
  return std::visit([k](const auto& of) { return origin_of(of.classes[k]); },
                    marginal_of(world, feature, 0));
}

Plane plane_of_normals(const Normals& x, const Normals& y) {
  Plane plane;
  plane.classes.resize(x.classes.size());
  for (std::size_t k = 0; k < x.classes.size(); ++k) {
    for (const NormalComponent& a : x.classes[k]) {
      for (const NormalComponent& b : y.classes[k]) {
        const Eigen::Matrix2d factor = Eigen::Vector2d(a.sd, b.sd).asDiagonal();
        plane.classes[k].push_back(
            {a.log_weight + b.log_weight, Eigen::Vector2d(a.mean, b.mean), factor});
      }
    }
  }
  return plane;
}

PlaneTerm plane_term(const NormalView& p, const NormalView::Term& term,
                     const std::array<int, 2>& members, const Eigen::Vector2d& origin) {
  const Matrix& u = p.factor_of(term.at);
  Matrix columns(u.rows(), 2);
  Eigen::Vector2d mean;
  for (int i = 0; i < 2; ++i) {
    columns.col(i) = u.col(members[i]);
    mean[i] = ((*p.mean)(term.at, members[i]) - origin[i]) + (*p.mean_low)(term.at, members[i]);
  }
  return {term.log_weight, mean, triangle_of_rows(columns)};
}

Plane plane_of(const View& view, int first, int second, const Eigen::Vector2d& origin) {
  const auto line = [&](int feature, double from) {
    return std::get<Normals>(marginal_of(view, feature, from));
  };
  Plane plane = plane_of_normals(line(first, origin[0]), line(second, origin[1]));
  const int i = view.feature[static_cast<std::size_t>(first)];
  const int j = view.feature[static_cast<std::size_t>(second)];
  if (i < 0 || j < 0) return plane;
  const Place at = place_of(view.plan, i), beside = place_of(view.plan, j);
  const NormalView block = view.plan.banks[at.bank]->normals(view.parameters[at.bank]);
  if (!block.is_block() || at.bank != beside.bank) return plane;
  for (std::size_t k = 0; k < view.prior.size(); ++k) {
    if (view.prior[k] == 0) continue;
    plane.classes[k].clear();
    for (const auto& term : block.terms_of(static_cast<int>(k))) {
      plane.classes[k].push_back(plane_term(block, term, {at.member, beside.member}, origin));
    }
    if (view.tempering) raise(plane.classes[k], power_at(view, at));
  }
  return plane;
}

NormalComponent raised(const NormalComponent& term, double power) {
  if (power == 0) return Normals::unknown()[0];
  const double sd = term.sd / std::sqrt(power);
  return {
      power * (term.log_weight - std::log(term.sd)) + std::log(sd) + (1 - power) * kHalfLogTwoPi,
      term.mean, sd};
}

PlaneTerm raised(const PlaneTerm& term, double power) {
  if (power == 0) return {0, Eigen::Vector2d::Zero(), Eigen::Matrix2d::Identity()};
  const Eigen::Matrix2d factor = term.factor / std::sqrt(power);
  const auto log_area = [](const Eigen::Matrix2d& f) {
    return std::log(std::abs(f(0, 0))) + std::log(std::abs(f(1, 1)));
  };
  return {power * (term.log_weight - log_area(term.factor)) + log_area(factor) +
              2 * (1 - power) * kHalfLogTwoPi,
          term.mean, factor};
}

void raise(Steps::OfClass& steps, double power) {
  for (std::size_t i = 0; i < steps.log_probability.size(); ++i) {
    const double log_width = std::log(steps.edges[i + 1] - steps.edges[i]);
    double& log_probability = steps.log_probability[i];
    log_probability = power == 0 ? log_width : power * (log_probability - log_width) + log_width;
  }
}

void raise(Marginal& marginal, double power) {
  std::visit(
      [&](auto& of) {
        using Kind = std::decay_t<decltype(of)>;
        if constexpr (std::is_same_v<Kind, Normals> || std::is_same_v<Kind, Steps>) {
          for (auto& of_class : of.classes) raise(of_class, power);
        } else {
          throw InvalidState("a density that has no power in closed form");
        }
      },
      marginal);
}

namespace {

void normalise(Vector& log_probability) {
  double total = kNegativeInfinity;
  for (double p : log_probability) total = log_add(total, p);
  for (double& p : log_probability) p -= total;
}

void to_power(Normals::OfClass& terms, double power) { terms[0].sd /= std::sqrt(power); }

void to_power(Steps::OfClass& steps, double power) {
  raise(steps, power);
  normalise(steps.log_probability);
}

void to_power(Atoms::OfClass& atoms, double power) {
  for (double& p : atoms.log_probability) p *= power;
  normalise(atoms.log_probability);
}

void to_power(Gammas::OfClass& law, double power) {
  const double shape = power * (law.shape - 1) + 1;
  require(shape > 0, "a power of a gamma density without an integral");
  law = {GammaLaw(shape, power * law.rate), law.origin};
}

}  // namespace

bool to_power(Marginal& marginal, double power) {
  return std::visit(
      [&](auto& of) {
        using Kind = std::decay_t<decltype(of)>;
        if constexpr (std::is_same_v<Kind, Counts>) {
          return false;
        } else {
          if constexpr (std::is_same_v<Kind, Normals>) {
            const auto is_sum = [](const auto& terms) { return terms.size() > 1; };
            if (std::any_of(of.classes.begin(), of.classes.end(), is_sum)) return false;
          }
          for (auto& of_class : of.classes) to_power(of_class, power);
          return true;
        }
      },
      marginal);
}

double Combinations::count() const {
  double product = 1;
  for (int level : levels) product *= level;
  return product;
}

void Combinations::load(std::size_t feature, Index begin, IntVector& codes) const {
  Index step = 1;
  for (std::size_t j = 0; j < feature; ++j) step *= levels[j];
  for (std::size_t i = 0; i < codes.size(); ++i) {
    codes[i] = static_cast<int>((begin + static_cast<Index>(i)) / step % levels[feature]);
  }
}

CombinationScorer::CombinationScorer(const View& view, const Combinations& combinations)
    : view_(view),
      combinations_(combinations),
      scorer_(view.plan, view.parameters, view.prior, static_cast<Index>(combinations.count()),
              tempering_of(view)) {
  for (const AnyPlan& bank : view.plan.banks) {
    for (int feature : bank->features()) features_ = std::max(features_, feature + 1);
  }
}

Matrix CombinationScorer::log_joint(Index begin, Index count) const {
  const auto rows = static_cast<std::size_t>(count);
  const Vector numbers(rows + simd::kVectorWidth, kNaN);
  std::vector<IntVector> codes(static_cast<std::size_t>(features_));
  const Frame frame = make_frame(begin, count, numbers, codes);
  Matrix result(scorer_.classes(), count);
  Tile tile(scorer_.classes(), features_);
  for (Index first = 0; first < count; first += tile.rows) {
    tile.start(first, count);
    scorer_.add_all(frame, tile);
    scorer_.add_prior(tile);
    for (int k = 0; k < tile.classes; ++k) {
      for (int r = 0; r < tile.rows; ++r) result(k, first + r) = tile.of_class(k)[r];
    }
  }
  return result;
}

Frame CombinationScorer::make_frame(Index begin, Index count, const Vector& numbers,
                                    std::vector<IntVector>& codes) const {
  Frame frame;
  frame.rows = count;
  frame.columns.resize(static_cast<std::size_t>(features_));
  for (Column& column : frame.columns) column.real = numbers.data();
  for (const AnyPlan& bank : view_.plan.banks) {
    if (bank->reads() == Reads::codes) add_columns(*bank, begin, count, codes, frame);
  }
  return frame;
}

void CombinationScorer::add_columns(const Bank& bank, Index begin, Index count,
                                    std::vector<IntVector>& codes, Frame& frame) const {
  const IntVector& features = bank.features();
  for (std::size_t j = 0; j < features.size(); ++j) {
    const auto own = static_cast<std::size_t>(features[j]);
    codes[own].assign(static_cast<std::size_t>(count), kMissingInteger);
    fill(features[j], begin, codes[own]);
    frame.columns[own] = Column{nullptr, codes[own].data(), 0, bank.levels()[j], nullptr};
  }
}

void CombinationScorer::fill(int own, Index begin, IntVector& codes) const {
  for (std::size_t c = 0; c < combinations_.features.size(); ++c) {
    const auto feature = static_cast<std::size_t>(combinations_.features[c]);
    if (view_.feature[feature] != own) continue;
    combinations_.load(c, begin, codes);
    for (int& code : codes) {
      const int level = view_.level[feature][static_cast<std::size_t>(code)];
      code = level < 0 ? kMissingInteger : level;
    }
  }
}

}  // namespace bayesrisk
