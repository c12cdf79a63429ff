// The limits of this machine, measured in the process of the benchmarks: how fast it reads the
// data, touches fresh memory, copies, and multiplies and adds. (R's colSums() is no yardstick,
// because it adds one number after the other in extended precision.)
#include <RcppEigen.h>

#include <cstdlib>
#include <cstring>
#include <functional>
#include <thread>
#include <vector>
#ifdef __linux__
#include <sys/mman.h>
#endif

// [[Rcpp::depends(RcppEigen)]]

namespace {

constexpr int kLanes = 16;

// 16 independent sums, so that memory and not the latency of an addition is the limit.
template <class Number, class Sum>
Sum sum_range(const Number* values, R_xlen_t size) {
  Sum sums[kLanes] = {};
  R_xlen_t i = 0;
  for (; i + kLanes <= size; i += kLanes) {
#pragma GCC unroll 16
    for (int lane = 0; lane < kLanes; ++lane) sums[lane] += values[i + lane];
  }
  Sum sum = 0;
  for (; i < size; ++i) sum += values[i];
  for (Sum part : sums) sum += part;
  return sum;
}

// work(first, size) for equal parts of 0..size-1, one per thread; the caller takes the last.
void split(R_xlen_t size, int threads, const std::function<void(R_xlen_t, R_xlen_t, int)>& work) {
  std::vector<std::thread> others;
  const R_xlen_t part = size / threads;
  for (int t = 0; t + 1 < threads; ++t) others.emplace_back(work, t * part, part, t);
  work((threads - 1) * part, size - (threads - 1) * part, threads - 1);
  for (std::thread& other : others) other.join();
}

// Four doubles, as many as AVX2 has in a register; elsewhere the compiler splits them.
typedef double Vector __attribute__((vector_size(32)));

double spin(double count) {
  constexpr int chains = 12;
  const Vector factor = {0.5, 0.25, 0.125, 0.75};
  const Vector addend = {1, 2, 3, 4};
  // Chains with the same numbers would be computed once.
  Vector sums[chains];
  for (int chain = 0; chain < chains; ++chain) sums[chain] = Vector{} + static_cast<double>(chain);
  const double turns = count / (4 * chains);
  for (double turn = 0; turn < turns; ++turn) {
#pragma GCC unroll 12
    for (int chain = 0; chain < chains; ++chain) sums[chain] = sums[chain] * factor + addend;
  }
  Vector total = {};
  for (const Vector& sum : sums) total += sum;
  return total[0] + total[1] + total[2] + total[3];
}

}  // namespace

// [[Rcpp::export]]
double read_numbers(const Rcpp::NumericMatrix& x, int threads) {
  std::vector<double> sums(threads);
  const double* values = x.begin();
  split(x.size(), threads, [&](R_xlen_t first, R_xlen_t size, int t) {
    sums[t] = sum_range<double, double>(values + first, size);
  });
  double sum = 0;
  for (double part : sums) sum += part;
  return sum;
}

// Factors or integers, one after the other.
// [[Rcpp::export]]
double read_codes(const Rcpp::List& columns) {
  double sum = 0;
  for (R_xlen_t j = 0; j < columns.size(); ++j) {
    const SEXP column = columns[j];
    sum += sum_range<int, unsigned>(INTEGER(column), Rf_xlength(column));
  }
  return sum;
}

// The first write to fresh memory, in huge pages if the system has them.
// [[Rcpp::export]]
void touch_fresh(double doubles) {
  const std::size_t bytes = static_cast<std::size_t>(doubles) * sizeof(double);
#ifdef __linux__
  void* fresh = mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (fresh == MAP_FAILED) Rcpp::stop("no memory");
  madvise(fresh, bytes, MADV_HUGEPAGE);
  std::memset(fresh, 1, bytes);
  munmap(fresh, bytes);
#else
  void* fresh = std::malloc(bytes);
  if (!fresh) Rcpp::stop("no memory");
  std::memset(fresh, 1, bytes);
  std::free(fresh);
#endif
}

// [[Rcpp::export]]
void copy_numbers(const Rcpp::NumericMatrix& from, Rcpp::NumericMatrix& to) {
  std::memcpy(to.begin(), from.begin(), sizeof(double) * from.size());
}

// `count` products each added to a sum, in registers.
// [[Rcpp::export]]
double multiply_add(double count, int threads) {
  std::vector<double> sums(threads);
  split(threads, threads, [&](R_xlen_t, R_xlen_t, int t) { sums[t] = spin(count / threads); });
  return sums[0];
}

// X'X by Eigen.
// [[Rcpp::export]]
double eigen_crossprod(const Eigen::Map<Eigen::MatrixXd>& x) {
  const Eigen::MatrixXd product = x.transpose() * x;
  return product(0, 0);
}
