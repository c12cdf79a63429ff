#include <engine/likelihood/normal/covariance_estimator.cpp>
#include <engine/likelihood/normal/projected_rows.cpp>
#include <engine/likelihood/normal/scatter.cpp>
