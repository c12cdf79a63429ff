#pragma once

// The engine: no R header, no printing, no globals. A folder is a stage.
#include <bayesrisk/core/context.hpp>
#include <bayesrisk/core/diagnostics.hpp>
#include <bayesrisk/data/columns.hpp>
#include <bayesrisk/data/rows.hpp>
#include <bayesrisk/decision/decide_posterior.hpp>
#include <bayesrisk/decision/expected_cost.hpp>
#include <bayesrisk/likelihood/registry.hpp>
#include <bayesrisk/model/contributions.hpp>
#include <bayesrisk/model/fit.hpp>
#include <bayesrisk/model/score.hpp>
#include <bayesrisk/plan/ranges.hpp>
#include <bayesrisk/risk/bounds.hpp>
#include <bayesrisk/risk/conditional_plane.hpp>
#include <bayesrisk/risk/decision_table.hpp>
#include <bayesrisk/risk/monte_carlo.hpp>
#include <bayesrisk/risk/plane_world.hpp>
#include <bayesrisk/risk/trace.hpp>
