/// @file
/// The module `program_unvalidated`: random programs whose reads are not validated; see program/program.cuh. It always records.
#define MAGPIE_RECORD
#define MAGPIE_ALL_POLICIES  // each is checked
#include "../program/program.cuh"

namespace program {
MAGPIE_REGION(interpreted_unvalidated)
}  // namespace program
