#include <engine/simd/tile_loops.hpp>

#include <cstdlib>

namespace bayesrisk {
namespace simd {

namespace baseline {
typedef double Lanes __attribute__((vector_size(16), aligned(8), may_alias));
typedef unsigned long long LaneBits __attribute__((vector_size(16), aligned(8), may_alias));
#include <engine/simd/tile_loops_body.hpp>

#include <engine/simd/decision_loops_body.hpp>
#include <engine/simd/moment_loops_body.hpp>
#include <engine/simd/posterior_loops_body.hpp>
#include <engine/simd/scatter_loops_body.hpp>
#include <engine/simd/score_loops_body.hpp>
#include <engine/simd/solve_loops_body.hpp>
#include <engine/simd/symmetric_loops_body.hpp>
#include <engine/simd/table_loops_body.hpp>

#include <engine/simd/cell_loops_body.hpp>
}  // namespace baseline

#ifdef BAYESRISK_AVX2
#pragma GCC push_options
#pragma GCC target("avx2,fma")
namespace avx2 {
typedef double Lanes __attribute__((vector_size(32), aligned(8), may_alias));
typedef unsigned long long LaneBits __attribute__((vector_size(32), aligned(8), may_alias));
typedef int LaneCodes __attribute__((vector_size(16), aligned(4), may_alias));
#define BAYESRISK_LANE_CODES
#include <engine/simd/tile_loops_body.hpp>

#include <engine/simd/decision_loops_body.hpp>
#include <engine/simd/moment_loops_body.hpp>
#include <engine/simd/posterior_loops_body.hpp>
#include <engine/simd/scatter_loops_body.hpp>
#include <engine/simd/score_loops_body.hpp>
#include <engine/simd/solve_loops_body.hpp>
#include <engine/simd/symmetric_loops_body.hpp>
#include <engine/simd/table_loops_body.hpp>

#include <engine/simd/cell_loops_body.hpp>
#undef BAYESRISK_LANE_CODES
}  // namespace avx2
#pragma GCC pop_options
#endif

// The loops of one namespace, in the order of TileLoops.
#define BAYESRISK_LOOPS(set)                                                             \
  {                                                                                      \
    set::add_exponentials, set::find_least, set::take_distributions, set::weigh_actions, \
        set::find_first, set::find_second, set::write_quotients, set::write_codes,       \
        set::all_finite, set::add_standardized_squares, set::add_known_squares,          \
        set::add_half_squares, set::add_known_half_squares, set::choose_classes,         \
        set::add_normal_moments, set::negate_log_joints, set::write_posterior,           \
        set::choose_actions, set::solve_triangles, set::solve_known, set::divide_rows,   \
        set::reflect_symmetric, set::add_moments, set::pack_panel, set::add_rows,        \
        set::add_products, set::add_outer, set::add_slots, set::add_table_rows,          \
        set::add_term_cells, set::all_inside, set::count_descents                        \
  }

constexpr TileLoops kBaseline BAYESRISK_LOOPS(baseline);

const TileLoops& tile_loops() {
#ifdef BAYESRISK_AVX2
  static constexpr TileLoops kAvx2 BAYESRISK_LOOPS(avx2);
  static const bool wide = __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma");
  if (wide && !std::getenv("BAYESRISK_BASELINE")) return kAvx2;
#endif
  return kBaseline;
}

#undef BAYESRISK_LOOPS

}  // namespace simd
}  // namespace bayesrisk
