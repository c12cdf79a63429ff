#include <engine/likelihood/table/categorical.cpp>
#include <engine/likelihood/table/histogram.cpp>
#include <engine/likelihood/table/joint_histogram.cpp>
#include <engine/likelihood/table/joint_table.cpp>
#include <engine/likelihood/table/joint_table_scorer.cpp>
#include <engine/likelihood/table/joint_table_statistics.cpp>
