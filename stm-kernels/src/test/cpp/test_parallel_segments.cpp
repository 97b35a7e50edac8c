// Warp segmentation visits each element once with its segment, reduces segments in their order, and cuts them into pieces
// of equal work.
// full flavors: cpu
#include "magpie/parallel/warp_segmentation.cuh"

#include "test.hpp"

using namespace magpie;
using std::uint32_t;
using std::uint64_t;

/// Concatenation of two short strings of digits, as value and length: associative, does not commute.
struct joined {
  uint64_t identity() const { return 0; }
  uint64_t operator()(uint64_t a, uint64_t b) const {
    return (a & 0xff) + (b & 0xff) > 255 ? 255 : hash(a, b) << 8 | ((a & 0xff) + (b & 0xff));
  }
  /// A polynomial's value at 31: joining is associative in it.
  static uint64_t hash(uint64_t a, uint64_t b) {
    uint64_t power = 1;
    for (uint64_t i = 0; i < (b & 0xff); ++i) power = power * 31 % 1'000'003;
    return ((a >> 8) * power + (b >> 8)) % 1'000'003;
  }
  static uint64_t letter(uint64_t v) { return v % 1'000'003 << 8 | 1; }
};

struct csr {
  std::vector<uint32_t> offsets;
  std::vector<uint64_t> letters;

  /// `begin` elements before the first segment.
  csr(uint32_t seed, uint32_t segments, uint32_t longest, uint32_t begin) {
    test::random random(seed);
    offsets.push_back(begin);
    for (uint32_t s = 0; s < segments; ++s) {
      const bool hub = random.below(20) == 0;
      offsets.push_back(offsets.back() + (random.below(3) == 0 ? 0 : random.below(hub ? longest : 5)));
    }
    for (uint32_t a = 0; a < offsets.back(); ++a) letters.push_back(joined::letter(random.below(1000)));
  }
  uint32_t segments() const { return static_cast<uint32_t>(offsets.size() - 1); }
  uint64_t expected(uint32_t s) const {
    uint64_t sum = 0;
    for (uint32_t a = offsets[s]; a < offsets[s + 1]; ++a) sum = joined{}(sum, letters[a]);
    return sum;
  }
};

template <class Body>
void for_each_csr(Body&& body) {
  test::for_each_setting(test::scaled(5, 3), [&](uint32_t threads) {
    const std::string name = test::setting();
    uint32_t seed = 0;
    for (const uint32_t segments : {1u, 4u, 5u, 33u, 90u}) {
      for (const uint32_t longest : {1u, 40u, 200u}) {
        ++seed;
        const csr graph(seed, segments, longest, seed % 3);
        test::setting() = name + ", input " + std::to_string(seed);
        body(graph, threads);
      }
    }
  });
}

int main() {
  test::run("owners", [] {
    for_each_csr([](const csr& graph, uint32_t threads) {
      std::vector<uint32_t> owner(graph.letters.size(), no_segment);
      const array<const uint32_t> offsets{graph.offsets.data(), graph.offsets.size()};
      host::run(
          [&](const thread& self) {
            for (uint64_t base : self.warp_items(uint64_t{graph.segments()})) {
              const segment_block b = block_at(self, offsets, graph.segments(), base);
              for_each_element(self, b, [&](uint32_t a, uint32_t lane, bool here) {
                // All lanes are here together.
                const uint32_t segment = self.shuffle(b.segment, lane);
                if (!here) return;
                CHECK_EQ(owner[a], no_segment);
                owner[a] = segment;
              });
            }
          },
          threads);
      for (uint32_t a = 0; a < graph.offsets[0]; ++a) CHECK_EQ(owner[a], no_segment);
      for (uint32_t s = 0; s < graph.segments(); ++s) {
        for (uint32_t a = graph.offsets[s]; a < graph.offsets[s + 1]; ++a) CHECK_EQ(owner[a], s);
      }
    });
  });
  test::run("reductions by a warp", [] {
    for_each_csr([](const csr& graph, uint32_t threads) {
      std::vector<uint64_t> out(graph.segments(), 7);
      const array<const uint32_t> offsets{graph.offsets.data(), graph.offsets.size()};
      host::run(
          [&](const thread& self) {
            for (uint64_t base : self.warp_items(uint64_t{graph.segments()})) {
              const segment_block b = block_at(self, offsets, graph.segments(), base);
              const uint64_t sum = reduce_elements<uint64_t>(self, b, joined{}, [&](uint32_t a, uint32_t lane) {
                CHECK(b.segment - self.lane() + lane < graph.segments());
                return graph.letters[a];
              });
              if (b.present) out[b.segment] = sum;
            }
          },
          threads);
      for (uint32_t s = 0; s < graph.segments(); ++s) CHECK_EQ(out[s], graph.expected(s));
    });
  });
  test::run("reductions by pieces", [] {
    for_each_csr([](const csr& graph, uint32_t threads) {
      for (const uint32_t pieces : {1u, 2u, 3u, 8u, 31u, 500u}) {
        const array<const uint32_t> offsets{graph.offsets.data(), graph.offsets.size()};
        const csr_pieces cut{graph.segments(), pieces, offsets};
        std::vector<uint64_t> leads(pieces), tails(pieces), out(graph.segments(), 7);
        std::vector<uint32_t> open(pieces, 7), stores(graph.segments());
        const array<uint64_t> lead{leads.data(), pieces}, tail{tails.data(), pieces};
        const array<uint32_t> opened{open.data(), pieces};
        const auto store = [&](uint32_t s, uint64_t v) {
          ++stores[s];
          out[s] = v;
        };
        host::run(
            [&](const thread& self) {
              reduce_segments(
                  self, cut, lead, tail, opened, joined{}, [&](uint32_t a) { return graph.letters[a]; }, store);
            },
            threads);
        host::run([&](const thread& self) { join_segments(self, cut, lead, tail, opened, joined{}, store); }, threads);
        for (uint32_t s = 0; s < graph.segments(); ++s) {
          CHECK_EQ(out[s], graph.expected(s));
          CHECK_EQ(stores[s], 1u);
        }
      }
    });
  });
  test::run("equal pieces", [] {
    for_each_csr([](const csr& graph, uint32_t threads) {
      for (const uint32_t pieces : {1u, 5u, 64u}) {
        const array<const uint32_t> offsets{graph.offsets.data(), graph.offsets.size()};
        const csr_pieces cut{graph.segments(), pieces, offsets};
        std::vector<uint32_t> visits(graph.letters.size()), begins(graph.segments()), work(pieces);
        host::run(
            [&](const thread& self) {
              for (uint32_t c = warp_rank(self); c < pieces; c += warp_count(self)) {
                cut.for_each_block(self, c, [&](const segment_block& b) {
                  if (b.present) {
                    ++begins[b.segment];
                    ++work[c];
                  }
                  for_each_element(self, b, [&](uint32_t a, uint32_t, bool here) {
                    if (!here) return;
                    ++visits[a];
                    ++work[c];
                  });
                });
              }
            },
            threads);
        for (uint32_t a = 0; a < visits.size(); ++a) CHECK_EQ(visits[a], a < graph.offsets[0] ? 0u : 1u);
        for (const uint32_t n : begins) CHECK_EQ(n, 1u);
        for (const uint32_t n : work) CHECK(n <= cut.piece());
      }
    });
  });
  return test::finish();
}
