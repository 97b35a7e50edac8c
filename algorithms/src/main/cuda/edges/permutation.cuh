/// @file
/// A seeded permutation that is computed on the fly, the same as `SeededPermutation` in Java, which gives its fields.
///
/// Layer: algorithm. Participation: any thread. Shared state: none. Determinism: schedule_independent.
/// Cost: four multiplications, twice on average where n is no power of two.
#pragma once

#include "magpie/kernel.cuh"

namespace edges {

/// A permutation of 0 .. n - 1: one of 0 .. mask, repeated until the result is below n.
struct permutation {
  std::uint32_t mask;
  std::uint32_t shift;
  std::uint32_t factor0;
  std::uint32_t summand0;
  std::uint32_t factor1;
  std::uint32_t summand1;
  std::uint32_t factor2;
  std::uint32_t summand2;
  std::uint32_t factor3;
  std::uint32_t summand3;

  MAGPIE_INLINE std::uint32_t of(std::uint32_t x, std::uint32_t n) const {
    do {
      x = step(x, factor0, summand0);
      x = step(x, factor1, summand1);
      x = step(x, factor2, summand2);
      x = step(x, factor3, summand3);
    } while (x >= n);
    return x;
  }

 private:
  MAGPIE_INLINE std::uint32_t step(std::uint32_t x, std::uint32_t factor, std::uint32_t summand) const {
    x = (x * factor + summand) & mask;
    return x ^ x >> shift;
  }
};

}  // namespace edges
