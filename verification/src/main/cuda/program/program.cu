/// @file
/// The module `program`: random programs; see program/program.cuh. It always records.
#define MAGPIE_RECORD
#define MAGPIE_ALL_POLICIES  // each is checked
#include "program.cuh"

namespace program {
MAGPIE_REGION(interpreted)
}  // namespace program
