// Priority bins, driven by a host that takes the first bin, or some more, deliver every item once and the more urgent ones first,
// as loops over a sorted list do.
// flavors: cpu sim cpu-asan sim-asan
// full flavors: cpu
#include "magpie/parallel/priority_bins.cuh"

#include <algorithm>
#include <numeric>

#include "test.hpp"

using namespace magpie;
using std::uint32_t;

namespace {

constexpr uint32_t bins = priority_bins::count;
constexpr uint32_t end_words = priority_bins::end_words;

array<uint32_t> of(std::vector<uint32_t>& words) { return {words.data(), words.size()}; }

/// The host's part, as short as it can be: every bin has room for all items, and bins are moved on by hand.
class host_bins {
 public:
  host_bins(uint32_t items, uint32_t classes, uint32_t threads)
      : classes_(classes), threads_(threads), room_(items), waiting_(bins * items, 0), count_(bins, 0) {}

  uint32_t bin_of(uint32_t of_class) const { return priority_bins::of(of_class, base_); }
  uint32_t waiting() const { return std::accumulate(count_.begin(), count_.end(), 0u); }

  /// New items by class; moves the bins on if nothing waits.
  template <class ClassOf>
  std::vector<uint32_t> count(std::vector<uint32_t>& fresh, ClassOf class_of) {
    std::vector<uint32_t> counts(classes_, 0);
    const class_counting counting{static_cast<uint32_t>(fresh.size()), of(fresh), of(counts)};
    host::run([&](const thread& self) { counting.run(self, class_of); }, threads_);
    if (waiting() == 0) {
      base_ = 1;
      while (base_ < classes_ && counts[base_] == 0) ++base_;
    }
    return counts;
  }

  /// Takes all bins up to the threshold.
  template <class ClassOf>
  std::vector<uint32_t> take(std::vector<uint32_t>& fresh, uint32_t threshold, ClassOf class_of) {
    std::vector<uint32_t> due(fresh.size() + waiting(), 0);
    std::vector<uint32_t> plan(end_words * (1 + bins), 0);
    uint32_t turns = 0, sources = 0;
    const auto add = [&](uint32_t n, uint32_t bin, uint32_t first) {
      if (n == 0) return;
      uint32_t range = 1;
      while (range < n) range *= 2;
      turns += range;
      ++sources;
      plan.insert(plan.end(), {range, 7, n, bin, first});
    };
    add(static_cast<uint32_t>(fresh.size()), bin_sorting::no_bin, 0);
    for (uint32_t b = 0; b < bins; ++b) {
      plan[end_words * (1 + b)] = room_ * b + (b <= threshold ? 0 : count_[b]);
      if (b <= threshold) add(count_[b], b, room_ * b);
    }
    if (sources != 0) {
      const bin_sorting sorting{turns, sources, base_, threshold, of(fresh), of(due), of(waiting_), of(plan)};
      host::run([&](const thread& self) { sorting.run(self, class_of); }, threads_);
      for (uint32_t b = 0; b < bins; ++b) count_[b] = plan[end_words * (1 + b)] - room_ * b;
    }
    due.resize(plan[0]);
    return due;
  }

  /// The first bin but 0 that is not empty, with the new items of each class.
  uint32_t first(const std::vector<uint32_t>& counts) const {
    std::vector<uint32_t> all = count_;
    for (uint32_t c = 0; c < classes_; ++c) all[bin_of(c)] += counts[c];
    uint32_t bin = 1;
    while (bin < bins - 1 && all[bin] == 0) ++bin;
    return bin;
  }

  /// What waits in the last bin, which becomes empty.
  std::vector<uint32_t> take_beyond() {
    const auto at = waiting_.begin() + room_ * (bins - 1);
    std::vector<uint32_t> items(at, at + count_[bins - 1]);
    count_[bins - 1] = 0;
    return items;
  }

 private:
  uint32_t classes_;
  uint32_t threads_;
  uint32_t room_;
  std::vector<uint32_t> waiting_;
  std::vector<uint32_t> count_;
  uint32_t base_ = 1;
};

}  // namespace

int main() {
  test::run("bins of classes", [] {
    for (const uint32_t base : {1u, 2u, 100u}) {
      CHECK_EQ(priority_bins::of(0, base), 0u);
      uint32_t last = 0;
      for (uint32_t c = 1; c < base + 200; ++c) {
        const uint32_t bin = priority_bins::of(c, base);
        CHECK(bin >= last && bin <= last + 1 && bin >= 1 && bin < bins);
        CHECK_EQ(bin == 1, c <= base);
        CHECK_EQ(bin == bins - 1, c >= base + bins - 2);
        last = bin;
      }
      CHECK_EQ(priority_bins::of(no_class - 1, base), bins - 1);
    }
  });
  test::run("counts by class", [] {
    test::for_each_setting(6, [](uint32_t threads) {
      const std::string machine = test::setting();
      for (uint32_t seed = 0; seed < 6; ++seed) {
        test::setting() = machine + ", input " + std::to_string(seed);
        test::random random(seed);
        constexpr uint32_t classes = 300;
        // Many are equal modulo the width of a warp.
        std::vector<uint32_t> class_of(64);
        for (uint32_t& c : class_of) {
          c = random.below(4) == 0 ? no_class : random.below(3) == 0 ? random.below(classes) : 16 * random.below(6);
        }
        std::vector<uint32_t> items(random.below(300));
        std::vector<uint32_t> expected(classes, 0);
        for (uint32_t& item : items) {
          item = random.below(64);
          if (class_of[item] != no_class) ++expected[class_of[item]];
        }
        host_bins host(1, classes, threads);
        CHECK(host.count(items, [&](uint32_t item) { return class_of[item]; }) == expected);
      }
    });
  });
  test::run("delivers once and in order", [] {
    test::for_each_setting(4, [](uint32_t threads) {
      const std::string machine = test::setting();
      for (uint32_t seed = 0; seed < 3; ++seed) {
        test::setting() = machine + ", input " + std::to_string(seed);
        test::random random(seed);
        constexpr uint32_t items = 150, classes = 400;
        std::vector<uint32_t> class_of(items);
        for (uint32_t& c : class_of) c = random.below(seed == 0 ? 3 : classes);
        const auto key = [&](uint32_t item) { return class_of[item]; };
        host_bins host(2 * items, classes, threads);
        std::vector<uint32_t> delivered(items, 0);
        std::vector<bool> dropped(items, false);
        std::vector<uint32_t> fresh;
        uint32_t pushed = 0;  // items below have been pushed
        while (pushed < items || host.waiting() != 0) {
          for (uint32_t n = random.below(40); n != 0 && pushed < items; --n) fresh.push_back(pushed++);
          const uint32_t some = random.below(items);
          if (some < pushed - fresh.size() && class_of[some] != no_class) {  // it waits
            if (random.below(2) == 0) {
              dropped[some] = true;
              class_of[some] = no_class;
            } else if (class_of[some] > 40) {
              const uint32_t before = host.bin_of(class_of[some]);
              class_of[some] -= 40;
              if (host.bin_of(class_of[some]) != before) fresh.push_back(some);
            }
          }
          std::vector<uint32_t> counts = host.count(fresh, key);
          if (host.first(counts) == bins - 1) {
            const std::vector<uint32_t> beyond = host.take_beyond();
            fresh.insert(fresh.end(), beyond.begin(), beyond.end());
            counts = host.count(fresh, key);
          }
          const uint32_t threshold = std::min(host.first(counts) + (seed == 2 ? random.below(60) : 0), bins - 2);
          const std::vector<uint32_t> due = host.take(fresh, threshold, key);
          fresh.clear();
          uint32_t last = 0;
          for (const uint32_t item : due) {
            CHECK(class_of[item] != no_class);
            last = std::max(last, class_of[item]);
            ++delivered[item];
          }
          for (const uint32_t item : due) class_of[item] = no_class;  // done
          for (uint32_t item = 0; item < pushed; ++item) CHECK(due.empty() || class_of[item] > last);
        }
        for (uint32_t item = 0; item < items; ++item) CHECK_EQ(delivered[item], dropped[item] ? 0u : 1u);
      }
    });
  });
  return test::finish();
}
