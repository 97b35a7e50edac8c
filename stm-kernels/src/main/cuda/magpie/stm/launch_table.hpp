/// @file
/// The lines of a module's table that say where what every region's launch shares with the host lies.
///
/// Layer: stm, used by region.cuh; host only (g++). Fields of `control` and counters are found by the compiler, so that
/// each is listed where it is declared and nowhere else in C++.
#pragma once

#include "magpie/kernel.cuh"
#include "magpie/stm/detail/objects.cuh"

MAGPIE_NAMESPACE_BEGIN

namespace stm {

/// `control <field, of a struct's member.field> <offset> <bytes of an element> <elements>` for each field of T, which lies
/// `base` bytes behind the control block's beginning.
template <class T>
std::string control_lines(std::size_t base = 0, const std::string& prefix = "") {
  std::string lines;
  const T object{};
  const auto line = [&]<std::size_t I>() {
    const auto* field = std::get<I>(reflection::field_pointers(object));
    using field_type = std::remove_cvref_t<decltype(*field)>;
    const std::size_t offset = base + static_cast<std::size_t>(reinterpret_cast<const std::byte*>(field) -
                                                               reinterpret_cast<const std::byte*>(&object));
    const std::string name = prefix + std::string(reflection::field_name<T, I>());
    if constexpr (!std::is_class_v<field_type>) {
      lines += "control " + name + " " + std::to_string(offset) + " " + std::to_string(sizeof(field_type)) + " 1\n";
    } else if constexpr (requires { field->of; }) {
      lines += "control " + name + " " + std::to_string(offset) + " " + std::to_string(sizeof(field->of[0])) + " " +
               std::to_string(std::size(field->of)) + "\n";
    } else {
      lines += control_lines<field_type>(offset, name + ".");
    }
  };
  [&]<std::size_t... I>(std::index_sequence<I...>) { (line.template operator()<I>(), ...); }
  (std::make_index_sequence<reflection::field_count<T>>());
  return lines;
}

/// `counter <name> <place> <words>` for each enumerator of `counter::place`.
inline std::string counter_lines() {
  std::string lines;
  std::string name;
  std::uint32_t first = 0;
  const auto end = [&](std::uint32_t at) {
    if (!name.empty())
      lines += "counter " + name + " " + std::to_string(first) + " " + std::to_string(at - first) + "\n";
  };
  const auto at = [&]<std::uint32_t I>() {
    constexpr std::string_view here = reflection::enumerator_name<static_cast<counter::place>(I)>();
    if (here.empty()) return;
    end(I);
    name = here;
    first = I;
  };
  [&]<std::uint32_t... I>(std::integer_sequence<std::uint32_t, I...>) { (at.template operator()<I>(), ...); }
  (std::make_integer_sequence<std::uint32_t, counter::total>());
  end(counter::total);
  return lines;
}

/// Tells both, once in a module.
inline void add_launch_lines() {
  auto& registry = module_registry::instance();
  if (!registry.tells_launches) registry.table += control_lines<control>() + counter_lines();
  registry.tells_launches = true;
}

}  // namespace stm

MAGPIE_NAMESPACE_END
