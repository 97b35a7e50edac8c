// A worklist has what a loop over the same items would have put there: as a multiset if it was pushed to in any way, in the
// loop's order if by marks. Each item is popped once.
// flavors: cpu sim cpu-asan sim-asan
// full flavors: cpu
#include "magpie/parallel/worklist.cuh"

#include <algorithm>

#include "test.hpp"

using namespace magpie;
using std::uint32_t;
using std::uint64_t;

namespace {

/// A list with its memory; behind its places is one that nobody may write to.
struct list {
  std::vector<uint32_t> places;
  uint64_t counters[3] = {};

  explicit list(uint64_t capacity) : places(capacity + 1, guard) {}

  worklist device() { return {{places.data(), places.size() - 1}, counters, counters + 1, counters + 2}; }
  uint64_t pushed() const { return counters[0]; }
  std::vector<uint32_t> items() const {
    CHECK_EQ(places.back(), guard);
    const uint64_t n = std::min<uint64_t>(pushed(), places.size() - 1);
    return {places.begin(), places.begin() + static_cast<std::ptrdiff_t>(n)};
  }

  static constexpr uint32_t guard = 0xdeadbeefu;
};

std::vector<uint32_t> sorted(std::vector<uint32_t> items) {
  std::sort(items.begin(), items.end());
  return items;
}

/// Whether every item of `part` is one of `whole`, as often as there at most.
bool within(std::vector<uint32_t> part, std::vector<uint32_t> whole) {
  part = sorted(part);
  whole = sorted(whole);
  return std::includes(whole.begin(), whole.end(), part.begin(), part.end());
}

/// How an item's successors are pushed, and items taken.
enum class way { push, writer, pop, pop_warp };

/// Pushes the successors of items: item % 4 of them, none of those that are large.
struct expand {
  way by;
  uint32_t n;
  worklist in;
  worklist out;

  static uint32_t successors(uint32_t item) { return item > 4000 ? 0 : item % 4; }
  static uint32_t successor(uint32_t item, uint32_t k) { return item * 5 + k; }

  MAGPIE_DEVICE void operator()(const thread& self) const {
    uint32_t item = 0;
    if (by == way::writer) {
      worklist_writer writer(worklist{out});  // which is gone when it writes
      for (uint32_t i : self.items(n)) {
        if (!in.item(i, item)) continue;
        for (uint32_t k = 0; k < successors(item); ++k) writer.push(self, successor(item, k));
      }
      writer.flush();
    } else if (by == way::pop) {
      while (in.pop(self, item)) push(self, item);
      CHECK(!in.pop(self, item));
    } else if (by == way::pop_warp) {
      for (uint32_t lanes; (lanes = in.pop_warp(self, item)) != 0;) {
        CHECK(lanes <= self.width());
        if (self.lane() < lanes) push(self, item);
      }
    } else {
      for (uint32_t i : self.items(n)) {
        if (in.item(i, item)) push(self, item);
      }
      CHECK(!in.item(in.size(), item));
    }
  }

 private:
  MAGPIE_INLINE void push(const thread& self, uint32_t item) const {
    for (uint32_t k = 0; k < successors(item); ++k) out.push(self, successor(item, k));
  }
};

/// The same by a loop.
std::vector<uint32_t> expanded(const std::vector<uint32_t>& items) {
  std::vector<uint32_t> next;
  for (const uint32_t item : items) {
    for (uint32_t k = 0; k < expand::successors(item); ++k) next.push_back(expand::successor(item, k));
  }
  return next;
}

}  // namespace

int main() {
  test::run("rounds of two lists", [] {
    test::for_each_setting(test::scaled(8, 4), [](uint32_t threads) {
      const std::string machine = test::setting();
      for (const way by : {way::push, way::writer, way::pop, way::pop_warp}) {
        for (const uint32_t seeds : {0u, 1u, 3u, 33u, 120u}) {
          test::setting() =
              machine + ", way " + std::to_string(static_cast<int>(by)) + ", " + std::to_string(seeds) + " items";
          list a(700), b(700);
          for (uint32_t i = 0; i < seeds; ++i) a.places[a.counters[0]++] = i + 1;
          std::vector<uint32_t> expected = a.items();
          list* in = &a;
          list* out = &b;
          for (uint32_t round = 0; round < 4 && expected.size() < 200; ++round) {
            const uint32_t n = static_cast<uint32_t>(in->pushed()) + round;  // of more than there are, none is an item
            host::run(expand{by, n, in->device(), out->device()}, threads);
            expected = expanded(expected);
            CHECK_EQ(out->pushed(), expected.size());
            CHECK(sorted(out->items()) == sorted(expected));
            std::swap(in, out);
            std::fill(out->counters, out->counters + 3, 0);
          }
        }
      }
    });
  });
  test::run("beyond the capacity", [] {
    test::for_each_setting(test::scaled(6, 3), [](uint32_t threads) {
      for (const way by : {way::push, way::writer}) {
        for (const uint64_t capacity : {uint64_t{0}, uint64_t{1}, uint64_t{40}, uint64_t{299}}) {
          list in(200), out(capacity);
          for (uint32_t i = 0; i < 200; ++i) in.places[in.counters[0]++] = i;
          const std::vector<uint32_t> all = expanded(in.items());
          CHECK_EQ(all.size(), 300u);
          host::run(expand{by, 200, in.device(), out.device()}, threads);
          CHECK_EQ(out.pushed(), all.size());
          CHECK_EQ(out.items().size(), capacity);
          CHECK(within(out.items(), all));
          // To whoever reads it, it has what it has room for.
          host::run([&](const thread&) { CHECK_EQ(out.device().size(), capacity); }, threads);
        }
      }
    });
  });
  test::run("in order by marks", [] {
    test::for_each_setting(test::scaled(6, 3), [](uint32_t threads) {
      const std::string machine = test::setting();
      for (const uint32_t n : {0u, 1u, 33u, 128u, 129u, 400u}) {
        for (const uint32_t piece : {16u, 127u, 400u}) {
          for (const uint32_t one_in : {1u, 3u, 1000u}) {
            test::setting() = machine + ", " + std::to_string(n) + " items in pieces of " + std::to_string(piece) +
                              ", one in " + std::to_string(one_in);
            test::random random(n + piece + one_in);
            std::vector<uint32_t> marks(n), expected;
            for (uint32_t& mark : marks) mark = random.below(one_in) == 0;
            std::vector<uint32_t> sums((n + piece - 1) / piece);
            const array<uint32_t> counted{sums.data(), sums.size()};
            for (const uint64_t room : {uint64_t{2} * n + 2, uint64_t{n}, uint64_t{n / 3}}) {
              list to(room);
              to.counters[0] = 2;  // of which there may be no places
              if (room >= 2) to.places[0] = to.places[1] = 7;
              expected = {7, 7};
              for (uint32_t pass = 0; pass < 2; ++pass) {  // one behind the other
                const auto mark = [&](uint64_t i) { return marks[i] != 0; };
                const auto item = [&](uint64_t i) { return static_cast<uint32_t>(3 * i + pass); };
                if (n > piece || pass == 0) {
                  host::run([&](const thread& self) { count_marked(self, n, piece, counted, mark, to.device()); },
                            threads);
                }
                host::run([&](const thread& self) { push_marked(self, n, piece, counted, mark, item, to.device()); },
                          threads);
                for (uint32_t i = 0; i < n; ++i) {
                  if (marks[i] != 0) expected.push_back(3 * i + pass);
                }
                CHECK_EQ(to.pushed(), expected.size());
              }
              if (expected.size() > room) expected.resize(room);
              if (room >= 2) CHECK(to.items() == expected);
            }
          }
        }
      }
    });
  });
  return test::finish();
}
