/// @file
/// Where in its region an attempt is, and what a region may do there: checked builds look.
///
/// Layer: stm, part of transaction.cuh. In other builds it takes no room and no time.
#pragma once

#include "magpie/stm/detail/objects.cuh"

MAGPIE_NAMESPACE_BEGIN

namespace stm {

class phase_check {
 protected:
  MAGPIE_INLINE void enter([[maybe_unused]] trace_phase next) {
#if MAGPIE_CHECKS_BOUNDS
    phase_ = next;
#endif
    trace(trace_event::phase, next);
  }
  /// What the region does elsewhere than in one of `phases` ends the launch.
  MAGPIE_INLINE void only_in([[maybe_unused]] std::uint32_t phases, [[maybe_unused]] const char* what) const {
#if MAGPIE_CHECKS_BOUNDS
    if ((phases & phase_) == 0) misuse_fault(what);
#endif
  }

#if MAGPIE_CHECKS_BOUNDS
 private:
  trace_phase phase_ = in_body;
#endif
};

}  // namespace stm

MAGPIE_NAMESPACE_END
