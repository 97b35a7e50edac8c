/// @file
/// Operations on numbers whose rounding code relies on, for the machines that g++ compiles for.
///
/// Layer: platform; included by cpu.cuh and sim.cuh; needs MAGPIE_INLINE and MAGPIE_NAMESPACE_* to be defined.
/// Limits: a compiler that rounds to double after each operation (checked) and keeps to IEEE 754: not `-ffast-math`.
#pragma once

#include <cfloat>
#include <cmath>

static_assert(FLT_EVAL_METHOD == 0, "doubles must be computed as doubles, not in wider registers");

MAGPIE_NAMESPACE_BEGIN

MAGPIE_INLINE double fma_rn(double a, double b, double c) { return __builtin_fma(a, b, c); }
MAGPIE_INLINE double add_rn(double a, double b) { return a + b; }
MAGPIE_INLINE double sub_rn(double a, double b) { return a - b; }
MAGPIE_INLINE double mul_rn(double a, double b) {
#if defined(__FP_FAST_FMA)
  return __builtin_fma(a, b, 0.0);  // a product could be fused with a later sum, this cannot
#else
  return a * b;  // there is no instruction to fuse it into
#endif
}

MAGPIE_INLINE float reciprocal_root(float v) { return 1 / std::sqrt(v); }
MAGPIE_INLINE double reciprocal_root(double v) { return 1 / std::sqrt(v); }

MAGPIE_NAMESPACE_END
