// flavors: cpu sim cpu-asan
// full flavors: sim
// A module's table against the compiler's own layout, and launches through its two C symbols.
#include "magpie/kernel.cuh"

#include <cstddef>
#include <map>

#include "magpie/stm.cuh"
#include "test.hpp"

using magpie::array;
using magpie::thread;

struct pair_of_words {
  std::uint32_t a, b;
};
struct three_words {
  std::uint32_t a, b, c;
};
struct three_bytes {
  std::uint8_t a, b, c;
};

/// Every kind of field, in an order that needs padding.
struct zoo {
  std::int32_t small_signed;
  double real_wide;
  std::uint32_t small_unsigned;
  std::int64_t wide_signed;
  float real;
  std::uint64_t wide_unsigned;
  std::uint32_t before_array;
  array<std::uint32_t> words;
  array<const float> reals;
  array<std::int64_t> wides;
  double* raw;
  const std::uint64_t* raw_const;
  magpie::stm::objects things;
  array<pair_of_words> pairs;
  array<const three_words> triples;
  pair_of_words* raw_pairs;
  MAGPIE_DEVICE void operator()(const thread& self) const {
    if (self.rank() != 0) return;
    magpie::st_rlx_dev(&words[0], static_cast<std::uint32_t>(small_signed + static_cast<std::int32_t>(real_wide)));
    magpie::st_rlx_dev(&wides[0], wide_signed + static_cast<std::int64_t>(wide_unsigned));
    *raw = real + magpie::ld_plain(&reals[1]);
  }
};
MAGPIE_KERNEL(zoo)

/// Elements of 1 and 2 bytes, in arrays and behind pointers.
struct narrow {
  array<std::int8_t> bytes;
  array<const std::uint8_t> unsigned_bytes;
  std::int16_t* shorts;
  const std::uint16_t* unsigned_shorts;
  array<char16_t> letters;
  array<bool> flags;
  array<three_bytes> threes;
  magpie::matrix<const std::uint16_t> table;
  MAGPIE_DEVICE void operator()(const thread& self) const {
    if (self.rank() != 0) return;
    magpie::st_rlx_dev(&bytes[1], static_cast<std::int8_t>(-magpie::ld_plain(&unsigned_bytes[0])));
    magpie::st_rlx_dev(shorts, static_cast<std::int16_t>(magpie::ld_plain(unsigned_shorts) - 1));
    magpie::st_rlx_dev(shorts + 1, static_cast<std::int16_t>(magpie::ld_plain(&table(1, 2)) + table.rows()));
  }
};
MAGPIE_KERNEL(narrow)

/// Reads a place of a matrix that the host chooses.
struct one_place {
  std::uint64_t row, column;
  magpie::matrix<std::uint32_t> table;
  array<std::uint32_t> found;
  MAGPIE_DEVICE void operator()(const thread& self) const {
    if (self.rank() == 0) magpie::st_rlx_dev(&found[0], magpie::ld_rlx_dev(&table(row, column)));
  }
};
MAGPIE_KERNEL(one_place)

/// Fields that kernels share, with a struct among them.
struct inner_fields {
  float scale;
  array<double> values;
};
struct shared_fields {
  array<std::uint32_t> words;
  inner_fields inner;
  std::uint32_t tail;
};
struct nested {
  std::uint32_t before;
  shared_fields shared;
  std::uint32_t after;
  MAGPIE_DEVICE void operator()(const thread&) const {
    magpie::st_rlx_dev(&shared.words[0], before + after + shared.tail);
    magpie::st_rlx_dev(&shared.inner.values[0], static_cast<double>(shared.inner.scale));
  }
};
MAGPIE_KERNEL(nested)

constexpr unsigned shared_words = 10;
MAGPIE_CONSTANT(shared_words)
namespace limits {
constexpr std::int64_t least = INT64_MIN;
}
MAGPIE_CONSTANT(limits::least)

struct nothing {
  MAGPIE_DEVICE void operator()(const thread&) const {}
};
MAGPIE_KERNEL(nothing)

struct one_field {
  array<std::uint32_t> total;
  MAGPIE_DEVICE void operator()(const thread& self) const { magpie::add_rlx_dev(&total[0], self.rank() + 1); }
};
MAGPIE_KERNEL(one_field)

struct as_many_as_there_may_be {
  std::uint32_t a0, a1, a2, a3, a4, a5, a6, a7, a8, a9, b0, b1, b2, b3, b4, b5, b6, b7, b8, b9, c0, c1, c2, last_of_24;
  MAGPIE_DEVICE void operator()(const thread&) const {}
};
MAGPIE_KERNEL(as_many_as_there_may_be)

template <class T, int Scale>
struct scale_by {
  array<T> values;
  MAGPIE_DEVICE void operator()(const thread& self) const {
    for (const std::uint64_t i : self.items(values.size())) {
      magpie::st_plain(&values[i], static_cast<T>(Scale * magpie::ld_own(&values[i])));
    }
  }
};
MAGPIE_KERNEL_AS(scale_int_by_3, scale_by<std::int32_t, 3>)
MAGPIE_KERNEL_AS(scale_double_by_2, scale_by<double, 2>)

struct out_of_range {
  array<std::uint32_t> values;
  std::uint64_t at;
  MAGPIE_DEVICE void operator()(const thread&) const { magpie::st_rlx_dev(&values[at], 1u); }
};
MAGPIE_KERNEL(out_of_range)

struct touch {
  std::uint32_t padding_first;
  magpie::stm::objects things;
  array<std::int32_t> values;
  static constexpr std::uint32_t max_objects = 3, max_writes = 5;
  template <class Tx>
  MAGPIE_DEVICE magpie::stm::outcome operator()(Tx& tx, std::uint32_t item) const {
    const auto thing = tx.open(things, item);
    std::int32_t value;
    if (!thing || !tx.read(thing, &values[item], value)) return magpie::stm::outcome::retry;
    if (!tx.write(thing, &values[item], value + 1)) return magpie::stm::outcome::retry;
    return magpie::stm::outcome::commit;
  }
};
MAGPIE_REGION(touch)

struct opted_out {
  magpie::stm::objects things;
  static constexpr std::uint32_t max_objects = 1, max_writes = 1;
  static constexpr magpie::stm::reads reads = magpie::stm::reads::unvalidated;
  static constexpr bool order_dependent = true;
  static constexpr bool scattered_accesses = true;
  template <class Tx>
  MAGPIE_DEVICE magpie::stm::outcome operator()(Tx&, std::uint32_t) const {
    return magpie::stm::outcome::cancel;
  }
};
MAGPIE_REGION(opted_out)

struct pushing {
  magpie::stm::pool<0> first;
  magpie::stm::pool<1> second;
  static constexpr std::uint32_t max_objects = 0, max_writes = 0, max_pushes = 7;
  static constexpr std::uint32_t max_slots[] = {1, 9};
  template <class Tx>
  MAGPIE_DEVICE magpie::stm::outcome operator()(Tx& tx, std::uint32_t item) const {
    if (!tx.reserve(first, 1) || !tx.reserve(second, 9)) return magpie::stm::outcome::defer;
    tx.push(item + tx.take(first) + tx.take(second));
    return magpie::stm::outcome::commit;
  }
};
MAGPIE_REGION(pushing)

using line = std::vector<std::string>;

std::vector<line> table() {
  std::vector<line> lines;
  std::istringstream text(magpie_module_table());
  for (std::string raw; std::getline(text, raw);) {
    lines.emplace_back();
    std::istringstream tokens(raw);
    for (std::string token; std::getline(tokens, token, ' ');) lines.back().push_back(token);
  }
  return lines;
}

/// The lines of a kernel, region or constant: its own, then its fields' and variants'.
std::vector<line> section(const std::string& kind, const std::string& name) {
  std::vector<line> found;
  bool inside = false;
  for (const line& each : table()) {
    if (each[0] != "field" && each[0] != "variant") inside = each[0] == kind && each[1] == name;
    if (inside) found.push_back(each);
  }
  CHECK(!found.empty());
  return found;
}

std::uint32_t index_of(const std::string& kernel) {
  return static_cast<std::uint32_t>(std::stoul(section("kernel", kernel)[0][2]));
}

#define FIELD(type, name, kind) \
  line { "field", #name, std::to_string(offsetof(type, name)), std::to_string(sizeof(type::name)), kind }

template <class Functor>
std::int32_t launch(std::uint32_t index, const Functor& functor, std::string& message, std::uint64_t first = 0,
                    std::uint64_t last = 8) {
  char text[256] = "untouched";
  const magpie_launch_args args{8, first, last, 5, 0, 4, 0};
  const std::int32_t code = magpie_launch(index, &functor, &args, text, sizeof text);
  message = text;
  return code;
}

int main() {
  test::run("head", [] {
    const line head = table()[0];
    const bool checked = MAGPIE_CHECKS_BOUNDS != 0;
    CHECK(head == (line{"magpie", "11", test::simulated ? "sim" : "cpu", checked ? "checked" : "plain", "quiet"}));
    CHECK(!test::simulated || checked);
    CHECK_EQ(static_cast<const void*>(magpie_module_table()), static_cast<const void*>(magpie_module_table()));
    const std::string text = magpie_module_table();
    CHECK_EQ(text.back(), '\n');
    CHECK(text.find("\n\n") == std::string::npos);
    CHECK(text.find("  ") == std::string::npos);
  });

  test::run("fields", [] {
    const auto lines = section("kernel", "zoo");
    CHECK(lines[0] == (line{"kernel", "zoo", "0", std::to_string(sizeof(zoo)), std::to_string(alignof(zoo))}));
    const std::vector<line> expected = {FIELD(zoo, small_signed, "i32"),
                                        FIELD(zoo, real_wide, "f64"),
                                        FIELD(zoo, small_unsigned, "u32"),
                                        FIELD(zoo, wide_signed, "i64"),
                                        FIELD(zoo, real, "f32"),
                                        FIELD(zoo, wide_unsigned, "u64"),
                                        FIELD(zoo, before_array, "u32"),
                                        FIELD(zoo, words, "array:u32"),
                                        FIELD(zoo, reals, "array:const:f32"),
                                        FIELD(zoo, wides, "array:i64"),
                                        FIELD(zoo, raw, "ptr:f64"),
                                        FIELD(zoo, raw_const, "ptr:const:u64"),
                                        FIELD(zoo, things, "objects"),
                                        FIELD(zoo, pairs, "array:bytes8"),
                                        FIELD(zoo, triples, "array:const:bytes12"),
                                        FIELD(zoo, raw_pairs, "ptr:bytes8")};
    CHECK_EQ(lines.size(), expected.size() + 1);
    for (std::size_t i = 0; i < expected.size(); ++i) {
      for (std::size_t token = 0; token < expected[i].size(); ++token)
        CHECK_EQ(lines[i + 1][token], expected[i][token]);
      CHECK_EQ(lines[i + 1].size(), expected[i].size());
    }
    CHECK_EQ(section("kernel", "nothing").size(), 1u);
    CHECK_EQ(section("kernel", "nothing")[0][3], "1");
    CHECK_EQ(section("kernel", "one_field").size(), 2u);
    const auto many = section("kernel", "as_many_as_there_may_be");
    CHECK_EQ(many.size(), 25u);
    CHECK(many[24] == (line{"field", "last_of_24", "92", "4", "u32"}));
    CHECK(section("kernel", "scale_int_by_3")[1] == (line{"field", "values", "0", "16", "array:i32"}));
    CHECK(section("kernel", "scale_double_by_2")[1] == (line{"field", "values", "0", "16", "array:f64"}));
  });

  test::run("structs of fields", [] {
    const auto lines = section("kernel", "nested");
    const std::size_t shared = offsetof(nested, shared), inner = shared + offsetof(shared_fields, inner);
    const auto field = [](const char* name, std::size_t offset, std::size_t size, const char* kind) {
      return line{"field", name, std::to_string(offset), std::to_string(size), kind};
    };
    CHECK_EQ(lines.size(), 7u);
    CHECK(lines[1] == FIELD(nested, before, "u32"));
    CHECK(lines[2] == field("shared.words", shared + offsetof(shared_fields, words), 16, "array:u32"));
    CHECK(lines[3] == field("shared.inner.scale", inner + offsetof(inner_fields, scale), 4, "f32"));
    CHECK(lines[4] == field("shared.inner.values", inner + offsetof(inner_fields, values), 16, "array:f64"));
    CHECK(lines[5] == field("shared.tail", shared + offsetof(shared_fields, tail), 4, "u32"));
    CHECK(lines[6] == FIELD(nested, after, "u32"));
    std::string message;
    std::uint32_t word = 0;
    double value = 0;
    const nested launched{1, {{&word, 1}, {2.5f, {&value, 1}}, 10}, 100};
    CHECK_EQ(launch(index_of("nested"), launched, message), launch_ok);
    CHECK_EQ(word, 111u);
    CHECK_EQ(value, 2.5);
  });

  test::run("narrow elements and matrices", [] {
    const auto lines = section("kernel", "narrow");
    const std::size_t table = offsetof(narrow, table);
    const std::vector<line> expected = {FIELD(narrow, bytes, "array:i8"),
                                        FIELD(narrow, unsigned_bytes, "array:const:u8"),
                                        FIELD(narrow, shorts, "ptr:i16"),
                                        FIELD(narrow, unsigned_shorts, "ptr:const:u16"),
                                        FIELD(narrow, letters, "array:u16"),
                                        FIELD(narrow, flags, "array:bytes1"),  // not all numbers are values of it
                                        FIELD(narrow, threes, "array:bytes3"),
                                        line{"field", "table.data", std::to_string(table), "16", "array:const:u16"},
                                        line{"field", "table.columns", std::to_string(table + 16), "4", "u32"}};
    CHECK_EQ(lines.size(), expected.size() + 1);
    for (std::size_t i = 0; i < expected.size(); ++i) CHECK(lines[i + 1] == expected[i]);
    std::int8_t bytes[3] = {1, 2, 3};
    const std::uint8_t unsigned_bytes[1] = {100};
    std::int16_t shorts[2] = {0, 0};
    const std::uint16_t unsigned_short = 65535, cells[7] = {0, 1, 2, 3, 4, 500, 6};
    std::string message;
    const narrow launched{{bytes, 3}, {unsigned_bytes, 1}, shorts, &unsigned_short, {}, {}, {}, {{cells, 7}, 3}};
    CHECK_EQ(launch(index_of("narrow"), launched, message), launch_ok);
    CHECK(bytes[0] == 1 && bytes[1] == -100 && bytes[2] == 3);
    CHECK_EQ(shorts[0], -2);
    CHECK_EQ(shorts[1], 502);  // what is behind the last whole row is no row
  });

  test::run("constants", [] {
    CHECK_EQ(section("constant", "shared_words").size(), 1u);
    CHECK(section("constant", "shared_words")[0] == (line{"constant", "shared_words", "10"}));
    CHECK(section("constant", "limits::least")[0] == (line{"constant", "limits::least", "-9223372036854775808"}));
  });

  test::run("regions", [] {
    const auto lines = section("region", "touch");
    CHECK(lines[0] == (line{"region", "touch", std::to_string(sizeof(touch)), std::to_string(alignof(touch)), "3", "5",
                            "1", "0", "0", "-"}));
    CHECK(lines[1] == FIELD(touch, padding_first, "u32"));
    CHECK(lines[2] == FIELD(touch, things, "objects"));
    CHECK(lines[3] == FIELD(touch, values, "array:i32"));
    CHECK_EQ(lines.size(), 4u + 2u);
    std::map<std::string, int> variants;
    for (std::size_t i = 4; i < lines.size(); ++i) {
      CHECK_EQ(lines[i].size(), 7u);
      CHECK_EQ(lines[i][0], "variant");
      ++variants[lines[i][1] + " " + lines[i][2]];
      CHECK_EQ(lines[i][5], std::to_string(sizeof(magpie::stm::control) + sizeof(touch)));
      CHECK_EQ(lines[i][6], std::to_string(sizeof(magpie::stm::control)));
    }
    for (const char* variant : {"hand_off fixed", "hand_off paged"}) CHECK_EQ(variants[variant], 1);
    CHECK_EQ(section("region", "opted_out")[0][6], "0");
    CHECK_EQ(section("region", "opted_out")[0][7], "1");
    CHECK_EQ(section("region", "opted_out")[0][8], "1");
    const auto pushes = section("region", "pushing");
    CHECK_EQ(pushes[0][9], "7");
    CHECK(pushes[1] == FIELD(pushing, first, "pool:0"));
    CHECK(pushes[2] == FIELD(pushing, second, "pool:1"));
  });

  test::run("launches", [] {
    std::string message;
    std::vector<std::uint32_t> total(1, 0);
    const one_field sums{{total.data(), 1}};
    CHECK_EQ(launch(index_of("one_field"), sums, message), launch_ok);
    CHECK_EQ(total[0], 36u);
    CHECK_EQ(message, "untouched");
    std::vector<std::int32_t> values(1000, 7);
    CHECK_EQ(launch(index_of("scale_int_by_3"), scale_by<std::int32_t, 3>{{values.data(), 1000}}, message), launch_ok);
    for (const std::int32_t value : values) CHECK_EQ(value, 21);
    std::uint32_t word = 0;
    std::int64_t wide = 0;
    double real = 0;
    const float reals[2] = {0, 0.5f};
    const zoo animals{-5,         9.0,        0,     -(1ll << 40), 0.25f, 1ull << 41, 0,  {&word, 1},
                      {reals, 2}, {&wide, 1}, &real, nullptr,      {},    {},         {}, nullptr};
    CHECK_EQ(launch(index_of("zoo"), animals, message), launch_ok);
    CHECK_EQ(word, 4u);
    CHECK_EQ(wide, 1ll << 40);
    CHECK_EQ(real, 0.75);
  });

#if !defined(MAGPIE_MACHINE_SIM)
  test::run("parts of a grid", [] {
    std::string message;
    std::uint32_t total = 0;
    const one_field sums{{&total, 1}};
    CHECK_EQ(launch(index_of("one_field"), sums, message, 2, 5), launch_ok);
    CHECK_EQ(total, 3u + 4 + 5);
    CHECK_EQ(launch(index_of("one_field"), sums, message, 5, 5), launch_ok);
    CHECK_EQ(total, 12u);
  });
#endif

  test::run("launches: fields of the control block and counters, once", [] {
    using magpie::stm::control;
    namespace counter = magpie::stm::counter;
    std::size_t bytes = 0;
    std::size_t words = 0;
    std::map<std::string, line> controls;
    std::map<std::string, line> counters;
    for (const line& each : table()) {
      if (each[0] == "control") {
        CHECK_EQ(std::stoul(each[2]), bytes);  // no padding, and nothing left out
        bytes += std::stoul(each[3]) * std::stoul(each[4]);
        CHECK(controls.emplace(each[1], each).second);
      }
      if (each[0] == "counter") {
        CHECK_EQ(std::stoul(each[2]), words);
        words += std::stoul(each[3]);
        CHECK(counters.emplace(each[1], each).second);
      }
    }
    CHECK_EQ(bytes, sizeof(control));
    CHECK_EQ(words, std::size_t{counter::total});
    const auto is = [](const line& found, std::size_t place, const std::string& rest) {
      CHECK_EQ(found[2], std::to_string(place));
      CHECK_EQ(found[3] + (found.size() > 4 ? " " + found[4] : ""), rest);
    };
    is(controls["history"], offsetof(control, history), "8 1");
    is(controls["polls"], offsetof(control, polls), "4 1");
    is(controls["work.carried"], offsetof(control, work) + offsetof(magpie::stm::worklist, carried), "4 1");
    is(controls["returned_room"], offsetof(control, returned_room), "4 4");
    is(counters["commits"], counter::commits, "1");
    is(counters["objects_histogram"], counter::objects_histogram, "16");
    is(counters["pools"], counter::pools, "8");
  });

  test::run("what launches share with their host, once, before kernels", [] {
    std::map<std::string, line> shared;
    bool before_kernels = true;
    for (const line& each : table()) {
      before_kernels = before_kernels && each[0] != "kernel" && each[0] != "region";
      if (each[0] != "shared" && each[0] != "member") continue;
      CHECK(before_kernels);
      CHECK_EQ(each.size(), each[0] == "shared" ? 3u : 4u);
      CHECK(shared.emplace(each[1], each).second);
    }
    const auto is = [&](const std::string& name, std::size_t number) {
      CHECK(shared[name] == (line{"shared", name, std::to_string(number)}));
    };
    const auto lies = [&](const std::string& name, std::size_t offset, std::size_t bytes) {
      CHECK(shared[name] == (line{"member", name, std::to_string(offset), std::to_string(bytes)}));
    };
    is("sizeof(magpie_event)", sizeof(magpie_event));
    lies("magpie_event.value", offsetof(magpie_event, value), 8);
    lies("magpie_event.kind", offsetof(magpie_event, kind), 1);
    is("launch_lasso", launch_lasso);
    is("launch_too_long", launch_too_long);
    is("trace_event::fixed_read", static_cast<std::size_t>(magpie::trace_event::fixed_read));
    is("sizeof(history)", sizeof(magpie::stm::history));
    lies("history.data", offsetof(magpie::stm::history, data), sizeof(magpie::access_notes));
    lies("access_notes.marks", offsetof(magpie::access_notes, marks), 8);
    is("highest_rank", magpie::stm::highest_rank);
    is("control::by_bits", magpie::stm::control::by_bits);
    is("access_kind::undone", static_cast<std::size_t>(magpie::stm::access_kind::undone));
    is("hand_off::tag", magpie::stm::hand_off::tag);
    is("hand_off::words_of_launch", magpie::stm::hand_off::words_of_launch);
    CHECK_EQ(shared.count("priority_rule::tag"), 0u);  // no variant is of it
  });

  test::run("faults", [] {
    std::string message;
    CHECK_EQ(launch(12345, nothing{}, message), launch_unknown_kernel);
    CHECK_CONTAINS(message, "no kernel of index 12345");
#if MAGPIE_CHECKS_BOUNDS
    std::uint32_t word = 0;
    CHECK_EQ(launch(index_of("out_of_range"), out_of_range{{&word, 1}, 0}, message), launch_ok);
    CHECK_EQ(launch(index_of("out_of_range"), out_of_range{{&word, 1}, 1ull << 40}, message), launch_bounds_fault);
    CHECK_CONTAINS(message, "kernel out_of_range: ");
    CHECK_CONTAINS(message, "index 1099511627776 is outside 'values' of length 1");
    std::uint32_t cells[7] = {0, 1, 2, 3, 4, 5, 6};
    for (const auto& [row, column] : {std::pair{2ull, 0ull}, {0ull, 3ull}, {1ull << 63, 1ull}}) {
      CHECK_EQ(launch(index_of("one_place"), one_place{row, column, {{cells, 7}, 3}, {&word, 1}}, message),
               launch_bounds_fault);
      CHECK_CONTAINS(message, "row " + std::to_string(row) + ", column " + std::to_string(column) +
                                  " is outside 'table.data' of 2 rows and 3 columns");
    }
    CHECK_EQ(launch(index_of("one_place"), one_place{0, 0, {{cells, 7}, 0}, {&word, 1}}, message), launch_bounds_fault);
    CHECK_CONTAINS(message, "of 0 rows and 0 columns");
    // An object beyond the array's count, found by `open` in a region's kernel.
    magpie_launch_args args{8, 0, 8, 0, 0, 4, 0};
    struct {
      magpie::stm::control control;
      touch region;
    } work{};
    std::uint32_t tracking[2] = {0, 0};
    std::int32_t values[2] = {0, 0};
    std::uint64_t statistics[magpie::stm::counter::total] = {};
    std::uint32_t pending = 0;
    work.control.items = 3;
    work.control.first_rank = 100;
    work.control.pending = &pending;
    work.control.statistics = statistics;
    work.region = {0, {tracking, 2, magpie::stm::hand_off::tag}, {values, 2}};
    std::uint32_t index = 0;
    for (const line& each : section("region", "touch")) {
      if (each[0] == "variant" && each[1] == "hand_off" && each[2] == "fixed") index = std::stoul(each[4]);
    }
    char text[256] = "";
    CHECK_EQ(magpie_launch(index, &work, &args, text, sizeof text), launch_bounds_fault);
    CHECK_CONTAINS(text, "kernel touch__hand_off: ");
    CHECK_CONTAINS(text, ", item 2: index 2 is outside ");
    CHECK_CONTAINS(text, "of length 2");
    work.control.items = 2;
    CHECK_EQ(magpie_launch(index, &work, &args, text, sizeof text), launch_ok);
    CHECK_EQ(values[1] > 0, true);
    CHECK_EQ(statistics[magpie::stm::counter::commits] >= 2, true);
#endif
  });
  return test::finish();
}
