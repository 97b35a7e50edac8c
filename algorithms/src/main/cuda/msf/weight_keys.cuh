/// @file
/// Keys of weights: whole numbers from 0 to 2^31 - 1, ordered as weights of any type are, and equal where they are.
///
/// Layer: algorithm. Every weight has a place among all values of its type, a whole number of 64 bits; -0.0 has that of 0.0.
/// One run: `bound_places`; if the places span less than 2^31, `subtract_least` and no more. Else keys are ranks among the
/// different places: `low_digits`, a sort by them, `high_digits` of weights of 64 bits, a sort by these, `flag_distinct`, an
/// inclusive scan, `take_ranks`.
///
/// Weights are bits as Java has them, of 32 or of 64, for a kernel of that name: `floating` tells floats and doubles from
/// ints and longs, `reverse` asks for the reverse order, of maximum forests. NaN has no place here, infinities do.
/// Participation: all threads, of `bound_places` whole warps. Determinism: schedule_independent.
#pragma once

#include "forest.cuh"

namespace msf {

/// A weight of any type that has so many bits.
template <class Word>
struct raw {
  Word bits;
};

/// The weight's place, among unsigned numbers.
template <class Word>
MAGPIE_INLINE u64 place_of(const raw<Word>& weight, u32 floating, u32 reverse) {
  constexpr Word sign = Word{1} << (sizeof(Word) * 8 - 1);
  Word bits = magpie::ld_plain(&weight.bits);
  if (floating != 0 && (bits & sign) != 0) bits = bits == sign ? 0 : static_cast<Word>(~(bits ^ sign));  // magnitudes
  bits ^= sign;
  return reverse != 0 ? static_cast<Word>(~bits) : bits;
}

/// The least place, and the complement of the greatest. Bytes: a weight in. Shared state: `bounds`, atomic minima.
template <class Word>
struct bound_places {
  u32 arcs;
  u32 floating;
  u32 reverse;
  array<const raw<Word>> weights;
  array<u64> bounds;

  MAGPIE_DEVICE void operator()(const thread& self) const {
    u64 least_place = no_key;
    u64 complement = no_key;
    for (u32 a : self.items(arcs)) {
      const u64 place = place_of(weights[a], floating, reverse);
      least_place = place < least_place ? place : least_place;
      complement = ~place < complement ? ~place : complement;
    }
    least_place = magpie::warp_reduce(self, least_place, magpie::minimum<u64>{});
    complement = magpie::warp_reduce(self, complement, magpie::minimum<u64>{});
    if (self.lane() == 0) {
      offer(bounds, 0, least_place);
      offer(bounds, 1, complement);
    }
  }
};
MAGPIE_KERNEL_AS(bound_places_32, bound_places<u32>)
MAGPIE_KERNEL_AS(bound_places_64, bound_places<u64>)

/// Keys that are distances from the least place. Bytes: a weight in, 4 out.
template <class Word>
struct subtract_least {
  u32 arcs;
  u32 floating;
  u32 reverse;
  u64 least;
  array<const raw<Word>> weights;
  array<u32> keys;

  MAGPIE_DEVICE void operator()(const thread& self) const {
    for (u32 a : self.items(arcs)) {
      magpie::st_plain(&keys[a], low(place_of(weights[a], floating, reverse) - least));
    }
  }
};
MAGPIE_KERNEL_AS(subtract_least_32, subtract_least<u32>)
MAGPIE_KERNEL_AS(subtract_least_64, subtract_least<u64>)

/// The low halves of the distances from the least place, and the arcs in order. Bytes: a weight in, 8 out.
template <class Word>
struct low_digits {
  u32 arcs;
  u32 floating;
  u32 reverse;
  u64 least;
  array<const raw<Word>> weights;
  array<u32> digits;
  array<u32> order;

  MAGPIE_DEVICE void operator()(const thread& self) const {
    for (u32 a : self.items(arcs)) {
      magpie::st_plain(&digits[a], low(place_of(weights[a], floating, reverse) - least));
      magpie::st_plain(&order[a], a);
    }
  }
};
MAGPIE_KERNEL_AS(low_digits_32, low_digits<u32>)
MAGPIE_KERNEL_AS(low_digits_64, low_digits<u64>)

/// The high halves, in an order of the arcs. Bytes: 4 and a gathered weight in, 4 out.
struct high_digits {
  u32 arcs;
  u32 floating;
  u32 reverse;
  u64 least;
  array<const raw<u64>> weights;
  array<const u32> order;
  array<u32> digits;

  MAGPIE_DEVICE void operator()(const thread& self) const {
    for (u32 i : self.items(arcs)) {
      const u32 a = magpie::ld_plain(&order[i]);
      magpie::st_plain(&digits[i], high(place_of(weights[a], floating, reverse) - least));
    }
  }
};
MAGPIE_KERNEL(high_digits)

/// Which places are not those before them, in ascending order; the first is not flagged, so that sums of flags are ranks
/// from 0. Bytes: 4 and a gathered weight in, 4 out.
template <class Word>
struct flag_distinct {
  u32 arcs;
  u32 floating;
  u32 reverse;
  array<const raw<Word>> weights;
  array<const u32> order;
  array<u32> flags;

  MAGPIE_DEVICE void operator()(const thread& self) const {
    for (u32 i : self.items(arcs)) {
      magpie::st_plain(&flags[i], i != 0 && place_at(i) != place_at(i - 1) ? 1 : 0);
    }
  }

 private:
  MAGPIE_INLINE u64 place_at(u32 i) const { return place_of(weights[magpie::ld_plain(&order[i])], floating, reverse); }
};
MAGPIE_KERNEL_AS(flag_distinct_32, flag_distinct<u32>)
MAGPIE_KERNEL_AS(flag_distinct_64, flag_distinct<u64>)

/// Gives each arc its rank. Bytes: 8 in, 4 scattered.
struct take_ranks {
  u32 arcs;
  array<const u32> order;
  array<const u32> ranks;
  array<u32> keys;

  MAGPIE_DEVICE void operator()(const thread& self) const {
    for (u32 i : self.items(arcs)) {
      magpie::st_plain(&keys[magpie::ld_plain(&order[i])], magpie::ld_plain(&ranks[i]));
    }
  }
};
MAGPIE_KERNEL(take_ranks)

}  // namespace msf
