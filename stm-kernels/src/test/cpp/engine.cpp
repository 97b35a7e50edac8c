/// @file
/// The engine of the simulator as a source of its own, for programs that are built with `MAGPIE_SIM_SEPARATE`.
#include "magpie/platform/platform.cuh"
#include "magpie/sim/engine.hpp"
