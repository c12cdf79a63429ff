// Doors share most of their template instantiations: three units compile twice as fast as separate
// files.
#include "bind_decide.cpp"
#include "bind_draw.cpp"
#include "bind_fit.cpp"
#include "bind_score.cpp"
#include "bind_sums.cpp"
#include "bind_terms.cpp"
