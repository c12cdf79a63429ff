#pragma once

// The names that the contract mentions and does not use.

#include <memory>
#include <variant>

namespace bayesrisk {

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
struct Tile;

using Marginal = std::variant<Normals, Counts, Steps, Atoms, Gammas>;

}  // namespace bayesrisk
