#pragma once

#include <engine/world/world.hpp>

namespace bayesrisk {

// All combinations of the levels of some categorical features of a world. The first feature varies
// fastest. Without features there is one combination.
struct Combinations {
  IntVector features, levels;

  // A double, because the product may overflow an integer.
  double count() const {
    double product = 1;
    for (int level : levels) product *= level;
    return product;
  }

  // The levels, from 0, of one feature in the combinations from `begin` on.
  void load(std::size_t feature, Index begin, IntVector& codes) const {
    Index step = 1;
    for (std::size_t j = 0; j < feature; ++j) step *= levels[j];
    for (std::size_t i = 0; i < codes.size(); ++i) {
      codes[i] = static_cast<int>((begin + static_cast<Index>(i)) / step % levels[feature]);
    }
  }
};

// log prior + log P(combination | class) of a model for every combination of a world. Each
// combination is scored as a row whose numeric features are all missing.
class CombinationScorer {
 public:
  CombinationScorer(const View& view, const Combinations& combinations)
      : view_(view),
        combinations_(combinations),
        scorer_(view.plan, view.parameters, view.prior, static_cast<Index>(combinations.count()),
                tempering_of(view)) {
    for (const AnyPlan& bank : view.plan.banks) {
      const IntVector& features =
          std::visit([](const auto& p) -> const IntVector& { return p.features; }, bank);
      for (int feature : features) features_ = std::max(features_, feature + 1);
    }
  }

  // The log joint as a matrix, classes x combinations.
  Matrix log_joint(Index begin, Index count) const {
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

 private:
  Frame make_frame(Index begin, Index count, const Vector& numbers,
                   std::vector<IntVector>& codes) const {
    Frame frame;
    frame.rows = count;
    frame.columns.resize(static_cast<std::size_t>(features_));
    for (Column& column : frame.columns) column.real = numbers.data();
    for (std::size_t b = 0; b < view_.plan.banks.size(); ++b) {
      std::visit([&](const auto& plan) { add_columns(plan, begin, count, codes, frame); },
                 view_.plan.banks[b]);
    }
    return frame;
  }

  template <class Plan>
  void add_columns(const Plan& plan, Index begin, Index count, std::vector<IntVector>& codes,
                   Frame& frame) const {
    if constexpr (Plan::reads_codes) {
      for (std::size_t j = 0; j < plan.features.size(); ++j) {
        const auto own = static_cast<std::size_t>(plan.features[j]);
        codes[own].assign(static_cast<std::size_t>(count), kMissingInteger);
        fill(plan.features[j], begin, codes[own]);
        frame.columns[own] = Column{nullptr, codes[own].data(), 0, plan.levels[j], nullptr};
      }
    }
  }

  void fill(int own, Index begin, IntVector& codes) const {
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

  const View& view_;
  const Combinations& combinations_;
  Scorer scorer_;
  int features_ = 0;
};

}  // namespace bayesrisk
