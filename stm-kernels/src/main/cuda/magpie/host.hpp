/// @file
/// Everything that a plain C++ program needs to run kernels and regions: memory, launches, worklists, pools, the report.
///
/// Where to read on: host/runtime.hpp (memory and launches), host/region_launch.hpp (regions, rounds, pools).
#pragma once

#include "magpie/host/region_launch.hpp"
#include "magpie/host/runtime.hpp"
