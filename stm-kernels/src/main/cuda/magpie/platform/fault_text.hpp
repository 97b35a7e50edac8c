/// @file
/// What a fault in a kernel says: which thread, which item, which field.
///
/// Layer: platform, host only, used by cpu.cuh and sim.cuh when a launch has failed. A field is found by its address: the
/// functor's bytes are the launch's arguments, and its table (field_table.hpp) says where in them a pointer lies.
#pragma once

#include <charconv>
#include <cstdint>
#include <cstring>
#include <string>
#include <string_view>

#include "magpie/platform/launch_args.hpp"

MAGPIE_NAMESPACE_BEGIN

/// The bytes from an array's element to the next, by its kind, such as `array:u32`, `array:const:bytes12` or
/// `array:u32@8+4`.
inline std::uint64_t element_bytes(std::string_view kind) {
  const std::size_t spaced = kind.find('@');
  const std::size_t last = spaced == std::string_view::npos ? kind.find_last_not_of("0123456789") : spaced;
  const std::string_view number = kind.substr(last + 1);
  std::uint64_t size = 0;
  std::from_chars(number.data(), number.data() + number.size(), size);
  return spaced != std::string_view::npos || kind.find("bytes") != std::string_view::npos ? size : size / 8;
}

/// The array, objects or pointer argument that `length` elements at `base` are, as in "'cells'"; "a part of 'cells'" if
/// they lie in that array; `otherwise` if no argument has them, or several have. Length 0: whatever begins at `base`.
MAGPIE_COLD inline std::string argument_at(const magpie_place& where, const void* base, std::uint64_t length,
                                           const char* otherwise) {
  std::string_view whole, part;
  std::uint32_t wholes = 0, parts = 0;
  // By hand: a stream would need a newer C library than modules are built for.
  for (std::string_view rest = where.functor != nullptr ? where.fields : ""; !rest.empty();) {
    std::string_view words[5];  // field, its name, offset, size, kind
    std::string_view line = rest.substr(0, rest.find('\n'));
    rest.remove_prefix(line.size() < rest.size() ? line.size() + 1 : line.size());
    for (std::string_view& word : words) {
      word = line.substr(0, line.find(' '));
      line.remove_prefix(word.size() < line.size() ? word.size() + 1 : word.size());
    }
    const std::string_view kind = words[4];
    const bool is_array = kind.starts_with("array:");
    if (!is_array && !kind.starts_with("objects") && !kind.starts_with("ptr:") && !kind.starts_with("pool:")) continue;
    std::size_t offset = 0;
    std::from_chars(words[2].data(), words[2].data() + words[2].size(), offset);
    const char* const field = static_cast<const char*>(where.functor) + offset;
    const char* begin = nullptr;
    std::memcpy(&begin, field, sizeof begin);
    if (begin == nullptr) continue;
    std::uint64_t elements = length;
    if (is_array) std::memcpy(&elements, field + sizeof begin, sizeof elements);
    if (base == begin && (length == 0 || length == elements)) {
      whole = words[1];
      ++wholes;
    } else if (is_array && base >= begin && base < begin + elements * element_bytes(kind)) {
      part = words[1];
      ++parts;
    }
  }
  if (wholes == 1) return "'" + std::string(whole) + "'";
  if (wholes == 0 && parts == 1) return "a part of '" + std::string(part) + "'";
  return otherwise;
}

/// "thread 3" or "thread 3, item 7".
MAGPIE_COLD inline std::string text_of(const magpie_place& where) {
  return "thread " + std::to_string(where.thread) +
         (where.item != magpie_place::no_item ? ", item " + std::to_string(where.item) : "");
}

/// An index out of the range of `length` elements that begin at `base`.
MAGPIE_COLD inline std::string bounds_text(const magpie_place& where, std::uint64_t index, std::uint64_t length,
                                           const void* base) {
  return "index " + std::to_string(index) + " is outside " + argument_at(where, base, length, "an array") +
         " of length " + std::to_string(length);
}

/// A place that is not in the matrix whose data begin at `base`.
MAGPIE_COLD inline std::string bounds_text(const magpie_place& where, std::uint64_t row, std::uint64_t column,
                                           std::uint64_t rows, std::uint64_t columns, const void* base) {
  return "row " + std::to_string(row) + ", column " + std::to_string(column) + " is outside " +
         argument_at(where, base, 0, "a matrix") + " of " + std::to_string(rows) + " rows and " +
         std::to_string(columns) + " columns";
}

MAGPIE_NAMESPACE_END
