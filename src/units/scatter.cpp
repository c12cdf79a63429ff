#include <engine/likelihood/normal/covariance_estimator.cpp>
#include <engine/likelihood/normal/multivariate_gaussian_scorer.cpp>
#include <engine/likelihood/normal/projected_rows.cpp>
#include <engine/likelihood/normal/row_packer.cpp>
#include <engine/likelihood/normal/scatter.cpp>
#include <engine/likelihood/normal/scatter_collector.cpp>
