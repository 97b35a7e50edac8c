/// @file
/// Meshes in the files of Triangle: `BASE.node`, `BASE.ele` and `BASE.poly`, of which only what refinement needs is read:
/// vertices, triangles, and segments with their markers.
#pragma once

#include <charconv>
#include <cstdint>
#include <fstream>
#include <iterator>
#include <string>
#include <string_view>
#include <vector>

#include "files.hpp"

namespace baseline {

struct mesh_data {
  std::vector<double> coordinates;     ///< x and y of each vertex
  std::vector<std::uint32_t> corners;  ///< three of each triangle, counter-clockwise
  std::vector<std::uint32_t> ends;     ///< two of each segment
  std::vector<std::int32_t> markers;   ///< of segments
};

namespace detail {

/// A text file that is read line by line: numbers, with comments from `#` on. Lines without any are skipped.
class number_lines {
 public:
  explicit number_lines(const std::string& name) : name_(name) {
    std::ifstream in(name, std::ios::binary);
    if (!in) throw failure(name + ": cannot be read: " + std::strerror(errno));
    text_.assign(std::istreambuf_iterator<char>(in), {});
  }

  /// Goes to the next line that has a number.
  void next(const char* expected) {
    do {
      if (end_ == text_.size()) refuse("the end of the file", expected);
      at_ = end_;
      const std::size_t feed = text_.find('\n', at_);
      end_ = feed == std::string::npos ? text_.size() : feed + 1;
      ++line_;
    } while (!has_more());
  }

  /// Whether the line has another number.
  bool has_more() {
    while (at_ < end_ && std::string_view(" \t\r\n").find(text_[at_]) != std::string_view::npos) ++at_;
    return at_ < end_ && text_[at_] != '#';
  }

  double real(const char* expected) {
    const double value = parsed<double>(expected);
    if (!(value - value == 0)) refuse("a number that is not finite", expected);
    return value;
  }

  std::int64_t whole(std::int64_t least, std::int64_t most, const char* expected) {
    const auto value = parsed<std::int64_t>(expected);
    if (value < least || value > most) refuse("'" + std::to_string(value) + "'", expected);
    return value;
  }

  [[noreturn]] void refuse(const std::string& found, const std::string& expected) const {
    throw failure(name_ + ":" + std::to_string(line_) + ": " + found + "; expected " + expected);
  }

 private:
  std::string name_;
  std::string text_;
  std::size_t at_ = 0;
  std::size_t end_ = 0;
  std::int64_t line_ = 0;

  template <class T>
  T parsed(const char* expected) {
    if (!has_more()) refuse("the end of the line", expected);
    T value{};
    const auto [end, error] = std::from_chars(text_.data() + at_, text_.data() + end_, value);
    const std::size_t stop = static_cast<std::size_t>(end - text_.data());
    if (error != std::errc{} ||
        (stop < end_ && std::string_view(" \t\r\n#").find(text_[stop]) == std::string_view::npos)) {
      refuse("'" + text_.substr(at_, text_.find_first_of(" \t\r\n#", at_) - at_) + "'", expected);
    }
    at_ = stop;
    return value;
  }
};

}  // namespace detail

/// Reads `BASE.node`, `BASE.ele` and `BASE.poly`.
inline mesh_data read_mesh(const std::string& base) {
  constexpr std::int64_t most = std::int64_t{1} << 28;
  mesh_data mesh;
  std::int64_t first = 0, vertices = 0;
  {
    detail::number_lines in(base + ".node");
    in.next("the number of vertices");
    vertices = in.whole(0, most, "the number of vertices");
    for (std::int64_t v = 0; v < vertices; ++v) {
      in.next("a vertex");
      const std::int64_t number = in.whole(0, most, "the number of a vertex");
      if (v == 0) first = number;
      if (number != v + first || first > 1)
        in.refuse("vertex " + std::to_string(number), "vertices in order from 0 or 1");
      mesh.coordinates.push_back(in.real("a coordinate"));
      mesh.coordinates.push_back(in.real("a coordinate"));
    }
  }
  const auto vertex = [&](detail::number_lines& in) {
    return static_cast<std::uint32_t>(in.whole(first, first + vertices - 1, "a vertex that there is") - first);
  };
  {
    detail::number_lines in(base + ".ele");
    in.next("the number of triangles");
    const std::int64_t triangles = in.whole(0, most, "the number of triangles");
    for (std::int64_t t = 0; t < triangles; ++t) {
      in.next("a triangle");
      in.whole(0, most, "the number of a triangle");
      for (int k = 0; k < 3; ++k) mesh.corners.push_back(vertex(in));
    }
  }
  {
    detail::number_lines in(base + ".poly");
    in.next("0, as vertices are in the .node file");
    in.whole(0, 0, "0, as vertices are in the .node file");
    in.next("the number of segments");
    const std::int64_t segments = in.whole(0, most, "the number of segments");
    const bool marked = in.has_more() && in.whole(0, 1, "0 or 1 markers") == 1;
    for (std::int64_t s = 0; s < segments; ++s) {
      in.next("a segment");
      in.whole(0, most, "the number of a segment");
      mesh.ends.push_back(vertex(in));
      mesh.ends.push_back(vertex(in));
      mesh.markers.push_back(marked ? static_cast<std::int32_t>(in.whole(INT32_MIN, INT32_MAX, "a marker")) : 0);
    }
  }
  return mesh;
}

/// Writes the same files, counting from 0.
inline void write_mesh(const mesh_data& mesh, const std::string& base) {
  result_file nodes(base + ".node"), elements(base + ".ele"), segments(base + ".poly");
  const std::size_t vertices = mesh.coordinates.size() / 2;
  nodes.number(vertices, ' ');
  nodes.text("2 0 0\n");
  for (std::size_t v = 0; v < vertices; ++v) {
    nodes.number(v, ' ');
    nodes.number(mesh.coordinates[2 * v], ' ');
    nodes.number(mesh.coordinates[2 * v + 1], '\n');
  }
  const std::size_t triangles = mesh.corners.size() / 3;
  elements.number(triangles, ' ');
  elements.text("3 0\n");
  for (std::size_t t = 0; t < triangles; ++t) {
    elements.number(t, ' ');
    for (int k = 0; k < 3; ++k) elements.number(mesh.corners[3 * t + k], k == 2 ? '\n' : ' ');
  }
  segments.text("0 2 0 0\n");
  segments.number(mesh.markers.size(), ' ');
  segments.text("1\n");
  for (std::size_t s = 0; s < mesh.markers.size(); ++s) {
    segments.number(s, ' ');
    segments.number(mesh.ends[2 * s], ' ');
    segments.number(mesh.ends[2 * s + 1], ' ');
    segments.number(mesh.markers[s], '\n');
  }
  segments.text("0\n");
  nodes.commit();
  elements.commit();
  segments.commit();
}

}  // namespace baseline
