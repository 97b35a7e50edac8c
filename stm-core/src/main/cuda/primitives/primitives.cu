/// @file
/// The kernels behind the facade's `Primitives`.
///
/// Layer: the facade's own module. Each kernel is one launch of what the headers in magpie/parallel/ describe, with the
/// operator as an argument. Limits: the facade checks lengths; positions of elements that are moved have 32 bits.
#include "magpie/kernel.cuh"
#include "magpie/parallel/pack.cuh"
#include "magpie/parallel/radix.cuh"
#include "magpie/parallel/scan.cuh"
#include "magpie/parallel/warp_segmentation.cuh"
#include "magpie/parallel/worklist.cuh"

namespace primitives {

using i32 = std::int32_t;
using i64 = std::int64_t;
using u32 = std::uint32_t;
using u64 = std::uint64_t;
using magpie::array;
using magpie::thread;

/// An operator, as the host names it.
enum scan_operator : u32 { op_add, op_min, op_max, op_and, op_or };
MAGPIE_CONSTANT(op_add)
MAGPIE_CONSTANT(op_min)
MAGPIE_CONSTANT(op_max)
MAGPIE_CONSTANT(op_and)
MAGPIE_CONSTANT(op_or)

/// The operators but the sum in one, told apart as they run: uniform choices, which cost less on warps than kernels that
/// are twice as long to load.
template <class T>
struct choice {
  u32 op;

  static constexpr bool commutative = true;
  MAGPIE_INLINE T identity() const {
    return op == op_min   ? magpie::minimum<T>{}.identity()
           : op == op_max ? magpie::maximum<T>{}.identity()
           : op == op_and ? magpie::bits_and<T>{}.identity()
                          : magpie::bits_or<T>{}.identity();
  }
  MAGPIE_INLINE T operator()(T a, T b) const {
    return op == op_min   ? magpie::minimum<T>{}(a, b)
           : op == op_max ? magpie::maximum<T>{}(a, b)
           : op == op_and ? magpie::bits_and<T>{}(a, b)
                          : magpie::bits_or<T>{}(a, b);
  }
};

/// Calls body with the operator of a number. Processors get a loop for each.
template <class T, class Body>
MAGPIE_INLINE void with_operator(u32 op, Body&& body) {
  if (op == op_add) {
    body(magpie::plus<T>{});
  } else if constexpr (!magpie::scalar_warps) {
    body(choice<T>{op});
  } else if (op == op_min) {
    body(magpie::minimum<T>{});
  } else if (op == op_max) {
    body(magpie::maximum<T>{});
  } else if (op == op_and) {
    body(magpie::bits_and<T>{});
  } else {
    body(magpie::bits_or<T>{});
  }
}

/// Only sums are taken of a wider type.
template <class In, class T, class Body>
MAGPIE_INLINE void with_operator_into(u32 op, Body&& body) {
  if constexpr (std::is_same_v<In, T>) {
    with_operator<T>(op, body);
  } else {
    body(magpie::plus<T>{});
  }
}

template <class In, class T>
struct reduce {
  u64 n;
  u64 piece;
  u32 op;
  array<const In> in;
  array<T> sums;

  MAGPIE_DEVICE void operator()(const thread& self) const {
    with_operator_into<In, T>(op, [&](auto o) {
      magpie::reduce_pieces(self, n, piece, sums, o, [&](u64 i) { return T{magpie::ld_plain(&in[i])}; });
    });
  }
};
MAGPIE_KERNEL_AS(reduce_ints, reduce<i32, i32>)
MAGPIE_KERNEL_AS(reduce_longs, reduce<i64, i64>)
MAGPIE_KERNEL_AS(reduce_ints_to_longs, reduce<i32, i64>)

template <class In, class T>
struct scan {
  u64 n;
  u64 piece;
  u32 op;
  u32 inclusive;
  array<const In> in;  ///< may be out
  array<T> sums;
  array<T> out;  ///< of n elements, or of n + 1: then the last receives the reduction

  MAGPIE_DEVICE void operator()(const thread& self) const {
    with_operator_into<In, T>(op, [&](auto o) {
      magpie::scan_pieces(
          self, n, piece, sums, o, [&](u64 i) { return T{magpie::ld_own(&in[i])}; },
          [&](u64 i, T before, T value) { magpie::st_plain(&out[i], inclusive != 0 ? o(before, value) : before); },
          out.length > n ? &out[n] : nullptr);
    });
  }
};
MAGPIE_KERNEL_AS(scan_ints, scan<i32, i32>)
MAGPIE_KERNEL_AS(scan_longs, scan<i64, i64>)
MAGPIE_KERNEL_AS(scan_ints_to_longs, scan<i32, i64>)

/// Segments begin at position 0 and where the flag is set.
MAGPIE_INLINE bool is_head(const array<const u32>& heads, u64 i) { return i == 0 || magpie::ld_plain(&heads[i]) != 0; }

template <class T>
struct reduce_headed {
  u64 n;
  u64 piece;
  u32 op;
  array<const T> in;
  array<const u32> heads;
  array<magpie::headed<T>> sums;

  MAGPIE_DEVICE void operator()(const thread& self) const {
    with_operator<T>(op, [&](auto o) {
      magpie::reduce_headed_pieces(
          self, n, piece, sums, o, [&](u64 i) { return is_head(heads, i); },
          [&](u64 i) { return magpie::ld_plain(&in[i]); });
    });
  }
};
MAGPIE_KERNEL_AS(reduce_headed_ints, reduce_headed<i32>)
MAGPIE_KERNEL_AS(reduce_headed_longs, reduce_headed<i64>)

template <class T>
struct scan_headed {
  u64 n;
  u64 piece;
  u32 op;
  u32 inclusive;
  array<const T> in;  ///< may be out
  array<const u32> heads;
  array<magpie::headed<T>> sums;
  array<T> out;

  MAGPIE_DEVICE void operator()(const thread& self) const {
    with_operator<T>(op, [&](auto o) {
      magpie::scan_headed_pieces(
          self, n, piece, sums, o, [&](u64 i) { return is_head(heads, i); },
          [&](u64 i) { return magpie::ld_own(&in[i]); },
          [&](u64 i, T before, T value) { magpie::st_plain(&out[i], inclusive != 0 ? o(before, value) : before); });
    });
  }
};
MAGPIE_KERNEL_AS(scan_headed_ints, scan_headed<i32>)
MAGPIE_KERNEL_AS(scan_headed_longs, scan_headed<i64>)

/// How many flags of a piece are set: the first launch of what enumerates them.
struct count_flags {
  u64 n;
  u64 piece;
  array<const u32> flags;
  array<u32> sums;

  MAGPIE_DEVICE void operator()(const thread& self) const {
    magpie::count_flagged(self, n, piece, sums, [&](u64 i) { return magpie::ld_plain(&flags[i]) != 0; });
  }
};
MAGPIE_KERNEL(count_flags)

/// How many flags are set before each position.
struct enumerate_flags {
  u64 n;
  u64 piece;
  array<const u32> flags;
  array<u32> sums;
  array<u32> out;

  MAGPIE_DEVICE void operator()(const thread& self) const {
    magpie::scan_pieces(
        self, n, piece, sums, magpie::plus<u32>{}, [&](u64 i) { return magpie::ld_plain(&flags[i]) != 0 ? 1u : 0u; },
        [&](u64 i, u32 before, u32) { magpie::st_plain(&out[i], before); }, static_cast<u32*>(nullptr));
  }
};
MAGPIE_KERNEL(enumerate_flags)

/// The same within segments.
struct count_headed_flags {
  u64 n;
  u64 piece;
  array<const u32> flags;
  array<const u32> heads;
  array<magpie::headed<u32>> sums;

  MAGPIE_DEVICE void operator()(const thread& self) const {
    magpie::reduce_headed_pieces(
        self, n, piece, sums, magpie::plus<u32>{}, [&](u64 i) { return is_head(heads, i); },
        [&](u64 i) { return magpie::ld_plain(&flags[i]) != 0 ? 1u : 0u; });
  }
};
MAGPIE_KERNEL(count_headed_flags)

struct enumerate_headed_flags {
  u64 n;
  u64 piece;
  array<const u32> flags;
  array<const u32> heads;
  array<magpie::headed<u32>> sums;
  array<u32> out;

  MAGPIE_DEVICE void operator()(const thread& self) const {
    magpie::scan_headed_pieces(
        self, n, piece, sums, magpie::plus<u32>{}, [&](u64 i) { return is_head(heads, i); },
        [&](u64 i) { return magpie::ld_plain(&flags[i]) != 0 ? 1u : 0u; },
        [&](u64 i, u32 before, u32) { magpie::st_plain(&out[i], before); });
  }
};
MAGPIE_KERNEL(enumerate_headed_flags)

/// The order in which segments are passed: forwards their heads come first, backwards their tails. The elements that come
/// first are marks.
struct direction {
  u64 n;
  bool backwards;
  const array<const u32>& heads;

  /// The k-th element.
  MAGPIE_INLINE u64 at(u64 k) const { return backwards ? n - 1 - k : k; }
  MAGPIE_INLINE bool mark(u64 k) const { return k == 0 || magpie::ld_plain(&heads[backwards ? n - k : k]) != 0; }
  /// For a scan with the maximum, which gives each element the mark of its segment.
  MAGPIE_INLINE u64 mark_or_zero(u64 k) const { return mark(k) ? k : 0; }
};

/// The last mark of each piece: the first launch of what copies from marks.
struct find_marks {
  u64 n;
  u64 piece;
  u32 backwards;
  array<const u32> heads;
  array<u64> sums;

  MAGPIE_DEVICE void operator()(const thread& self) const {
    const direction way{n, backwards != 0, heads};
    magpie::for_each_piece(self, n, piece, [&](u64 c, u64 from, u64 to) {
      const u64 last = magpie::last_marked(self, from, to, [&](u64 k) { return way.mark(k); });
      if (self.lane() == 0) magpie::st_plain(&sums[c], last);
    });
  }
};
MAGPIE_KERNEL(find_marks)

/// Gives each element the value at its segment's head, or tail.
template <class T>
struct copy_marks {
  u64 n;
  u64 piece;
  u32 backwards;
  array<const u32> heads;
  array<u64> sums;
  array<const T> in;
  array<T> out;

  MAGPIE_DEVICE void operator()(const thread& self) const {
    const direction way{n, backwards != 0, heads};
    magpie::scan_pieces(
        self, n, piece, sums, magpie::maximum<u64>{}, [&](u64 k) { return way.mark_or_zero(k); },
        [&](u64 k, u64 before, u64 own) {
          magpie::st_plain(&out[way.at(k)], magpie::ld_plain(&in[way.at(before < own ? own : before)]));
        },
        static_cast<u64*>(nullptr));
  }
};
MAGPIE_KERNEL_AS(copy_marks_ints, copy_marks<u32>)
MAGPIE_KERNEL_AS(copy_marks_longs, copy_marks<u64>)

/// The segmented sums of pack.cuh, in two launches.
struct count_splits {
  u64 n;
  u64 piece;
  array<const u32> flags;
  array<const u32> heads;
  array<magpie::headed<u32>> sums;

  MAGPIE_DEVICE void operator()(const thread& self) const {
    magpie::reduce_headed_pieces(
        self, n, piece, sums, magpie::plus<u32>{}, [&](u64 i) { return is_head(heads, i); },
        [&](u64 i) {
          return magpie::split_term(static_cast<u32>(i), is_head(heads, i), magpie::ld_plain(&flags[i]) != 0);
        });
  }
};
MAGPIE_KERNEL(count_splits)

struct sum_splits {
  u64 n;
  u64 piece;
  array<const u32> flags;
  array<const u32> heads;
  array<magpie::headed<u32>> sums;
  array<u32> places;

  MAGPIE_DEVICE void operator()(const thread& self) const {
    magpie::scan_headed_pieces(
        self, n, piece, sums, magpie::plus<u32>{}, [&](u64 i) { return is_head(heads, i); },
        [&](u64 i) {
          return magpie::split_term(static_cast<u32>(i), is_head(heads, i), magpie::ld_plain(&flags[i]) != 0);
        },
        [&](u64 i, u32 before, u32 own) { magpie::st_plain(&places[i], before + own); });
  }
};
MAGPIE_KERNEL(sum_splits)

/// What a split moves: up to two arrays, and the heads.
struct split_target {
  const array<const u32>& heads;
  const array<u32>& heads_out;
  const u32* first;
  u32* first_out;
  const u32* second;
  u32* second_out;

  MAGPIE_INLINE void move(u32 i, bool flag, u32 p, u32 q) const {
    const u32 place = magpie::split_place(i, flag, p, q);
    magpie::st_plain(&first_out[place], magpie::ld_plain(&first[i]));
    if (second != nullptr) magpie::st_plain(&second_out[place], magpie::ld_plain(&second[i]));
    magpie::st_plain(&heads_out[place], magpie::split_head(place, is_head(heads, place), flag, q) ? 1u : 0u);
  }
};

/// Moves each element: the second launch after `find_marks` backwards.
struct move_splits {
  u64 n;
  u64 piece;
  array<const u32> flags;
  array<const u32> heads;
  array<u64> sums;
  array<const u32> places;
  array<u32> heads_out;
  const u32* first;
  u32* first_out;
  const u32* second;
  u32* second_out;

  MAGPIE_DEVICE void operator()(const thread& self) const {
    const direction way{n, true, heads};
    const split_target target{heads, heads_out, first, first_out, second, second_out};
    magpie::scan_pieces(
        self, n, piece, sums, magpie::maximum<u64>{}, [&](u64 k) { return way.mark_or_zero(k); },
        [&](u64 k, u64 before, u64 own) {
          const u64 i = way.at(k);
          const u64 tail = way.at(before < own ? own : before);
          target.move(static_cast<u32>(i), magpie::ld_plain(&flags[i]) != 0, magpie::ld_plain(&places[i]),
                      magpie::ld_plain(&places[tail]));
        },
        static_cast<u64*>(nullptr));
  }
};
MAGPIE_KERNEL(move_splits)

/// The elements, or where there are none the positions, whose flag is set, in their order; those that find no room are
/// left out, and count.
template <class T>
struct pack {
  u64 n;
  u64 piece;
  array<const u32> flags;
  array<u32> sums;
  const T* in;
  array<T> out;
  u32* count;

  MAGPIE_DEVICE void operator()(const thread& self) const {
    magpie::pack_pieces(
        self, n, piece, sums, [&](u64 i) { return magpie::ld_plain(&flags[i]) != 0; },
        [&](u64 i) { return in == nullptr ? static_cast<T>(i) : magpie::ld_plain(&in[i]); }, out, count);
  }
};
MAGPIE_KERNEL_AS(pack_ints, pack<u32>)
MAGPIE_KERNEL_AS(pack_longs, pack<u64>)

/// Pushes in order the elements, or where there are none the positions, that are marked: two launches.
struct count_marked {
  u64 n;
  u64 piece;
  array<const u32> marks;
  array<u32> sums;
  magpie::worklist to;

  MAGPIE_DEVICE void operator()(const thread& self) const {
    magpie::count_marked(
        self, n, piece, sums, [&](u64 i) { return magpie::ld_plain(&marks[i]) != 0; }, to);
  }
};
MAGPIE_KERNEL(count_marked)

struct push_marked {
  u64 n;
  u64 piece;
  array<const u32> marks;
  array<u32> sums;
  const u32* in;
  magpie::worklist to;

  MAGPIE_DEVICE void operator()(const thread& self) const {
    magpie::push_marked(
        self, n, piece, sums, [&](u64 i) { return magpie::ld_plain(&marks[i]) != 0; },
        [&](u64 i) { return in == nullptr ? static_cast<u32>(i) : magpie::ld_plain(&in[i]); }, to);
  }
};
MAGPIE_KERNEL(push_marked)

template <class In, class T>
struct reduce_segments {
  u32 segments;
  u32 pieces;
  u32 op;
  array<const In> in;
  array<const u32> offsets;
  array<T> leads;
  array<T> tails;
  array<u32> open;
  array<T> out;

  MAGPIE_DEVICE void operator()(const thread& self) const {
    with_operator_into<In, T>(op, [&](auto o) {
      magpie::reduce_segments(
          self, magpie::csr_pieces{segments, pieces, offsets}, leads, tails, open, o,
          [&](u32 a) { return T{magpie::ld_plain(&in[a])}; }, [&](u32 s, T v) { magpie::st_plain(&out[s], v); });
    });
  }
};
MAGPIE_KERNEL_AS(reduce_segments_ints, reduce_segments<i32, i32>)
MAGPIE_KERNEL_AS(reduce_segments_longs, reduce_segments<i64, i64>)
MAGPIE_KERNEL_AS(reduce_segments_ints_to_longs, reduce_segments<i32, i64>)

template <class T>
struct join_segments {
  u32 segments;
  u32 pieces;
  u32 op;
  array<const u32> offsets;
  array<T> leads;
  array<T> tails;
  array<u32> open;
  array<T> out;

  MAGPIE_DEVICE void operator()(const thread& self) const {
    with_operator<T>(op, [&](auto o) {
      magpie::join_segments(self, magpie::csr_pieces{segments, pieces, offsets}, leads, tails, open, o,
                            [&](u32 s, T v) { magpie::st_plain(&out[s], v); });
    });
  }
};
MAGPIE_KERNEL_AS(join_segments_ints, join_segments<i32>)
MAGPIE_KERNEL_AS(join_segments_longs, join_segments<i64>)

/// Counts the digits of a radix sort's pass.
struct count_digits {
  u64 n;
  u64 piece;
  u32 pieces;
  u32 shift;
  u32 bits;
  array<const u32> keys;
  array<u32> counts;

  MAGPIE_DEVICE void operator()(const thread& self) const {
    magpie::count_digits(self, n, piece, pieces, shift, bits, counts,
                         [&](u64 i) { return magpie::ld_plain(&keys[i]); });
  }
};
MAGPIE_KERNEL(count_digits)

/// Moves keys, and up to two arrays that go with them, to the places of their digits.
struct move_digits {
  u64 n;
  u64 piece;
  u32 pieces;
  u32 shift;
  u32 bits;
  array<u32> counts;
  array<const u32> keys;
  array<u32> keys_out;
  const u32* first;
  u32* first_out;
  const u32* second;
  u32* second_out;

  MAGPIE_DEVICE void operator()(const thread& self) const {
    magpie::move_to_digits(
        self, n, piece, pieces, shift, bits, counts, [&](u64 i) { return magpie::ld_plain(&keys[i]); },
        [&](u64 i, u32 place) {
          magpie::st_plain(&keys_out[place], magpie::ld_plain(&keys[i]));
          if (first != nullptr) magpie::st_plain(&first_out[place], magpie::ld_plain(&first[i]));
          if (second != nullptr) magpie::st_plain(&second_out[place], magpie::ld_plain(&second[i]));
        });
  }
};
MAGPIE_KERNEL(move_digits)

/// For each element the number of its segment plus 1; 0 before the first segment, `segments` + 1 behind the last.
struct number_segments {
  u64 n;
  u32 segments;
  u32 pieces;
  array<const u32> offsets;
  array<u32> numbers;

  MAGPIE_DEVICE void operator()(const thread& self) const {
    const magpie::csr_pieces csr{segments, pieces, offsets};
    for (u32 c = magpie::warp_rank(self); c < pieces; c += magpie::warp_count(self)) {
      csr.for_each_block(self, c, [&](const magpie::segment_block& b) {
        magpie::for_each_element(self, b, [&](u32 a, u32 owner, bool here) {
          if (here) magpie::st_plain(&numbers[a], b.segment - self.lane() + owner + 1);
        });
      });
    }
    const u64 begin = magpie::ld_plain(&offsets[0]);
    const u64 end = magpie::ld_plain(&offsets[segments]);
    for (u64 i : self.items(begin)) magpie::st_plain(&numbers[i], 0);
    for (u64 i : self.items(n - end)) magpie::st_plain(&numbers[end + i], segments + 1);
  }
};
MAGPIE_KERNEL(number_segments)

/// Copies what lies in segments back.
struct copy_segments {
  u32 segments;
  array<const u32> offsets;
  array<const u32> keys;
  array<u32> keys_out;
  const u32* values;
  u32* values_out;

  MAGPIE_DEVICE void operator()(const thread& self) const {
    const u64 begin = magpie::ld_plain(&offsets[0]);
    const u64 end = magpie::ld_plain(&offsets[segments]);
    for (u64 i : self.items(end - begin)) {
      magpie::st_plain(&keys_out[begin + i], magpie::ld_plain(&keys[begin + i]));
      if (values != nullptr) magpie::st_plain(&values_out[begin + i], magpie::ld_plain(&values[begin + i]));
    }
  }
};
MAGPIE_KERNEL(copy_segments)

/// Sorts each segment by one thread: for processors, whose threads are fast and few. In short ones each element counts those
/// before it, without a branch to be guessed; longer ones are sorted by radix, from the lowest digit, without a pass for a
/// digit that all keys share. Stable. A segment is the thread's in whose piece it begins.
///
/// Participation: any thread; pieces go to warps, lane 0 of each. Shared state: each segment's elements, and the same places
/// of the buffers, belong to one thread.
struct sort_each_segment {
  u32 segments;
  u32 pieces;
  array<const u32> offsets;
  array<u32> keys;
  u32* values;
  array<u32> key_buffer;
  u32* value_buffer;

  static constexpr u32 counted = 48;  ///< up to this length by counting

  MAGPIE_DEVICE void operator()(const thread& self) const {
    const magpie::csr_pieces csr{segments, pieces, offsets};
    const u64 total = csr.total();
    const u64 piece = csr.piece();
    for (u32 c = magpie::warp_rank(self); c < pieces; c += magpie::warp_count(self)) {
      const u64 from = c * piece;
      if (from >= total) return;
      u32 s = csr.segment_at(self, from);
      const u32 zero = csr.offset(0);
      if (s + u64{csr.offset(s)} - zero < from) ++s;
      for (; s < segments && s + u64{csr.offset(s)} - zero < from + piece; ++s) {
        if (self.lane() == 0) sort(csr.offset(s), csr.offset(s + 1));
      }
    }
  }

 private:
  MAGPIE_INLINE void sort(u32 from, u32 to) const {
    if (to - from <= 1) return;
    if (to - from <= counted) {
      sort_by_counting(from, to - from);
    } else {
      sort_by_radix(from, to);
    }
  }

  MAGPIE_NOINLINE void sort_by_counting(u32 from, u32 n) const {
    // Processors compare signed numbers four at a time.
    i32 signed_key[counted];
    u32 key[counted];
    u32 value[counted];
    const u32 whole = (n + 3) / 4 * 4;
    for (u32 i = 0; i < n; ++i) {
      key[i] = magpie::ld_own(&keys[from + i]);
      value[i] = values != nullptr ? magpie::ld_own(&values[from + i]) : 0;
      signed_key[i] = static_cast<i32>(key[i] ^ 0x80000000u);
    }
    for (u32 i = n; i < whole; ++i) signed_key[i] = magpie::highest<i32>;  // not less than any, and behind its equals
    MAGPIE_NO_UNROLL
    for (i32 i = 0; i < static_cast<i32>(n); ++i) {
      i32 place = 0;
      MAGPIE_NO_UNROLL
      for (i32 j = 0; j < static_cast<i32>(whole); ++j) {
        place += (signed_key[j] < signed_key[i]) + ((signed_key[j] == signed_key[i]) & (j < i));
      }
      magpie::st_plain(&keys[from + place], key[i]);
      if (values != nullptr) magpie::st_plain(&values[from + place], value[i]);
    }
  }

  MAGPIE_NOINLINE void sort_by_radix(u32 from, u32 to) const {
    u32 place[4][256] = {};
    for (u32 i = from; i < to; ++i) {
      const u32 key = magpie::ld_own(&keys[i]);
      for (u32 d = 0; d < 4; ++d) ++place[d][key >> 8 * d & 255u];
    }
    u32* in_keys = &keys[from];
    u32* in_values = values == nullptr ? nullptr : values + from;
    u32* out_keys = &key_buffer[from];
    u32* out_values = values == nullptr ? nullptr : value_buffer + from;
    const u32 n = to - from;
    const u32 any = magpie::ld_own(in_keys);
    for (u32 d = 0; d < 4; ++d) {
      if (place[d][any >> 8 * d & 255u] == n) continue;
      u32 sum = 0;
      for (u32& p : place[d]) {
        const u32 count = p;
        p = sum;
        sum += count;
      }
      MAGPIE_NO_UNROLL
      for (u32 i = 0; i < n; ++i) {
        const u32 key = magpie::ld_own(&in_keys[i]);
        const u32 at = place[d][key >> 8 * d & 255u]++;
        magpie::st_plain(&out_keys[at], key);
        if (values != nullptr) magpie::st_plain(&out_values[at], magpie::ld_own(&in_values[i]));
      }
      swap(in_keys, out_keys);
      swap(in_values, out_values);
    }
    if (in_keys == &keys[from]) return;
    for (u32 i = 0; i < n; ++i) {
      magpie::st_plain(&out_keys[i], magpie::ld_own(&in_keys[i]));
      if (values != nullptr) magpie::st_plain(&out_values[i], magpie::ld_own(&in_values[i]));
    }
  }

  MAGPIE_INLINE static void swap(u32*& a, u32*& b) {
    u32* const c = a;
    a = b;
    b = c;
  }
};
MAGPIE_KERNEL(sort_each_segment)

/// Sweeps up: a warp copies a tile of `in`, filled up with the identity, into the tree `x` and builds it. Segments, where
/// there are `flags`: `f` receives their tree, and for the next array goes to `next_f` the root and to `next_heads`
/// the tile's first head flag. `flags` and `heads` are the same in the first array.
template <class T>
struct two_sweep_up {
  u64 n;
  u32 tile;
  u32 op;
  const T* in;  ///< may be x
  const u32* flags;
  const u32* heads;
  array<T> x;
  u32* f;
  array<T> next_x;
  u32* next_f;
  u32* next_heads;

  MAGPIE_DEVICE void operator()(const thread& self) const {
    with_operator<T>(op, [&](auto o) {
      magpie::for_each_piece(self, n, tile, [&](u64 c, u64 from, u64) {
        for (u64 i = from + self.lane(); i < from + tile; i += self.width()) {
          magpie::st_rlx_dev(&x[i], i < n ? magpie::ld_own(&in[i]) : o.identity());
          if (f != nullptr) magpie::st_rlx_dev(&f[i], i < n && magpie::ld_own(&flags[i]) != 0 ? 1u : 0u);
        }
        if (f == nullptr) {
          magpie::sweep_up(self, &x[from], tile, o);
        } else {
          magpie::sweep_up(self, &x[from], &f[from], tile, o);
        }
        if (self.lane() == 0) {
          magpie::st_plain(&next_x[c], magpie::ld_rlx_dev(&x[from + tile - 1]));
          if (f != nullptr) {
            magpie::st_plain(&next_f[c], magpie::ld_rlx_dev(&f[from + tile - 1]));
            magpie::st_plain(&next_heads[c], magpie::ld_plain(&heads[from]));
          }
        }
      });
    });
  }
};
MAGPIE_KERNEL_AS(two_sweep_up_ints, two_sweep_up<i32>)
MAGPIE_KERNEL_AS(two_sweep_up_longs, two_sweep_up<i64>)

/// Sweeps down from the scanned roots, or from the identity where there are none, which is the one tile of the last array;
/// then, where there is an `out`, to it.
template <class T>
struct two_sweep_down {
  u64 n;
  u32 tile;
  u32 op;
  u32 inclusive;
  const T* roots;
  const u32* heads;
  array<T> x;
  u32* f;
  const T* in;  ///< may be out
  T* out;

  MAGPIE_DEVICE void operator()(const thread& self) const {
    with_operator<T>(op, [&](auto o) {
      magpie::for_each_piece(self, n, tile, [&](u64 c, u64 from, u64 to) {
        if (self.lane() == 0) {
          magpie::st_rlx_dev(&x[from + tile - 1], roots != nullptr ? magpie::ld_plain(&roots[c]) : o.identity());
        }
        if (f == nullptr) {
          magpie::sweep_down(self, &x[from], tile, o);
        } else {
          magpie::sweep_down(self, &x[from], &f[from], tile, o,
                             [&](u32 i) { return from + i < n && magpie::ld_plain(&heads[from + i]) != 0; });
        }
        if (out == nullptr) return;
        for (u64 i = from + self.lane(); i < to; i += self.width()) {
          const T before = magpie::ld_rlx_dev(&x[i]);
          magpie::st_plain(&out[i], inclusive != 0 ? o(before, magpie::ld_own(&in[i])) : before);
        }
      });
    });
  }
};
MAGPIE_KERNEL_AS(two_sweep_down_ints, two_sweep_down<i32>)
MAGPIE_KERNEL_AS(two_sweep_down_longs, two_sweep_down<i64>)

/// 1 for each set flag, else 0.
struct ones_of_flags {
  u64 n;
  array<const u32> flags;
  array<u32> out;

  MAGPIE_DEVICE void operator()(const thread& self) const {
    for (u64 i : self.items(n)) magpie::st_plain(&out[i], magpie::ld_plain(&flags[i]) != 0 ? 1u : 0u);
  }
};
MAGPIE_KERNEL(ones_of_flags)

/// The marks' values in passing order, 0 elsewhere, and which they are.
template <class T>
struct keep_marks {
  u64 n;
  u32 backwards;
  array<const u32> heads;
  array<const T> in;
  array<T> out;
  array<u32> marks;

  MAGPIE_DEVICE void operator()(const thread& self) const {
    const direction way{n, backwards != 0, heads};
    for (u64 k : self.items(n)) {
      const bool mark = way.mark(k);
      magpie::st_plain(&out[k], mark ? magpie::ld_plain(&in[way.at(k)]) : T{0});
      magpie::st_plain(&marks[k], mark ? 1u : 0u);
    }
  }
};
MAGPIE_KERNEL_AS(keep_marks_ints, keep_marks<u32>)
MAGPIE_KERNEL_AS(keep_marks_longs, keep_marks<u64>)

template <class T>
struct reverse {
  u64 n;
  array<const T> in;
  array<T> out;

  MAGPIE_DEVICE void operator()(const thread& self) const {
    for (u64 i : self.items(n)) magpie::st_plain(&out[n - 1 - i], magpie::ld_plain(&in[i]));
  }
};
MAGPIE_KERNEL_AS(reverse_ints, reverse<u32>)
MAGPIE_KERNEL_AS(reverse_longs, reverse<u64>)

/// Packing by places that were enumerated before.
template <class T>
struct pack_to_places {
  u64 n;
  array<const u32> flags;
  array<const u32> places;
  const T* in;
  array<T> out;
  u32* count;

  MAGPIE_DEVICE void operator()(const thread& self) const {
    for (u64 i : self.items(n)) {
      const u32 place = magpie::ld_plain(&places[i]);
      const bool set = magpie::ld_plain(&flags[i]) != 0;
      if (set && place < out.length) {
        magpie::st_plain(&out[place], in == nullptr ? static_cast<T>(i) : magpie::ld_plain(&in[i]));
      }
      if (i == n - 1) magpie::st_plain(count, place + (set ? 1u : 0u));
    }
  }
};
MAGPIE_KERNEL_AS(pack_ints_to_places, pack_to_places<u32>)
MAGPIE_KERNEL_AS(pack_longs_to_places, pack_to_places<u64>)

/// The terms of pack.cuh.
struct split_terms {
  u64 n;
  array<const u32> flags;
  array<const u32> heads;
  array<u32> out;

  MAGPIE_DEVICE void operator()(const thread& self) const {
    for (u64 i : self.items(n)) {
      magpie::st_plain(&out[i],
                       magpie::split_term(static_cast<u32>(i), is_head(heads, i), magpie::ld_plain(&flags[i]) != 0));
    }
  }
};
MAGPIE_KERNEL(split_terms)

/// Moves each element by its own place's and its segment's tail's sum.
struct split_to_places {
  u64 n;
  array<const u32> flags;
  array<const u32> heads;
  array<const u32> places;
  array<const u32> tail_places;
  array<u32> heads_out;
  const u32* first;
  u32* first_out;
  const u32* second;
  u32* second_out;

  MAGPIE_DEVICE void operator()(const thread& self) const {
    const split_target target{heads, heads_out, first, first_out, second, second_out};
    for (u64 i : self.items(n)) {
      target.move(static_cast<u32>(i), magpie::ld_plain(&flags[i]) != 0, magpie::ld_plain(&places[i]),
                  magpie::ld_plain(&tail_places[i]));
    }
  }
};
MAGPIE_KERNEL(split_to_places)

/// Head flags of what lies in no segment: each element is its own; elsewhere none. Before `mark_segment_heads`.
struct mark_outside {
  u64 n;
  u32 segments;
  array<const u32> offsets;
  array<u32> heads;

  MAGPIE_DEVICE void operator()(const thread& self) const {
    const u64 begin = magpie::ld_plain(&offsets[0]);
    const u64 end = magpie::ld_plain(&offsets[segments]);
    for (u64 i : self.items(n)) magpie::st_plain(&heads[i], i < begin || i >= end ? 1u : 0u);
  }
};
MAGPIE_KERNEL(mark_outside)

/// Shared state: heads, one writer for each: only one segment that is not empty begins at an element.
struct mark_segment_heads {
  u32 segments;
  array<const u32> offsets;
  array<u32> heads;

  MAGPIE_DEVICE void operator()(const thread& self) const {
    for (u32 s : self.items(segments)) {
      const u32 first = magpie::ld_plain(&offsets[s]);
      if (first < magpie::ld_plain(&offsets[s + 1])) magpie::st_plain(&heads[first], 1u);
    }
  }
};
MAGPIE_KERNEL(mark_segment_heads)

/// Which elements are larger than their pivot, or not smaller.
struct flag_larger {
  u64 n;
  u32 or_equal;
  array<const u32> keys;
  array<const u32> pivots;
  array<u32> flags;

  MAGPIE_DEVICE void operator()(const thread& self) const {
    for (u64 i : self.items(n)) {
      const u32 key = magpie::ld_plain(&keys[i]);
      const u32 pivot = magpie::ld_plain(&pivots[i]);
      magpie::st_plain(&flags[i], key > pivot || (or_equal != 0 && key == pivot) ? 1u : 0u);
    }
  }
};
MAGPIE_KERNEL(flag_larger)

/// Which elements are smaller than the one before them in their segment.
struct flag_unsorted {
  u64 n;
  array<const u32> keys;
  array<const u32> heads;
  array<u32> flags;

  MAGPIE_DEVICE void operator()(const thread& self) const {
    for (u64 i : self.items(n)) {
      const bool falls = !is_head(heads, i) && magpie::ld_plain(&keys[i]) < magpie::ld_plain(&keys[i - 1]);
      magpie::st_plain(&flags[i], falls ? 1u : 0u);
    }
  }
};
MAGPIE_KERNEL(flag_unsorted)

}  // namespace primitives
