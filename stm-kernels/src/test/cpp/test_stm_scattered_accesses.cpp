// flavors: cpu sim
// full flavors: cpu
// Threads in flight of regions that declare scattered accesses: the rule by its table of cases, what counts as a region's objects
// and data, and that launches follow it unless they were asked for a number.
#include <fstream>

#include "stm_test.hpp"

using namespace magpie;
using stm::outcome;
using test::object_array;

/// Adds 1 to a datum of `value`.
template <bool Declared, class Layout = stm::apart>
struct add_in {
  stm::guarded<std::int32_t, stm::same_index, Layout> value;
  static constexpr std::uint32_t max_objects = 1, max_writes = 1;
  static constexpr bool scattered_accesses = Declared;
  static constexpr bool opens_fused_cells = std::is_same_v<Layout, stm::fused>;
  template <class Tx>
  MAGPIE_DEVICE outcome operator()(Tx& tx, std::uint32_t item) const {
    const auto at = static_cast<std::uint32_t>(item * 7 % value.size());
    MAGPIE_TRY(tx.set(value, at, MAGPIE_TRY(tx.get(value, at)) + 1));
    return outcome::commit;
  }
};

/// The same with more arguments.
struct add_among_others {
  add_in<true> first;               // a struct among the fields
  stm::guarded<std::int64_t> same;  // of the same objects
  stm::guarded_matrix<float> rows;  // of objects of its own
  array<std::uint32_t> unguarded;
  std::uint32_t number;
  static constexpr std::uint32_t max_objects = 1, max_writes = 1;
  static constexpr bool scattered_accesses = true;
  template <class Tx>
  MAGPIE_DEVICE outcome operator()(Tx& tx, std::uint32_t item) const {
    return first(tx, item);
  }
};

static_assert(!stm::has_scattered_accesses<add_in<false>> && stm::has_scattered_accesses<add_in<true>>);

constexpr std::uint32_t n = 64;
constexpr std::uint64_t bytes = n * (sizeof(std::uint32_t) + sizeof(std::int32_t));

/// The threads of a launch on a machine with such a cache.
template <class Policy = stm::hand_off, class Region>
std::uint32_t threads_of(const Region& region, std::uint32_t items, std::uint64_t cache_bytes,
                         std::uint32_t asked_for = 0) {
  host::simulated() = {0, 0, 4};
  host::simulated().l2_cache_bytes = cache_bytes;
  test::region_options options;
  options.threads = asked_for;
  const std::uint32_t threads = test::finishes<Policy>(region, items, options, {}).threads;
  host::simulated() = {};
  return threads;
}

/// As many threads as the machine runs where nothing bounds them.
std::uint32_t full_grid() { return host::default_threads<stm::region_kernel<add_in<true>, stm::hand_off, false>>(); }
std::uint32_t expected(std::uint32_t eighths) {
  const std::uint32_t width = test::simulated ? 4 : 1;
  return std::max(full_grid() * eighths / 8 / width, 1u) * width;
}

int main() {
  test::run("the rule", [] {
    const std::string source = __FILE__;
    std::ifstream cases(source.substr(0, source.find_last_of('/')) + "/threads_in_flight_cases.txt");
    CHECK(cases.is_open());
    std::uint32_t found = 0;
    for (std::string text; std::getline(cases, text);) {
      if (text.empty() || text[0] == '#') continue;
      test::setting() = text;
      std::istringstream line(text);
      std::uint32_t full, width, wanted;
      std::uint64_t items, data, cache;
      std::string arrow;
      CHECK(line >> full >> width >> items >> data >> cache >> arrow >> wanted);
      const std::uint32_t threads = host::threads_for_scattered_accesses(full, width, items, data, cache);
      CHECK_EQ(threads, wanted);
      CHECK(threads <= full && threads > 0);
      ++found;
    }
    CHECK(found > 20);
  });

  test::run("what counts", [] {
    object_array objects(n), of_rows(16);
    host::buffer<std::int32_t> value(n, 0);
    host::buffer<std::int64_t> same(n, 0);
    host::buffer<float> rows(16 * 3, 0);
    host::buffer<std::uint32_t> unguarded(1000, 0);
    const auto view = objects.view<stm::hand_off>();
    const add_in<true> first{{value.view(), view}};
    CHECK_EQ(host::bytes_of_objects<stm::hand_off>(first), bytes);
    const add_among_others all{
        first, {same.view(), view}, {rows.view(), 3, of_rows.view<stm::hand_off>()}, unguarded.view(), 7};
    CHECK_EQ(host::bytes_of_objects<stm::hand_off>(all), bytes + n * 8 + 16 * (4 + 3 * 4));
    host::cell_array<std::int32_t> cells(n, 0);
    CHECK_EQ(host::bytes_of_objects<stm::hand_off>(add_in<true, stm::beside>{cells.view<stm::hand_off>()}), n * 8);
    host::cell_array<std::int32_t, stm::fused> fused(n, 0);
    CHECK_EQ(host::bytes_of_objects<stm::hand_off>(add_in<true, stm::fused>{fused.view<stm::hand_off>()}), n * 8);
    // With versions, which begin 1 KB behind the words.
    const add_in<true> versioned{{value.view(), objects.view<stm::optimistic_hand_off>()}};
    CHECK_EQ(host::bytes_of_objects<stm::optimistic_hand_off>(versioned), 1024 + n * 4 + n * 4);
  });

  test::run("launches", [] {
    object_array objects(n);
    host::buffer<std::int32_t> value(n, 0);
    const auto view = objects.view<stm::hand_off>();
    const add_in<true> declared{{value.view(), view}};
    const add_in<false> not_declared{{value.view(), view}};
    const std::uint32_t full = full_grid(), items = full + 1;
    CHECK(!test::simulated || expected(3) < expected(4));
    CHECK_EQ(threads_of(declared, items, bytes), full);
    CHECK_EQ(threads_of(declared, items, bytes - 1), expected(4));
    CHECK_EQ(threads_of(declared, items, bytes / 4), expected(4));
    CHECK_EQ(threads_of(declared, items, bytes / 4 - 1), expected(3));
    CHECK_EQ(threads_of(declared, full, 1), full);
    CHECK_EQ(threads_of(declared, items, 1, 9), 9u);
    CHECK_EQ(threads_of(declared, items, 1, full), full);
    CHECK_EQ(threads_of(not_declared, items, 1), full);
    CHECK_EQ(threads_of(declared, items, host::simulation().l2_cache_bytes), full);
    std::int64_t sum = 0;
    for (const std::int32_t each : value.get()) sum += each;
    CHECK_EQ(sum, std::int64_t{8} * items + full);

    const add_in<true> other{{value.view(), objects.view<stm::priority_rule>()}};
    CHECK_EQ(threads_of<stm::priority_rule>(other, items, bytes - 1), expected(4));
    host::cell_array<std::int32_t> cells(n, 0);
    const add_in<true, stm::beside> in_cells{cells.view<stm::hand_off>()};
    CHECK_EQ(threads_of(in_cells, items, bytes), full);
    CHECK_EQ(threads_of(in_cells, items, bytes - 1), expected(4));
  });
  return test::finish();
}
