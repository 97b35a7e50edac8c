/// @file
/// Field tables: what the fields of a kernel's functor are called, where they lie, and what they hold.
///
/// Layer: kernel, used by kernel.cuh and region_launch.hpp; host only (g++). The facade packs a launch's arguments by it,
/// because equal sizes do not mean equal layouts.
/// Method: aggregate reflection by structured bindings; a field's name is read out of the compiler's spelling of a
/// pointer to it. A member that is a struct counts as its fields, at their places, which are called `member.field`:
/// functors share arguments so.
/// Limits: functors and their structs are aggregates of at most 24 members without base classes or array members.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <tuple>
#include <type_traits>
#include <utility>

#include "magpie/detail/table_line.hpp"

MAGPIE_NAMESPACE_BEGIN

template <class T>
struct array;
template <class T, std::uint32_t Stride, std::uint32_t Offset>
struct spaced_array;
namespace stm {
struct objects;
template <std::uint32_t Stride, bool Fused>
struct spaced_objects;
template <class Array>
class guarded_data;
template <std::uint32_t Index>
struct pool;
}  // namespace stm

namespace reflection {

struct anything {
  template <class T>
  constexpr operator T() const noexcept;
};

template <class T, class... Fields>
consteval std::size_t count_fields() {
  if constexpr (requires { T{Fields{}..., anything{}}; }) {
    return count_fields<T, Fields..., anything>();
  } else {
    return sizeof...(Fields);
  }
}

template <class T>
inline constexpr std::size_t field_count = std::is_empty_v<T> ? 0 : count_fields<T>();

/// Pointers to the fields of `object`, in order.
template <class T>
constexpr auto field_pointers(const T& object) {
  constexpr std::size_t n = field_count<T>;
  static_assert(std::is_aggregate_v<T>, "a kernel's functor is an aggregate: no constructors, no private fields");
  static_assert(n <= 24, "a kernel's functor has at most 24 members: put some into a struct or an array");
  if constexpr (n == 0) {
    return std::tuple<>();
  } else if constexpr (n == 1) {
    const auto& [f0] = object;
    return std::tuple(&f0);
  } else if constexpr (n == 2) {
    const auto& [f0, f1] = object;
    return std::tuple(&f0, &f1);
  } else if constexpr (n == 3) {
    const auto& [f0, f1, f2] = object;
    return std::tuple(&f0, &f1, &f2);
  } else if constexpr (n == 4) {
    const auto& [f0, f1, f2, f3] = object;
    return std::tuple(&f0, &f1, &f2, &f3);
  } else if constexpr (n == 5) {
    const auto& [f0, f1, f2, f3, f4] = object;
    return std::tuple(&f0, &f1, &f2, &f3, &f4);
  } else if constexpr (n == 6) {
    const auto& [f0, f1, f2, f3, f4, f5] = object;
    return std::tuple(&f0, &f1, &f2, &f3, &f4, &f5);
  } else if constexpr (n == 7) {
    const auto& [f0, f1, f2, f3, f4, f5, f6] = object;
    return std::tuple(&f0, &f1, &f2, &f3, &f4, &f5, &f6);
  } else if constexpr (n == 8) {
    const auto& [f0, f1, f2, f3, f4, f5, f6, f7] = object;
    return std::tuple(&f0, &f1, &f2, &f3, &f4, &f5, &f6, &f7);
  } else if constexpr (n == 9) {
    const auto& [f0, f1, f2, f3, f4, f5, f6, f7, f8] = object;
    return std::tuple(&f0, &f1, &f2, &f3, &f4, &f5, &f6, &f7, &f8);
  } else if constexpr (n == 10) {
    const auto& [f0, f1, f2, f3, f4, f5, f6, f7, f8, f9] = object;
    return std::tuple(&f0, &f1, &f2, &f3, &f4, &f5, &f6, &f7, &f8, &f9);
  } else if constexpr (n == 11) {
    const auto& [f0, f1, f2, f3, f4, f5, f6, f7, f8, f9, f10] = object;
    return std::tuple(&f0, &f1, &f2, &f3, &f4, &f5, &f6, &f7, &f8, &f9, &f10);
  } else if constexpr (n == 12) {
    const auto& [f0, f1, f2, f3, f4, f5, f6, f7, f8, f9, f10, f11] = object;
    return std::tuple(&f0, &f1, &f2, &f3, &f4, &f5, &f6, &f7, &f8, &f9, &f10, &f11);
  } else if constexpr (n == 13) {
    const auto& [f0, f1, f2, f3, f4, f5, f6, f7, f8, f9, f10, f11, f12] = object;
    return std::tuple(&f0, &f1, &f2, &f3, &f4, &f5, &f6, &f7, &f8, &f9, &f10, &f11, &f12);
  } else if constexpr (n == 14) {
    const auto& [f0, f1, f2, f3, f4, f5, f6, f7, f8, f9, f10, f11, f12, f13] = object;
    return std::tuple(&f0, &f1, &f2, &f3, &f4, &f5, &f6, &f7, &f8, &f9, &f10, &f11, &f12, &f13);
  } else if constexpr (n == 15) {
    const auto& [f0, f1, f2, f3, f4, f5, f6, f7, f8, f9, f10, f11, f12, f13, f14] = object;
    return std::tuple(&f0, &f1, &f2, &f3, &f4, &f5, &f6, &f7, &f8, &f9, &f10, &f11, &f12, &f13, &f14);
  } else if constexpr (n == 16) {
    const auto& [f0, f1, f2, f3, f4, f5, f6, f7, f8, f9, f10, f11, f12, f13, f14, f15] = object;
    return std::tuple(&f0, &f1, &f2, &f3, &f4, &f5, &f6, &f7, &f8, &f9, &f10, &f11, &f12, &f13, &f14, &f15);
  } else if constexpr (n == 17) {
    const auto& [f0, f1, f2, f3, f4, f5, f6, f7, f8, f9, f10, f11, f12, f13, f14, f15, f16] = object;
    return std::tuple(&f0, &f1, &f2, &f3, &f4, &f5, &f6, &f7, &f8, &f9, &f10, &f11, &f12, &f13, &f14, &f15, &f16);
  } else if constexpr (n == 18) {
    const auto& [f0, f1, f2, f3, f4, f5, f6, f7, f8, f9, f10, f11, f12, f13, f14, f15, f16, f17] = object;
    return std::tuple(&f0, &f1, &f2, &f3, &f4, &f5, &f6, &f7, &f8, &f9, &f10, &f11, &f12, &f13, &f14, &f15, &f16, &f17);
  } else if constexpr (n == 19) {
    const auto& [f0, f1, f2, f3, f4, f5, f6, f7, f8, f9, f10, f11, f12, f13, f14, f15, f16, f17, f18] = object;
    return std::tuple(&f0, &f1, &f2, &f3, &f4, &f5, &f6, &f7, &f8, &f9, &f10, &f11, &f12, &f13, &f14, &f15, &f16, &f17,
                      &f18);
  } else if constexpr (n == 20) {
    const auto& [f0, f1, f2, f3, f4, f5, f6, f7, f8, f9, f10, f11, f12, f13, f14, f15, f16, f17, f18, f19] = object;
    return std::tuple(&f0, &f1, &f2, &f3, &f4, &f5, &f6, &f7, &f8, &f9, &f10, &f11, &f12, &f13, &f14, &f15, &f16, &f17,
                      &f18, &f19);
  } else if constexpr (n == 21) {
    const auto& [f0, f1, f2, f3, f4, f5, f6, f7, f8, f9, f10, f11, f12, f13, f14, f15, f16, f17, f18, f19, f20] =
        object;
    return std::tuple(&f0, &f1, &f2, &f3, &f4, &f5, &f6, &f7, &f8, &f9, &f10, &f11, &f12, &f13, &f14, &f15, &f16, &f17,
                      &f18, &f19, &f20);
  } else if constexpr (n == 22) {
    const auto& [f0, f1, f2, f3, f4, f5, f6, f7, f8, f9, f10, f11, f12, f13, f14, f15, f16, f17, f18, f19, f20, f21] =
        object;
    return std::tuple(&f0, &f1, &f2, &f3, &f4, &f5, &f6, &f7, &f8, &f9, &f10, &f11, &f12, &f13, &f14, &f15, &f16, &f17,
                      &f18, &f19, &f20, &f21);
  } else if constexpr (n == 23) {
    const auto& [f0, f1, f2, f3, f4, f5, f6, f7, f8, f9, f10, f11, f12, f13, f14, f15, f16, f17, f18, f19, f20, f21,
                 f22] = object;
    return std::tuple(&f0, &f1, &f2, &f3, &f4, &f5, &f6, &f7, &f8, &f9, &f10, &f11, &f12, &f13, &f14, &f15, &f16, &f17,
                      &f18, &f19, &f20, &f21, &f22);
  } else if constexpr (n == 24) {
    const auto& [f0, f1, f2, f3, f4, f5, f6, f7, f8, f9, f10, f11, f12, f13, f14, f15, f16, f17, f18, f19, f20, f21,
                 f22, f23] = object;
    return std::tuple(&f0, &f1, &f2, &f3, &f4, &f5, &f6, &f7, &f8, &f9, &f10, &f11, &f12, &f13, &f14, &f15, &f16, &f17,
                      &f18, &f19, &f20, &f21, &f22, &f23);
  }
}

/// Never defined: only addresses of its parts are taken, while compiling.
template <class T>
struct holder {
  T value;
};
template <class T>
extern const holder<T> imaginary;

template <auto Pointer>
consteval std::string_view spelling() {
  return __PRETTY_FUNCTION__;
}

/// The last identifier, or number, in the compiler's spelling of a value.
constexpr std::string_view last_word(std::string_view text) {
  constexpr std::string_view letters = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_";
  const std::size_t bracket = text.find(';') == std::string_view::npos ? text.size() : text.find(';');
  const std::size_t last = text.substr(0, bracket).find_last_of(letters);
  const std::size_t before = text.substr(0, last + 1).find_last_not_of(letters);
  return text.substr(before + 1, last - before);
}

/// The name of field `I`: the last identifier in the compiler's spelling of the pointer to it.
template <class T, std::size_t I>
constexpr std::string_view field_name() {
  return last_word(spelling<std::get<I>(field_pointers(imaginary<T>.value))>());
}

/// The name of an enumerator; empty if no enumerator has this value, which is then spelled as a number.
template <auto Value>
constexpr std::string_view enumerator_name() {
  constexpr std::string_view word = last_word(spelling<Value>());
  return word[0] >= '0' && word[0] <= '9' ? std::string_view() : word;
}

template <class T>
std::string element_kind() {
  if constexpr (std::is_const_v<T>) {
    return "const:" + element_kind<std::remove_const_t<T>>();
  } else if constexpr (std::is_floating_point_v<T>) {
    static_assert(sizeof(T) == 4 || sizeof(T) == 8);
    return sizeof(T) == 4 ? "f32" : "f64";
  } else if constexpr (std::is_integral_v<T> && !std::is_same_v<T, bool> && sizeof(T) <= 8) {
    return (std::is_signed_v<T> ? "i" : "u") + std::to_string(8 * sizeof(T));
  } else {
    return "bytes" + std::to_string(sizeof(T));
  }
}

template <class T>
struct kind {
  static_assert(
      std::is_arithmetic_v<T> && (sizeof(T) == 4 || sizeof(T) == 8),
      "a kernel's argument is a scalar of 4 or 8 bytes, a pointer, magpie::array, magpie::stm::objects or pool");
  static std::string name() { return element_kind<T>(); }
};
template <class T>
struct kind<T*> {
  static std::string name() { return "ptr:" + element_kind<T>(); }
};
template <class T>
struct kind<magpie::array<T>> {
  static std::string name() { return "array:" + element_kind<T>(); }
};
template <class T, std::uint32_t Stride, std::uint32_t Offset>
struct kind<magpie::spaced_array<T, Stride, Offset>> {
  static std::string name() {
    return "array:" + element_kind<T>() + "@" + std::to_string(Stride) + "+" + std::to_string(Offset);
  }
};
template <class Array>
struct kind<magpie::stm::guarded_data<Array>> : kind<Array> {};
template <>
struct kind<magpie::stm::objects> {
  static std::string name() { return "objects"; }
};
template <std::uint32_t Stride, bool Fused>
struct kind<magpie::stm::spaced_objects<Stride, Fused>> {
  static std::string name() { return "objects@" + std::to_string(Stride); }
};
template <std::uint32_t Index>
struct kind<magpie::stm::pool<Index>> {
  static std::string name() { return "pool:" + std::to_string(Index); }
};

/// Whether T is one argument, and no struct of several.
template <class T>
inline constexpr bool is_argument = !std::is_class_v<T>;
template <class T>
inline constexpr bool is_argument<magpie::array<T>> = true;
template <class T, std::uint32_t Stride, std::uint32_t Offset>
inline constexpr bool is_argument<magpie::spaced_array<T, Stride, Offset>> = true;
template <class Array>
inline constexpr bool is_argument<magpie::stm::guarded_data<Array>> = true;
template <>
inline constexpr bool is_argument<magpie::stm::objects> = true;
template <std::uint32_t Stride, bool Fused>
inline constexpr bool is_argument<magpie::stm::spaced_objects<Stride, Fused>> = true;
template <std::uint32_t Index>
inline constexpr bool is_argument<magpie::stm::pool<Index>> = true;

template <class T>
MAGPIE_COLD std::string field_lines(std::size_t base = 0, const std::string& prefix = "");

/// Appends the line of a field that is an argument.
MAGPIE_COLD inline void append_argument(std::string& table, const std::string& prefix, std::string_view name,
                                        std::size_t offset, std::size_t bytes, std::string (*kind)()) {
  add_line(table, {"field", prefix + std::string(name), offset, bytes, kind()});
}

/// Appends what field `I` has, of which `fields` has the pointer into the object.
template <class T, std::size_t I>
void append_field(std::string& table, const T& object, const auto& fields, std::size_t base,
                  const std::string& prefix) {
  const auto* field = std::get<I>(fields);
  using field_type = std::remove_cvref_t<decltype(*field)>;
  const std::size_t offset = base + static_cast<std::size_t>(reinterpret_cast<const std::byte*>(field) -
                                                             reinterpret_cast<const std::byte*>(&object));
  constexpr std::string_view name = field_name<T, I>();
  if constexpr (is_argument<field_type>) {
    append_argument(table, prefix, name, offset, sizeof(field_type), &kind<field_type>::name);
  } else {
    table += field_lines<field_type>(offset, prefix + std::string(name) + ".");
    if constexpr (requires { field_type::data_per_object; }) {
      table.insert(table.size() - 1, ":" + std::to_string(field_type::data_per_object));  // its objects come last
    }
  }
}

/// The `field` lines of T's table, for a T that lies `base` bytes behind the functor's beginning, as its member of the
/// name before the dot of `prefix`.
template <class T>
std::string field_lines(std::size_t base, const std::string& prefix) {
  static_assert(std::is_trivially_copyable_v<T>, "a kernel's functor is copied to the device byte by byte");
  std::string table;
  if constexpr (field_count < T >> 0) {
    static const T object{};
    const auto fields = field_pointers(object);
    [&]<std::size_t... I>(std::index_sequence<I...>) { (append_field<T, I>(table, object, fields, base, prefix), ...); }
    (std::make_index_sequence<field_count<T>>());
  }
  return table;
}

}  // namespace reflection

MAGPIE_NAMESPACE_END
