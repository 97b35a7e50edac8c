/// @file
/// What a fault in a kernel says: which thread, which item, which field.
///
/// Layer: platform, host only, used by cpu.cuh and sim.cuh when a launch has failed. A field is found by its address: the
/// functor's bytes are the launch's arguments, and its table (field_table.hpp) says where in them a pointer lies.
#pragma once

#include <algorithm>
#include <charconv>
#include <cstdint>
#include <cstring>
#include <string>
#include <string_view>

#include "magpie/platform/launch_args.hpp"

MAGPIE_NAMESPACE_BEGIN

/// The name of the array, objects or pointer argument that begins at `base`; empty if none does, or several do.
inline std::string name_of_field(const magpie_place& where, const void* base) {
  std::string found;
  if (where.functor == nullptr || base == nullptr) return found;
  // By hand: a stream would need a newer C library than modules are built for.
  for (std::string_view rest = where.fields; !rest.empty();) {
    std::string_view words[5];  // field, its name, offset, size, kind
    std::string_view line = rest.substr(0, rest.find('\n'));
    rest.remove_prefix(std::min(line.size() + 1, rest.size()));
    for (std::string_view& word : words) {
      word = line.substr(0, line.find(' '));
      line.remove_prefix(std::min(word.size() + 1, line.size()));
    }
    const std::string_view kind = words[4];
    const bool points =
        kind == "objects" || kind.starts_with("array:") || kind.starts_with("ptr:") || kind.starts_with("pool:");
    std::size_t offset = 0;
    std::from_chars(words[2].data(), words[2].data() + words[2].size(), offset);
    if (!points) continue;
    const void* value = nullptr;
    std::memcpy(&value, static_cast<const char*>(where.functor) + offset, sizeof value);
    if (value != base) continue;
    if (!found.empty()) return {};
    found = words[1];
  }
  return found;
}

/// "thread 3" or "thread 3, item 7".
inline std::string text_of(const magpie_place& where) {
  return "thread " + std::to_string(where.thread) +
         (where.item != magpie_place::no_item ? ", item " + std::to_string(where.item) : "");
}

/// An index out of the range of what begins at `base`.
inline std::string bounds_text(const magpie_place& where, std::uint64_t index, std::uint64_t length, const void* base) {
  const std::string name = name_of_field(where, base);
  return "index " + std::to_string(index) + " is outside " + (name.empty() ? "an array" : "'" + name + "'") +
         " of length " + std::to_string(length);
}

MAGPIE_NAMESPACE_END
