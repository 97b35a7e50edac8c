/// @file
/// How a line of a module's table is written.
///
/// Layer: kernel, used by field_table.hpp, shared_lines.hpp, kernel.cuh and what registers regions; host only (g++).
/// Cost: a table is written once, when the module is loaded. What writes it is kept out of line and called with constants: as
/// chains of strings it would take an optimizing compiler as long as a small module's kernels.
#pragma once

#include <concepts>
#include <cstdint>
#include <initializer_list>
#include <string>

MAGPIE_NAMESPACE_BEGIN

/// A word of a line: a text, which is there until the line is written, or a number.
struct table_word {
  constexpr table_word(const char* text) : text(text) {}
  table_word(const std::string& text) : text(text.c_str()) {}
  template <std::integral T>
  constexpr table_word(T number) : number(static_cast<std::int64_t>(number)) {}
  const char* text = nullptr;  ///< null: the number
  std::int64_t number = 0;
};

/// Appends the words, with spaces between them and a line break at the end.
MAGPIE_COLD inline void add_line(std::string& table, std::initializer_list<table_word> words) {
  for (const table_word& each : words) {
    if (&each != words.begin()) table += ' ';
    if (each.text != nullptr) {
      table += each.text;
    } else {
      table += std::to_string(each.number);
    }
  }
  table += '\n';
}

MAGPIE_NAMESPACE_END
