#pragma once

#include <engine/simd/lanes.hpp>

// The loops are also compiled for AVX2 and FMA. These versions are chosen if the processor supports
// both. Windows is excluded, because GCC does not align such vectors on the stack there.
#if defined(__x86_64__) && defined(__GNUC__) && !defined(__clang__) && !defined(_WIN32)
#define BAYESRISK_AVX2
#endif

namespace bayesrisk {
namespace simd {

// Numbers from `low` to `high`: whole ones if `rounder` is 2^52, all if it is 0.
struct NumberRange {
  double low, high, rounder;
};

// The cells of one term of a sparse matrix, from the row `first` on and up to the first row that
// is `stop` or more. `presence`: a value that is not 0 stands for 1. `model`: of each row from
// `first` on, which of several rows of coefficients is its own; null: there is one.
struct TermCells {
  const int* row;
  const double* value;
  int count, first, stop;
  NumberRange range;
  bool presence;
  const unsigned short* model;
};

// The parameters of a class: an upper triangle by column, the inverses of its diagonal, and the
// mean of each column in two parts. If `apart` is given, nothing is solved: the class shares the
// triangle of the last solved class, and its z is that of the solved class minus `apart`.
struct TriangleOfClass {
  const double *factor, *inverse_diagonal, *mean, *low;
  const double* apart = nullptr;
  const double* across = nullptr;  // see MissingSpan
};

// The members that are missing in any row of a strip.
struct MissingMembers {
  const int* members;
  int count;
};
constexpr int kStripRows = 16;  // at most, and whole vectors
constexpr int kSolveScratch = 2 * kStripRows;

// Rows of a group, packed in panels of kPanel columns, `distance` numbers apart: within a
// panel the numbers of a row stand side by side.
constexpr int kPanel = 4;
struct PackedRows {
  const double* numbers;
  int distance, rows;
};

constexpr int kMostAtOnce = 4;  // classes of write_posterior()

// Costs of at most kMostRough classes that are the same in all rows, in a unit in which the largest
// is at most 1. `of`: the costs of an action stand side by side. `most`: the largest absolute cost
// of each class. `faint`: twice the sum of `most` times kFaintestWeight, exp(-30): weights
// below it may change two expected costs by this.
constexpr int kMostRough = 32;
constexpr float kFaintestWeight = 9.36e-14f;
struct RoughCosts {
  const float *of, *most;
  int actions;
  float faint;
};

// The numbers that each slot of add_moments() has for each column.
enum MomentPart { kShift, kSum, kSquare, kKnown, kMomentParts };

// The numbers of add_normal_moments().
constexpr int kNormalMoments = 8;

// The number of classes in a row of a table, padded to whole vectors.
inline int padded_classes(int classes) { return (classes + 3) / 4 * 4; }

// Loops over the rows of a tile. Columns stand side by side, `stride` numbers each; their rows are
// padded to whole vectors.
struct TileLoops {
  // y[r] = exp(top[r] - x[r]), with top <= x; 0 if x is infinite or the difference is NaN. Adds
  // y[r] to sum[r], unless y[r] is below the least normal double.
  void (*add_exponentials)(const double* top, const double* x, int rows, double* y, double* sum);

  // The least number of each row; NaN if a number of the row is NaN.
  void (*find_least)(const double* x, int count, int stride, int rows, double* least);

  // Copies x to y, column by column, and sums over columns. Returns whether each row is a
  // distribution: no number below 0, and a sum of 1. The next numbers are prefetched explicitly,
  // because a tile is too short for the processor to predict them.
  bool (*take_distributions)(const double* const* x, int count, int stride, int rows,
                             double tolerance, double* y, double* sum);

  // For each action (a column) the sum over classes of cost * x, and the largest of these sums, or
  // 0 if all are negative. `cost`: the costs of an action stand side by side.
  void (*weigh_actions)(const double* x, int classes, int stride, const double* cost, int actions,
                        int rows, double* sum, double* largest);

  // The index, from 0, of the first column whose value is at most `limit`; 0 if there is none. Here
  // band = share * size, and limit = least + band. `size` and `band` may be the same array.
  void (*find_first)(const double* x, int count, int stride, int rows, const double* least,
                     const double* size, double share, double* band, double* limit, double* first);

  // Among all columns but `taken`: the least number, and the first column that exceeds it by at
  // most the band. There are two or more columns.
  void (*find_second)(const double* x, int count, int stride, int rows, const double* taken,
                      const double* band, double* least, double* second);

  // y[r] = x[r] / by[r]; any number of rows, y may be x.
  void (*write_quotients)(const double* x, const double* by, int rows, double* y);

  // code[r] = column[r] + 1; any number of rows.
  void (*write_codes)(const double* column, int rows, int* code);

  bool (*all_finite)(const double* x, int rows);

  // For each class and each column: square[r] += ((mean - x[r]) * inverse_sd + low)^2. The sums of
  // the classes are `stride` apart, the parameters of the columns `classes` apart. The mean is in
  // two parts, the low part in units of the sd. A product x * inverse_sd - mean * inverse_sd would
  // lose nine digits at an offset of 2^30. Sums that are `fresh` begin at 0 and are not read.
  void (*add_standardized_squares)(const double* const* x, int columns, int classes, int stride,
                                   int rows, const double* mean, const double* low,
                                   const double* inverse_sd, bool fresh, double* square);

  // Adds the squares of one column, only in rows where it is finite. In these rows sum[r] += the
  // constant of the class.
  void (*add_known_squares)(const double* x, int classes, int stride, int rows, const double* mean,
                            const double* low, const double* inverse_sd, const double* constant,
                            double* square, double* sum);

  // sum[r] += constant - square[r] / 2.
  void (*add_half_squares)(const double* square, double constant, int rows, double* sum);

  // add_half_squares() with a constant for each row.
  void (*add_known_half_squares)(const double* square, const double* constant, int rows,
                                 double* sum);

  // Writes the first class, from 0, whose log joint (log likelihood + log prior) ties with the
  // largest of its row. The band of a tie is share * max(1, |largest|). Returns whether all rows
  // have an answer. A row has no answer if a log joint is NaN or the largest is infinite.
  bool (*choose_classes)(const double* log_likelihood, const double* log_prior, int classes,
                         int stride, int rows, double share, double* first);

  // Adds the moments of normals with one sd, at a point that is z sd from the nearest value:
  // moment[i] += p d^i for i = 0, ..., 6, and moment[7] += p d^8. Here d is the distance of a value
  // from the nearest one, in sd, and p = exp(-d (d / 2 - z) - minus_log) its density relative to
  // that of the nearest one. Densities below the normal doubles add nothing. Any count.
  void (*add_normal_moments)(const double* value, const double* minus_log, int count,
                             double nearest, double inverse_sd, double z, double* moment);

  // Turns log likelihoods into improbabilities (minus the log joints) and finds the least of each
  // row. The least is NaN if an improbability is NaN. Returns whether all least numbers are finite.
  bool (*negate_log_joints)(double* x, const double* log_prior, int classes, int stride, int rows,
                            double* least);

  // Writes posterior probabilities, those of a class `distance` from those of the class before;
  // 2 to kMostAtOnce classes. Returns whether all are right; otherwise a row has no posterior, or a
  // weight below the normal doubles.
  bool (*write_posterior)(const double* log_likelihood, const double* log_prior, int classes,
                          int stride, int rows, double* probability, long distance);

  // Writes the action of least expected cost, from 1, where it is clear in spite of rough
  // probabilities and the band of a tie. Returns whether it is in all rows.
  bool (*choose_actions)(const double* log_likelihood, const double* log_prior, int classes,
                         int stride, int rows, const RoughCosts& costs, int* action);

  // For each of `count` classes: square[r] = |z|^2, where factor'z = x - mean. x has `size`
  // columns; the classes' results are `stride` apart. `scratch`: kSolveScratch numbers for each
  // column.
  void (*solve_triangles)(const double* const* x, int size, const TriangleOfClass* classes,
                          int count, int stride, int rows, double* scratch, double* square);

  // The same for a strip of rows in which numbers that are not finite count as the mean of the
  // class. Also pull = the product of z with the column of `across` of each member that is missing.
  // Squares of the classes, and pulls of the members of each class, are kStripRows apart.
  void (*solve_known)(const double* const* x, int size, const TriangleOfClass* classes, int count,
                      const MissingMembers& missing, int rows, double* scratch, double* square,
                      double* pull);

  // Divides rows by a triangle: quotient factor = x. x has `size` columns of `rows` numbers, whole
  // vectors. The quotient is written in panels of kPanel rows, in which the numbers of a column
  // stand side by side. `zeros`: `size` of them; `scratch` as above.
  void (*divide_rows)(const double* x, int size, const double* factor,
                      const double* inverse_diagonal, const double* zeros, int rows,
                      double* scratch, double* quotient);

  // a -= vw' + wv', then y = a x, in rows and columns from `first` on. The symmetric matrix holds
  // its lower triangle, by column, and the blocks of kPanel on the diagonal. `size` and `first` are
  // multiples of kPanel.
  void (*reflect_symmetric)(double* a, int size, int first, const double* v, const double* w,
                            const double* x, double* y);

  // Sums d = x - shift and d^2 per group, for 4 or 8 columns side by side. If there are weights,
  // both are multiplied by the weight of the row. A slot is a group; the last slot is for rows that
  // are left out. `moments` holds kMomentParts times that many numbers for each slot, and `banks`
  // (a power of two) sets of slots; the shifts stand in the first set, and at the end all sets are
  // added to the first. If `known`, numbers that are not finite are left out, and the weights of
  // the other numbers are summed.
  void (*add_moments)(const double* const* x, int columns, const int* group, const double* weight,
                      int rows, int slots, int banks, double* moments, bool known);

  // Writes x - mean of the columns of a panel to the row's place in the panel, multiplied by the
  // root of the row if there are roots. The means, in two parts, of successive groups are `stride`
  // apart. Rows are whole vectors. Returns whether all packed numbers are finite. The columns
  // `next`, those of the next panel, are prefetched.
  bool (*pack_panel)(const double* const* x, const double* const* next, int rows, const int* group,
                     const int* place, const double* root, const double* mean, const double* low,
                     int stride, double* packed);

  // The sums of a panel, times the root of each row if there are roots.
  void (*add_rows)(const double* packed, const double* root, int rows, double* sum);

  // product += X'X of the rows; all panels are full. Only the lower triangle, by column, and the
  // blocks of kPanel on the diagonal are computed.
  void (*add_products)(const PackedRows& packed, int panels, double* product);

  // The same for factor * vv'.
  void (*add_outer)(const double* v, double factor, int panels, double* product);

  // cell[r] += scale * slot. The slot of a stored code is its level, the code minus `first`. If
  // there is no such level, the slot is `none`. Returns whether a code has no level and is not
  // missing. Any number of rows.
  bool (*add_slots)(const int* stored, int rows, int first, int levels, int none, int scale,
                    int* cell);

  // For each class: sum[r] += the sum over columns of
  // table[column][cell[column * cell_stride + r] + class]. The sums of the classes are `stride`
  // apart. A row of a table holds padded_classes() numbers.
  void (*add_table_rows)(const double* const* table, const int* cell, int columns, int cell_stride,
                         int classes, int stride, int rows, double* sum);

  // For each cell of a term: the numbers of its row in `sum` += value * coefficient. Returns the
  // number of these cells, and whether their values are in the range. A row of `sum` and one of the
  // coefficients hold `width` numbers: 2 or padded_classes().
  int (*add_term_cells)(const TermCells& cells, const double* coefficient, int width, double* sum,
                        bool* inside);

  // Whether all are in the range; any count, as below.
  bool (*all_inside)(const double* x, int count, const NumberRange& range);

  // How many numbers are not above the number before.
  int (*count_descents)(const int* x, int count);
};

// The loops that every processor runs.
extern const TileLoops kBaseline;

// The loops for this processor. The environment variable BAYESRISK_BASELINE forces those that every
// processor runs.
const TileLoops& tile_loops();

}  // namespace simd
}  // namespace bayesrisk
