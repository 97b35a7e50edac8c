/// @file
/// Published algorithms for processors, in C++ with OpenMP: programs to compare with, see README.md. One program, whose first
/// word says which.
///
///     g++ -std=c++20 -O3 -fopenmp -I stm-kernels/src/main/cuda -I algorithms/src/main/cuda
///         -o magpie-openmp examples/openmp/magpie-openmp.cpp
///
/// Prints its threads, its time from arrays in memory to the result, and numbers that describe the result, a line each.
/// Exit status 1 if a file or a number is wrong, 2 if the words are; then nothing was written.
#include <chrono>
#include <functional>
#include <iomanip>
#include <iostream>
#include <map>
#include <optional>

#include "components.hpp"
#include "files.hpp"
#include "forest.hpp"
#include "mesh_files.hpp"
#include "paths.hpp"
#include "refine.hpp"
#include "surveys.hpp"
#include "team.hpp"

namespace {

using namespace baseline;

const std::string usage =
    "usage: magpie-openmp PROGRAM FILE [--OPTION VALUE]...\n"
    "\n"
    "  bfs GRAPH.mpg --source V     breadth-first search\n"
    "  sssp GRAPH.mpg --source V    shortest paths, by weights from 0\n"
    "  mst GRAPH.mpg                minimum spanning forest; --objective maximum for the other one\n"
    "  cc GRAPH.mpg                 connected components\n"
    "  sp FORMULA.cnf               survey propagation; --seed, --tolerance, --sweeps, --fraction, --paramagnetic,\n"
    "                               --flips-per-variable, --noise\n"
    "  dmr BASE                     refinement of BASE.node, .ele and .poly; --angle, --area\n"
    "\n"
    "  --out FILE       write the result: of each vertex a line with its distance, -1 if there is no path, or with "
    "the\n"
    "                   vertex that stands for its component; the arcs of the forest; the values of variables; of a\n"
    "                   mesh the base of three files\n"
    "  --threads N      default: as OMP_NUM_THREADS says, else as many as there are processors\n"
    "  --grain N        items that a thread takes at a time, default 256\n";

/// The words were wrong.
struct misuse : std::runtime_error {
  using std::runtime_error::runtime_error;
};

/// The words after PROGRAM FILE: options, each of which must be asked for.
class options {
 public:
  options(int argc, char** argv, int first) {
    for (int i = first; i < argc; i += 2) {
      const std::string name = argv[i];
      if (name.rfind("--", 0) != 0) throw misuse("'" + name + "' is no option");
      if (i + 1 == argc) throw misuse(name + " lacks its value");
      if (!given_.emplace(name.substr(2), argv[i + 1]).second) throw misuse(name + " is given twice");
    }
  }

  std::string text(const std::string& name, const std::string& otherwise) {
    const auto found = given_.find(name);
    if (found == given_.end()) return otherwise;
    std::string value = found->second;
    given_.erase(found);
    return value;
  }

  template <class T>
  T number(const std::string& name, T otherwise, T least, T most) {
    if (!given_.contains(name)) return otherwise;
    const std::string value = text(name, "");
    T parsed{};
    const auto [end, error] = std::from_chars(value.data(), value.data() + value.size(), parsed);
    if (error != std::errc{} || end != value.data() + value.size() || !(parsed >= least && parsed <= most)) {
      throw misuse("--" + name + " " + value + ": expected " + shown(least) + " to " + shown(most));
    }
    return parsed;
  }

  void require_none() const {
    if (!given_.empty()) throw misuse("there is no option --" + given_.begin()->first + " here");
  }

 private:
  std::map<std::string, std::string> given_;

  template <class T>
  static std::string shown(T value) {
    std::array<char, 40> digits;
    return {digits.data(), std::to_chars(digits.data(), digits.data() + digits.size(), value).ptr};
  }
};

/// Prints what a run took, and gives what it computed.
template <class Action>
auto timed(Action action) {
  const auto begin = std::chrono::steady_clock::now();
  auto result = action();
  const std::chrono::duration<double, std::milli> taken = std::chrono::steady_clock::now() - begin;
  std::cout << "threads: " << omp_get_max_threads() << "\nmilliseconds: " << std::fixed << std::setprecision(3)
            << taken.count() << "\n";
  return result;
}

/// Writes a result, if a file was named.
template <class Content>
void write(const std::string& name, Content content) {
  if (name.empty()) return;
  result_file out(name);
  content(out);
  out.commit();
}

std::int32_t source_of(const graph& g, const std::string& file, std::int32_t source) {
  if (source >= g.vertices()) {
    throw failure("--source " + std::to_string(source) + ": expected a vertex of " + file + ", which has " +
                  std::to_string(g.vertices()) + ", counted from 0");
  }
  return source;
}

graph undirected(const std::string& file) {
  graph g = read_graph(file);
  if (g.directed) throw failure(file + ": a directed graph; expected an undirected one");
  return g;
}

template <class Length>
void tell(const paths<Length>& found, const std::string& out) {
  std::int64_t reached = 0;
  for (const Length each : found.distances) reached += each != unreached<Length>;
  std::cout << "rounds: " << found.rounds << "\nreached: " << reached << "\n";
  write(out, [&](result_file& file) {
    for (const Length each : found.distances) {
      if (each == unreached<Length>) {
        file.text("-1\n");
      } else {
        file.number(each, '\n');
      }
    }
  });
}

void bfs(const std::string& file, options& given, const std::string& out, int grain) {
  const auto source = given.number<std::int32_t>("source", 0, 0, std::numeric_limits<std::int32_t>::max());
  given.require_none();
  const graph g = read_graph(file);
  source_of(g, file, source);
  tell(timed([&] { return breadth_first(g, source, grain); }), out);
}

void sssp(const std::string& file, options& given, const std::string& out, int grain) {
  const auto source = given.number<std::int32_t>("source", 0, 0, std::numeric_limits<std::int32_t>::max());
  given.require_none();
  const graph g = read_graph(file);
  source_of(g, file, source);
  std::visit(
      [&](const auto& weight) {
        using type = std::decay_t<decltype(weight[0])>;
        if constexpr (sizeof(type) == 8) {
          throw failure(file + ": weights of 64 bits, sums of which may be out of range; expected ints or floats");
        } else {
          if constexpr (!std::is_same_v<std::decay_t<decltype(weight)>, ones>) {
            for (const type each : weight) {
              if (!(each >= 0))
                throw failure(file + ": a weight of " + std::to_string(each) + "; expected weights from 0");
            }
          }
          using length = std::conditional_t<std::is_floating_point_v<type>, double, std::int64_t>;
          tell(timed([&] { return shortest<length>(g, weight, source, grain); }), out);
        }
      },
      g.weight);
}

void mst(const std::string& file, options& given, const std::string& out, int grain) {
  const std::string objective = given.text("objective", "minimum");
  if (objective != "minimum" && objective != "maximum") {
    throw misuse("--objective " + objective + ": expected minimum or maximum");
  }
  given.require_none();
  const graph g = undirected(file);
  std::visit(
      [&](const auto& weight) {
        const auto found = timed([&] { return boruvka(g, weight, objective == "maximum", grain).run(); });
        std::cout << "rounds: " << found.rounds << "\nedges: " << found.arcs.size() << "\n";
        write(out, [&](result_file& file) { file.lines(found.arcs); });
      },
      g.weight);
}

void cc(const std::string& file, options& given, const std::string& out, int grain) {
  given.require_none();
  const graph g = undirected(file);
  const std::vector<edge> edges = edges_of(g);
  const components found = timed([&] { return hooked(g.vertices(), edges, grain); });
  std::int64_t roots = 0;
  for (std::int32_t v = 0; v < g.vertices(); ++v) roots += found.roots[v] == v;
  std::cout << "rounds: " << found.rounds << "\ncomponents: " << roots << "\n";
  write(out, [&](result_file& file) { file.lines(found.roots); });
}

void sp(const std::string& file, options& given, const std::string& out, int grain) {
  constexpr int most = std::numeric_limits<int>::max();
  constexpr auto longest = std::numeric_limits<std::int64_t>::max();
  survey_options chosen;
  chosen.seed = static_cast<std::uint64_t>(given.number<std::int64_t>("seed", 1, -longest - 1, longest));
  chosen.tolerance = given.number("tolerance", chosen.tolerance, 0.0, 1.0);
  chosen.sweeps = given.number("sweeps", chosen.sweeps, 1, most);
  chosen.fraction = given.number("fraction", chosen.fraction, 0.0, 1.0);
  chosen.paramagnetic = given.number("paramagnetic", chosen.paramagnetic, 0.0, 1.0);
  chosen.flips_per_variable = given.number("flips-per-variable", chosen.flips_per_variable, 0, most);
  chosen.noise = given.number("noise", chosen.noise, 0.0, 1.0);
  given.require_none();
  const formula f = read_formula(file);
  std::optional<survey_propagation> solver;
  const survey_outcome outcome = timed([&] { return solver.emplace(f, chosen, grain).run(); });
  const bool solved = outcome == survey_outcome::solved;
  constexpr const char* names[] = {"solved", "contradiction", "unconverged", "paramagnetic"};
  std::cout << "outcome: " << names[static_cast<int>(outcome)] << "\ndecimations: " << solver->decimations()
            << "\nsweeps: " << solver->sweeps() << "\n";
  // As SAT competitions have it.
  write(out, [&](result_file& file) {
    file.text(solved ? "s SATISFIABLE\n" : solver->unsatisfiable() ? "s UNSATISFIABLE\n" : "s UNKNOWN\n");
    if (!solved) return;
    for (std::int32_t v = 0; v < f.variables; ++v) {
      file.text("v ");
      file.number(solver->values()[v] * (v + 1), '\n');
    }
    file.text("v 0\n");
  });
}

void dmr(const std::string& base, options& given, const std::string& out, int grain) {
  constexpr double any = std::numeric_limits<double>::infinity();
  const auto angle = given.number("angle", 30.0, 0.0, 60.0);
  const auto area = given.number("area", any, std::numeric_limits<double>::min(), any);
  given.require_none();
  const mesh_data input = read_mesh(base);
  refinement work(input, angle, area, grain);
  timed([&] {
    work.run();
    return 0;
  });
  const mesh_data made = work.result();
  std::cout << "rounds: " << work.rounds() << "\nretries: " << work.retries() << "\nstuck: " << work.stuck()
            << "\ntriangles: " << made.corners.size() / 3
            << "\ninserted: " << (made.coordinates.size() - input.coordinates.size()) / 2 << "\n";
  if (!out.empty()) write_mesh(made, out);
}

}  // namespace

int main(int argc, char** argv) {
  static const std::map<std::string, std::function<void(const std::string&, options&, const std::string&, int)>>
      programs = {{"bfs", bfs}, {"sssp", sssp}, {"mst", mst}, {"cc", cc}, {"sp", sp}, {"dmr", dmr}};
  try {
    if (argc == 2 && std::string_view(argv[1]) == "--help") {
      std::cout << usage;
      return 0;
    }
    if (argc < 3) throw misuse("PROGRAM and FILE are needed");
    const auto program = programs.find(argv[1]);
    if (program == programs.end()) throw misuse("there is no program '" + std::string(argv[1]) + "'");
    options given(argc, argv, 3);
    const std::string out = given.text("out", "");
    omp_set_num_threads(given.number("threads", omp_get_max_threads(), 1, 4096));
    const int grain = given.number("grain", 256, 1, 1 << 20);
    program->second(argv[2], given, out, grain);
    std::cout.flush();
    if (!std::cout) throw failure("standard output: cannot be written");
    return 0;
  } catch (const misuse& e) {
    std::cerr << "magpie-openmp: " << e.what() << "\n\n" << usage;
    return 2;
  } catch (const std::bad_alloc&) {
    std::cerr << "magpie-openmp: out of memory; take a smaller input\n";
    return 1;
  } catch (const failure& e) {
    std::cerr << "magpie-openmp: " << e.what() << "\n";
    return 1;
  }
}
