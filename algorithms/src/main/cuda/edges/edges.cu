/// @file
/// The module `edges`: edges of generated graphs, each computed from its 64-bit number alone, so that a stream of them needs
/// neither a graph nor an upload. Bit by bit those of `GeneratedEdges` in Java, on every machine.
///
/// Layer: algorithm. Participation: any thread, one edge each. Shared state: none. Determinism: schedule_independent.
/// Bytes: 12 out per edge.
///
/// Weights are bits as Java has them. Arithmetic on doubles is one rounded operation at a time, as Java's: no compiler
/// fuses two.
#include "magpie/kernel.cuh"
#include "permutation.cuh"

namespace edges {

using u32 = std::uint32_t;
using u64 = std::uint64_t;
using magpie::array;
using magpie::thread;

/// Number `index` of the random numbers that a key names; SplitMix64.
MAGPIE_INLINE u64 draw(u64 key, u64 index) {
  u64 z = key + (index + 1) * 0x9e3779b97f4a7c15u;
  z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9u;
  z = (z ^ z >> 27) * 0x94d049bb133111ebu;
  return z ^ z >> 31;
}

/// A number below `bound`, 1 to 2^32, from the upper half of a random one.
MAGPIE_INLINE u32 below(u64 random, u64 bound) { return static_cast<u32>((random >> 32) * bound >> 32); }

/// Both ends of an edge.
struct pair {
  u32 source;
  u32 target;
};

/// Ends drawn uniformly, two different ones.
struct uniform {
  u32 vertices;  ///< 2 or more
  u64 key;

  MAGPIE_INLINE pair ends(u64 number) const {
    const u32 u = below(draw(key, 2 * number), vertices);
    const u32 v = below(draw(key, 2 * number + 1), vertices - 1);
    return {u, v >= u ? v + 1 : v};
  }
};

/// Cells of a recursive matrix, R-MAT, for any number of vertices; see `RecursiveMatrix` in Java.
struct recursive_matrix {
  u32 vertices;
  u32 levels;
  u32 until_a;  ///< of 65536: where the draws of the quadrant a end, and so on
  u32 until_b;
  u32 until_c;
  u64 key;
  permutation numbers;

  MAGPIE_INLINE pair ends(u64 number) const {
    u32 u = 0;
    u32 v = 0;
    u64 bits = 0;
    for (u32 level = 0; level < levels; ++level) {
      if ((level & 3) == 0) bits = draw(key, number << 3 | level >> 2);
      const u32 drawn = static_cast<u32>(bits) & 0xffffu;
      bits >>= 16;
      const u32 past_a = (until_a - 1 - drawn) >> 31;
      const u32 past_b = (until_b - 1 - drawn) >> 31;
      const u32 past_c = (until_c - 1 - drawn) >> 31;
      u = u << 1 | past_b;
      v = v << 1 | (past_a - past_b + past_c);
    }
    return {numbers.of(vertex(u), vertices), numbers.of(vertex(v), vertices)};
  }

 private:
  /// The vertex that all the bits of an end stand for.
  MAGPIE_INLINE u32 vertex(u32 bits) const {
    if (vertices == u64{1} << levels) return bits;
    const u64 range = bits >> 1;
    const u32 shift = levels - 1;
    const u64 half = u64{1} << (shift - 1);
    const u32 first = static_cast<u32>((range * vertices + half) >> shift);
    const u32 next = static_cast<u32>(((range + 1) * vertices + half) >> shift);
    return first + (bits & (next - first - 1));
  }
};

/// How edges get weights.
enum weight_kind : u32 { weight_one, weight_int, weight_float };
MAGPIE_CONSTANT(weight_one)
MAGPIE_CONSTANT(weight_int)
MAGPIE_CONSTANT(weight_float)

/// Weights as functions of both ends, in either order.
struct weight_rule {
  u32 kind;
  u32 least;  ///< of ints
  u64 bound;  ///< how many ints there are
  double lowest;
  double highest;
  u64 key;

  MAGPIE_INLINE u32 bits(pair ends) const {
    if (kind == weight_one) return 1;
    const u32 a = ends.source < ends.target ? ends.source : ends.target;
    const u32 b = ends.source < ends.target ? ends.target : ends.source;
    const u64 random = draw(key, u64{a} << 32 | b);
    if (kind == weight_int) return least + below(random, bound);
    const double u = magpie::mul_rn(static_cast<double>(random >> 11), 0x1p-53);
    const double drawn = magpie::add_rn(magpie::mul_rn(lowest, magpie::sub_rn(1.0, u)), magpie::mul_rn(highest, u));
    const double inside = drawn < lowest ? lowest : drawn > highest ? highest : drawn;
    return __builtin_bit_cast(u32, static_cast<float>(inside) + 0.0f);  // no -0.0
  }
};

/// Computes edges that follow each other.
template <class Rule>
struct make_edges {
  u32 count;
  u64 first;
  Rule rule;
  weight_rule weight;
  array<u32> sources;
  array<u32> targets;
  array<u32> weights;

  MAGPIE_DEVICE void operator()(const thread& self) const {
    for (u32 i : self.items(count)) {
      const pair ends = rule.ends(first + i);
      magpie::st_plain(&sources[i], ends.source);
      magpie::st_plain(&targets[i], ends.target);
      magpie::st_plain(&weights[i], weight.bits(ends));
    }
  }
};
MAGPIE_KERNEL_AS(random_edges, make_edges<uniform>)
MAGPIE_KERNEL_AS(rmat_edges, make_edges<recursive_matrix>)

}  // namespace edges
