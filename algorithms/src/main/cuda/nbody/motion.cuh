/// @file
/// The leap-frog: half a kick by the acceleration, a drift by the velocity, and, once there are new accelerations, the other
/// half. Symmetric in time, so that energy oscillates but does not drift.
#pragma once

#include "nbody.cuh"

namespace nbody {

/// Participation: any threads, a number of the vectors for each. Shared state: none. Bytes: 5 numbers for each.
template <class Real>
struct kick_and_drift {
  u64 numbers;  ///< 3 for each body
  Real half;    ///< half of the time step
  Real step;
  array<const Real> acceleration;
  array<Real> velocity;
  array<Real> position;

  MAGPIE_DEVICE void operator()(const thread& self) const {
    for (u64 i : self.items(numbers)) {
      const Real v = magpie::ld_own(&velocity[i]) + magpie::ld_plain(&acceleration[i]) * half;
      magpie::st_plain(&velocity[i], v);
      magpie::st_plain(&position[i], magpie::ld_own(&position[i]) + v * step);
    }
  }
};
using kick_and_drift_float = kick_and_drift<float>;
using kick_and_drift_double = kick_and_drift<double>;
MAGPIE_KERNEL(kick_and_drift_float)
MAGPIE_KERNEL(kick_and_drift_double)

/// Participation: any threads, a number of the vectors for each. Shared state: none. Bytes: 3 numbers for each.
template <class Real>
struct kick {
  u64 numbers;
  Real half;
  array<const Real> acceleration;
  array<Real> velocity;

  MAGPIE_DEVICE void operator()(const thread& self) const {
    for (u64 i : self.items(numbers)) {
      magpie::st_plain(&velocity[i], magpie::ld_own(&velocity[i]) + magpie::ld_plain(&acceleration[i]) * half);
    }
  }
};
using kick_float = kick<float>;
using kick_double = kick<double>;
MAGPIE_KERNEL(kick_float)
MAGPIE_KERNEL(kick_double)

}  // namespace nbody
