#pragma once

#include <engine/core/line_vector.hpp>
#include <engine/core/types.hpp>
#include <engine/simd/tile_loops.hpp>

namespace bayesrisk {

// The lower triangle of QQ' for a quotient Q = rows U^-1, where U is an upper triangle. The rows
// are whole vectors.
Matrix products_of_quotient(const Matrix& rows, const Matrix& u);

}  // namespace bayesrisk
