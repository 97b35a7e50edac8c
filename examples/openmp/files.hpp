/// @file
/// What the programs read and write: Magpie's binary graphs (`.mpg`), formulas in the DIMACS format (`.cnf`), and results, of
/// which a file appears complete or not at all.
#pragma once

#include <unistd.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cerrno>
#include <charconv>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <limits>
#include <stdexcept>
#include <string>
#include <string_view>
#include <system_error>
#include <utility>
#include <variant>
#include <vector>

namespace baseline {

/// Something that the user can mend: a file, an argument. Ends the program with status 1.
struct failure : std::runtime_error {
  using std::runtime_error::runtime_error;
};

/// In place of the weights of a graph that has none.
struct ones {
  constexpr std::int32_t operator[](std::size_t) const { return 1; }
};

using weights =
    std::variant<ones, std::vector<std::int32_t>, std::vector<std::int64_t>, std::vector<float>, std::vector<double>>;

/// The arcs of vertex v are `offsets[v]` .. `offsets[v + 1] - 1`. An edge is two arcs, a self-loop one.
struct graph {
  bool directed = false;
  std::vector<std::int32_t> offsets;
  std::vector<std::int32_t> neighbors;
  weights weight;

  std::int32_t vertices() const { return static_cast<std::int32_t>(offsets.size()) - 1; }
};

namespace detail {

static_assert(std::endian::native == std::endian::little, "the files' order of bytes");

/// A CRC-32C over all that is added.
class checksum {
 public:
  void add(const void* bytes, std::size_t count) {
    static constexpr std::array<std::uint32_t, 256> table = [] {
      std::array<std::uint32_t, 256> made{};
      for (std::uint32_t i = 0; i < 256; ++i) {
        std::uint32_t word = i;
        for (int bit = 0; bit < 8; ++bit) word = word >> 1 ^ (word & 1 ? 0x82f63b78u : 0u);
        made[i] = word;
      }
      return made;
    }();
    const auto* next = static_cast<const unsigned char*>(bytes);
    for (std::size_t i = 0; i < count; ++i) state_ = state_ >> 8 ^ table[(state_ ^ next[i]) & 255];
  }
  std::uint32_t value() const { return ~state_; }

 private:
  std::uint32_t state_ = ~0u;
};

/// A file that is read from its beginning to its end.
class binary_input {
 public:
  explicit binary_input(const std::string& name) : name_(name), in_(name, std::ios::binary) {
    std::error_code error;
    size_ = std::filesystem::file_size(name, error);
    if (!in_ || error) throw failure(name + ": cannot be read: " + (error ? error.message() : std::strerror(errno)));
  }

  [[noreturn]] void refuse(const std::string& found, const std::string& expected) const {
    throw failure(name_ + ": " + found + "; expected " + expected);
  }

  template <class T>
  T next(const char* what) {
    T value;
    take(&value, sizeof value, what);
    return value;
  }

  template <class T>
  std::vector<T> numbers(std::int64_t count, const char* what) {
    std::vector<T> values(static_cast<std::size_t>(count));
    take(values.data(), values.size() * sizeof(T), what);
    return values;
  }

  std::uint64_t size() const { return size_; }
  std::uint32_t sum() const { return sum_.value(); }

 private:
  std::string name_;
  std::ifstream in_;
  std::uint64_t size_ = 0;
  checksum sum_;

  void take(void* to, std::size_t bytes, const char* what) {
    in_.read(static_cast<char*>(to), static_cast<std::streamsize>(bytes));
    if (static_cast<std::size_t>(in_.gcount()) != bytes) refuse("the end of the file", what);
    sum_.add(to, bytes);
  }
};

}  // namespace detail

/// Reads a graph from an `.mpg` file, which `magpie convert` and `magpie generate` write.
inline graph read_graph(const std::string& name) {
  constexpr std::string_view signature("\x89MPG\r\n\x1a\n", 8);
  constexpr std::int32_t weighted = 1, vertex_weights = 2, directed = 4, wide = 8, floating = 16;
  constexpr std::int64_t most = std::numeric_limits<std::int32_t>::max() - 8;
  detail::binary_input in(name);
  const auto found = in.next<std::array<char, 8>>("a Magpie snapshot (.mpg)");
  if (std::string_view(found.data(), found.size()) != signature) {
    in.refuse("another signature", "a Magpie snapshot (.mpg); make one by magpie convert");
  }
  if (in.next<std::int32_t>("the byte order mark") != 0x01020304) in.refuse("another byte order", "little endian");
  if (const auto version = in.next<std::int32_t>("the version"); version != 1) {
    in.refuse("version " + std::to_string(version), "version 1");
  }
  const auto flags = in.next<std::int32_t>("the flags");
  if (in.next<std::int32_t>("the reserved word") != 0 || (flags & ~31) != 0 ||
      ((flags & weighted) == 0 && (flags & (wide | floating)) != 0)) {
    in.refuse("flags " + std::to_string(flags), "flags of version 1");
  }
  const auto vertices = in.next<std::int64_t>("the number of vertices");
  const auto arcs = in.next<std::int64_t>("the number of arcs");
  if (vertices < 0 || vertices > most || arcs < 0 || arcs > most) {
    in.refuse(std::to_string(vertices) + " vertices and " + std::to_string(arcs) + " arcs",
              "0 to " + std::to_string(most) + " of each");
  }
  const std::uint64_t weight_bytes = (flags & weighted) == 0 ? 0 : (flags & wide) != 0 ? 8 : 4;
  const std::uint64_t bytes = 40 + 4 * (static_cast<std::uint64_t>(vertices) + 1) + (4 + weight_bytes) * arcs +
                              ((flags & vertex_weights) != 0 ? 4 * vertices : 0) + 4;
  if (in.size() != bytes) {
    in.refuse("a file of " + std::to_string(in.size()) + " bytes", std::to_string(bytes) + " for its numbers");
  }
  graph g;
  g.directed = (flags & directed) != 0;
  g.offsets = in.numbers<std::int32_t>(vertices + 1, "offsets");
  g.neighbors = in.numbers<std::int32_t>(arcs, "targets of arcs");
  switch (flags & (weighted | wide | floating)) {
    case weighted: g.weight = in.numbers<std::int32_t>(arcs, "weights"); break;
    case weighted | wide: g.weight = in.numbers<std::int64_t>(arcs, "weights"); break;
    case weighted | floating: g.weight = in.numbers<float>(arcs, "weights"); break;
    case weighted | wide | floating: g.weight = in.numbers<double>(arcs, "weights"); break;
    default: break;
  }
  if ((flags & vertex_weights) != 0) in.numbers<std::int32_t>(vertices, "weights of vertices");
  const std::uint32_t computed = in.sum();
  if (in.next<std::uint32_t>("the checksum") != computed) {
    in.refuse("another checksum than that of the contents", "an undamaged file; write it again");
  }
  if (g.offsets.front() != 0 || g.offsets.back() != arcs || !std::is_sorted(g.offsets.begin(), g.offsets.end())) {
    in.refuse("offsets that do not ascend from 0 to the number of arcs", "a graph");
  }
  for (const std::int32_t w : g.neighbors) {
    if (w < 0 || w >= vertices)
      in.refuse("an arc to vertex " + std::to_string(w), "vertices below " + std::to_string(vertices));
  }
  return g;
}

/// A conjunction of clauses. The literals of clause c are `literals[offsets[c]]` .. `literals[offsets[c + 1] - 1]`: 2 v for
/// variable v, counted from 0, and 2 v + 1 for its negation.
struct formula {
  std::int32_t variables = 0;
  std::vector<std::int32_t> offsets{0};
  std::vector<std::int32_t> literals;

  std::int32_t clauses() const { return static_cast<std::int32_t>(offsets.size()) - 1; }
};

/// Reads a formula in the DIMACS format.
inline formula read_formula(const std::string& name) {
  std::ifstream in(name);
  if (!in) throw failure(name + ": cannot be read: " + std::strerror(errno));
  formula made;
  std::int64_t declared = -1, line_number = 0;
  bool open = false;
  const auto refuse = [&](const std::string& found, const std::string& expected) {
    throw failure(name + ":" + std::to_string(line_number) + ": " + found + "; expected " + expected);
  };
  const std::string header = "a header 'p cnf VARIABLES CLAUSES'";
  for (std::string line; std::getline(in, line);) {
    ++line_number;
    std::vector<std::string_view> words;
    for (std::size_t end = 0;;) {
      const std::size_t begin = line.find_first_not_of(" \t\r", end);
      if (begin == std::string::npos) break;
      end = std::min(line.find_first_of(" \t\r", begin), line.size());
      words.emplace_back(line.data() + begin, end - begin);
    }
    if (words.empty() || words[0][0] == 'c') continue;
    if (words[0][0] == '%') break;
    const auto number = [&](std::string_view word, std::int64_t least, std::int64_t most, const std::string& what) {
      std::int64_t value = 0;
      const auto [end, error] = std::from_chars(word.data(), word.data() + word.size(), value);
      if (error != std::errc{} || end != word.data() + word.size() || value < least || value > most) {
        refuse("'" + std::string(word) + "'", what + ", " + std::to_string(least) + " to " + std::to_string(most));
      }
      return value;
    };
    constexpr std::int64_t most = std::numeric_limits<std::int32_t>::max() / 2 - 8;
    if (declared < 0) {
      if (words.size() != 4 || words[0] != "p" || words[1] != "cnf") refuse("'" + line + "'", header);
      made.variables = static_cast<std::int32_t>(number(words[2], 0, most, "the number of variables"));
      declared = number(words[3], 0, most, "the number of clauses");
      continue;
    }
    for (const std::string_view word : words) {
      if (made.clauses() == declared) refuse("more clauses", std::to_string(declared) + ", as the header says");
      const auto literal = number(word, -std::int64_t{made.variables}, made.variables, "a literal");
      open = literal != 0;
      if (open) {
        if (made.literals.size() == static_cast<std::size_t>(2 * most)) refuse("more literals", "fewer");
        made.literals.push_back(static_cast<std::int32_t>(literal > 0 ? 2 * (literal - 1) : -2 * literal - 1));
      } else {
        made.offsets.push_back(static_cast<std::int32_t>(made.literals.size()));
      }
    }
  }
  if (declared < 0) refuse("the end of the file", header);
  if (open) refuse("the end of the file inside a clause", "a 0 that ends it");
  if (made.clauses() < declared) {
    refuse("the end of the file after " + std::to_string(made.clauses()) + " clauses",
           std::to_string(declared) + ", as the header says");
  }
  return made;
}

/// A result that is being written beside its file, whose place it takes in `commit`, under a name that no other file has.
class result_file {
 public:
  explicit result_file(const std::string& name)
      : name_(name), part_(name + "." + std::to_string(getpid()) + ".part"), out_(std::fopen(part_.c_str(), "wx")) {
    if (out_ == nullptr) refuse();
  }
  result_file(const result_file&) = delete;
  result_file& operator=(const result_file&) = delete;
  ~result_file() {
    if (out_ != nullptr) std::fclose(out_);
    std::remove(part_.c_str());  // unless it was committed
  }

  void text(std::string_view text) {
    if (std::fwrite(text.data(), 1, text.size(), out_) != text.size()) refuse();
  }

  /// A number such that it reads back as the same.
  template <class T>
  void number(T value, char after) {
    std::array<char, 40> digits;
    const auto end = std::to_chars(digits.data(), digits.data() + digits.size() - 1, value).ptr;
    *end = after;
    text({digits.data(), static_cast<std::size_t>(end + 1 - digits.data())});
  }

  template <class T>
  void lines(const std::vector<T>& numbers) {
    for (const T& each : numbers) number(each, '\n');
  }

  void commit() {
    std::FILE* const out = std::exchange(out_, nullptr);
    if (std::fclose(out) != 0 || std::rename(part_.c_str(), name_.c_str()) != 0) refuse();
  }

 private:
  std::string name_;
  std::string part_;
  std::FILE* out_;

  [[noreturn]] void refuse() const { throw failure(name_ + ": cannot be written: " + std::strerror(errno)); }
};

}  // namespace baseline
