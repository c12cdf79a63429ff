#include <engine/core/diagnostics.hpp>
#include <engine/model/scorer.hpp>
#include <engine/strategy/panel_law.hpp>

namespace bayesrisk {

namespace {

// The members of a block that are measured. A feature with one value in all rows says nothing.
IntVector members_of(const NormalView& block, const IntVector& features) {
  IntVector members;
  for (int feature : features) {
    const auto found = std::find(block.features->begin(), block.features->end(), feature);
    require(found != block.features->end(), "a panel of several blocks");
    const auto j = static_cast<int>(found - block.features->begin());
    if (!(*block.left_out)[j]) members.push_back(j);
  }
  return members;
}

}  // namespace

PanelLaw::PanelLaw(const View& view, const Frame& frame, Index row, const IntVector& features,
                   const std::vector<char>& possible)
    : possible_(std::count(possible.begin(), possible.end(), 1)) {
  const Place place = place_of(view.plan, features[0]);
  const NormalView block = view.plan.banks[place.bank]->normals(view.parameters[place.bank]);
  require(block.is_block(), "a panel of numbers that are no normals");
  const IntVector members = members_of(block, features);
  if (members.empty() || possible_ == 0) return;
  // Means are relative to those of a class, which keeps their digits.
  const auto first = std::find(possible.begin(), possible.end(), 1) - possible.begin();
  const int at = block.terms_of(static_cast<int>(first))[0].at;
  Eigen::VectorXd origin(static_cast<Index>(members.size()));
  for (Index i = 0; i < origin.size(); ++i) {
    origin[i] = (*block.mean)(at, members[static_cast<std::size_t>(i)]);
  }
  const KnownMembers known(*block.features, frame, row, kAll);
  terms_.resize(possible.size());
  for (std::size_t k = 0; k < possible.size(); ++k) {
    if (!possible[k]) continue;
    terms_[k] = conditional_terms(block, static_cast<int>(k), members, known, origin);
  }
}

std::shared_ptr<const RatioTest> PanelLaw::ratio() const {
  IntVector single;
  for (std::size_t k = 0; k < terms_.size(); ++k) {
    if (terms_[k].size() == 1) single.push_back(static_cast<int>(k));
  }
  if (possible_ != 2 || single.size() != 2) return nullptr;
  const auto given = [&](int k) { return terms_[static_cast<std::size_t>(k)][0].given; };
  return std::make_shared<RatioTest>(given(single[0]), given(single[1]), single[0], single[1],
                                     static_cast<Index>(terms_.size()));
}

Eigen::VectorXd block_log_density(const View& view, const Frame& frame, Index row, int feature) {
  const Place place = place_of(view.plan, feature);
  const auto size = static_cast<int>(view.plan.banks[place.bank]->features().size());
  const Scorer scorer(view.plan, view.parameters, view.prior, frame.rows);
  Tile tile(scorer.classes(), static_cast<int>(frame.columns.size()));
  tile.start(row, row + 1);
  scorer.add_members(frame, {place.bank, 0, size}, tile);
  Eigen::VectorXd result(tile.classes);
  for (int k = 0; k < tile.classes; ++k) result[k] = tile.of_class(k)[0];
  return result;
}

}  // namespace bayesrisk
