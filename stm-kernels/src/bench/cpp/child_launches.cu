// build(bench):
// build(nvcc): -rdc=true
/// @file
/// Benchmark: what launches from the device cost where a graph has vertices of high degree, against a second launch from the
/// host and against sharing the arcs of such vertices in one launch. Plain C++ over the device library:
///
///     nvcc -std=c++20 -O3 -rdc=true -arch=sm_90 -I stm-kernels/src/main/cuda child_launches.cu -o child_launches
///     g++ -x c++ -std=c++20 -O3 -pthread -I stm-kernels/src/main/cuda child_launches.cu -o child_launches
///     ./child_launches [graph, default all [scale, default 20 [runs, default 5]]]
///
/// Graphs of 2^scale vertices and 8 times as many arcs: `rmat`, whose largest degree is about 1,200 at scale 20; `graph500`, R-MAT
/// by the constants of Graph500; `stars`, where each vertex has 4 arcs, and one in 1,024 has 4,096 more (at a scale below 16
/// fewer more, and more such vertices). Paths of unit length and by weights 1 to 255, from the busiest vertex, in rounds
/// (relaxations.cuh): all reached vertices relax, or those whose distance has fallen.
///
/// Ways:
/// - `threads`: a lane for each vertex.
/// - `children`: the same, but a vertex of more arcs than the bound gets a grid, which its thread launches (fire and forget).
///   Launches wait in room for `pending` of them: CUDA's default, or, if that is less, twice as many as there can be in a
///   round; where that were more than 131,072 there is no row, and standard error says so. If a launch fails it is counted as
///   refused, and the thread relaxes the arcs itself.
/// - `second`: such vertices are listed, for a second launch by the host, which reads the list's size before it.
/// - `second unread`: the same with a grid as large as the device, which reads the size there.
/// - `tail`: the same, launched from the device behind the first grid (tail launch).
/// - `rounds`: the same, and all rounds are launched from the device; the host waits once.
/// - `nodes`: a lane for each virtual node of at most `bound` arcs; preparing them is not in the times.
/// - `pieces`: equal pieces of all arcs.
///
/// Prints CSV. Milliseconds of a search are by events, with the host's reads between rounds: median, least and most of `runs`
/// after one more. A further run tells launches from the device, and by multiprocessor the least, median and most of `busy`,
/// million cycles that its warps were resident, added up, and `active`, milliseconds from its first warp's begin to its last
/// one's end, added up over rounds (with `rounds`, from the first round to the last). `span` is the time of all multiprocessors
/// together; `longest` the most thousand cycles of one warp. `apart` is how many vertices have more arcs than the bound, and
/// `rounds` includes the last one, in which no distance falls. Exit status 1 if a distance differs from Dijkstra's algorithm.
/// Compiled by g++ there are neither launches from the device nor multiprocessors, and those columns are empty.
#include <array>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <optional>

#include "relaxations.cuh"

#if defined(__CUDACC__)
#if !defined(__CUDACC_RDC__)
#error "child_launches.cu launches grids from the device: compile with -rdc=true"
#endif
#if __CUDACC_VER_MAJOR__ < 12
#error \
    "child_launches.cu needs CUDA 12 or newer, whose launches from the device are fire and forget, or behind a kernel"
#endif
#endif

namespace {

using namespace relaxations;

constexpr u32 most_vertices_apart = 1u << 16;  ///< with a grid each

bool all_right = true;

/// What a further run tells of multiprocessors and launches.
struct observed {
  u64 launches = 0;
  u64 refused = 0;
  std::vector<double> busy, active;
  double span = 0;
  double longest = 0;
};

double median(std::vector<double> of) {
  std::sort(of.begin(), of.end());
  return of.size() % 2 == 1 ? of[of.size() / 2] : (of[of.size() / 2 - 1] + of[of.size() / 2]) / 2;
}

#if defined(__CUDACC__)

constexpr u32 block = 256;
constexpr u32 most_multiprocessors = 1024;

/// Words for each multiprocessor, and behind them those of all.
enum watched : u32 { busy_cycles, first_begin, last_end, longest_warp, watched_words };
constexpr u32 launches_at = most_multiprocessors * watched_words;
constexpr u32 refused_at = launches_at + 1;

/// Where kernels note what they do. Shared state: relaxed additions, minima and maxima, one each for a warp.
struct watch {
  u64* words;  ///< null in runs that are timed, but for what is refused
  u64* refused;
};

__device__ u32 multiprocessor() {
  u32 id;
  asm volatile("mov.u32 %0, %%smid;" : "=r"(id));
  return id;
}
__device__ u64 nanoseconds() {
  u64 ns;
  asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(ns));
  return ns;
}

template <class Functor>
__global__ void __launch_bounds__(block) run_watched(const __grid_constant__ Functor functor, const watch noted) {
  long long cycles = 0;
  u64 begin = 0;
  if (noted.words != nullptr) {
    begin = nanoseconds();
    cycles = clock64();
  }
  functor(thread{});
  if (noted.words == nullptr) return;
  __syncwarp();
  if (thread{}.lane() != 0) return;
  const u64 took = static_cast<u64>(clock64() - cycles);
  u64* const mine = noted.words + multiprocessor() % most_multiprocessors * watched_words;
  red_add_rlx_dev(&mine[busy_cycles], took);
  red_max_rlx_dev(&mine[longest_warp], took);
  red_min_rlx_dev(&mine[first_begin], begin);
  red_max_rlx_dev(&mine[last_end], nanoseconds());
}

/// Each heavy vertex gets a grid, launched by its thread. Cost: a launch each, one after another in a warp.
struct child_apart {
  watch noted;

  __device__ bool take(const thread&, const search& s, bool heavy, u32 v, u32 its_arcs) const {
    if (!heavy) return false;
    const u32 threads = its_arcs < block ? (its_arcs + 31) / 32 * 32 : block;
    run_watched<<<(its_arcs + threads - 1) / threads, threads, 0, cudaStreamFireAndForget>>>(by_grid{s, v}, noted);
    if (cudaGetLastError() != cudaSuccess) {
      red_add_rlx_dev(noted.refused, u64{1});
      return false;
    }
    if (noted.words != nullptr) red_add_rlx_dev(&noted.words[launches_at], u64{1});
    return true;
  }
};

/// `First`, and a launch of `second` behind it: when all of the grid's blocks have ended.
template <class First>
struct and_behind {
  First first;
  by_pieces second;
  u32 blocks;
  watch noted;

  __device__ void operator()(const thread& self) const {
    first(self);
    if (self.rank() != 0) return;
    run_watched<<<blocks, block, 0, cudaStreamTailLaunch>>>(second, noted);
    if (cudaGetLastError() != cudaSuccess) {
      red_add_rlx_dev(noted.refused, u64{1});
    } else if (noted.words != nullptr) {
      red_add_rlx_dev(&noted.words[launches_at], u64{1});
    }
  }
};

/// One thread launches a round, and itself behind it for the next one, until a round in which no distance fell. If a launch is
/// refused, `stopped_in` has the round.
struct all_rounds {
  by_threads<list_apart> first;
  by_pieces second;
  u32 first_blocks;
  u32 second_blocks;
  watch noted;

  __device__ void operator()(const thread&) const {
    const u32 round = first.s.round;
    u64* const words = &first.s.words[0];
    if (ld_rlx_dev(&words[fell_in]) + 1 < round) {
      st_rlx_dev(&words[ended], u64{round - 1});
      return;
    }
    run_watched<<<first_blocks, block, 0, cudaStreamTailLaunch>>>(first, noted);
    run_watched<<<second_blocks, block, 0, cudaStreamTailLaunch>>>(second, noted);
    all_rounds next = *this;
    next.first.s.round = round + 1;
    next.second.s.round = round + 1;
    run_watched<<<1, 1, 0, cudaStreamTailLaunch>>>(next, watch{nullptr, noted.refused});
    if (cudaGetLastError() != cudaSuccess) {
      st_rlx_dev(&words[stopped_in], u64{round});
      red_add_rlx_dev(noted.refused, u64{1});
    } else if (noted.words != nullptr) {
      red_add_rlx_dev(&noted.words[launches_at], u64{3});
    }
  }
};

u32 multiprocessors() {
  int device = 0, n = 0;
  host::check(cudaGetDevice(&device), "finding the device");
  host::check(cudaDeviceGetAttribute(&n, cudaDevAttrMultiProcessorCount, device), "asking for the device's size");
  return static_cast<u32>(n);
}

/// Refuses what has no launches from the device, in one sentence.
void require_device() {
  int device = 0, major = 0, minor = 0, version = 0;
  host::check(cudaGetDevice(&device), "finding the device");
  host::check(cudaDeviceGetAttribute(&major, cudaDevAttrComputeCapabilityMajor, device), "asking for the capability");
  host::check(cudaDeviceGetAttribute(&minor, cudaDevAttrComputeCapabilityMinor, device), "asking for the capability");
  host::check(cudaDriverGetVersion(&version), "asking for the driver's version");
  if (major < 7 || version < 12000) {
    throw std::runtime_error("launches from the device need compute capability 7.0 and a driver of CUDA 12; this is " +
                             std::to_string(major) + "." + std::to_string(minor) + " and CUDA " +
                             std::to_string(version / 1000) + "." + std::to_string(version % 1000 / 10));
  }
}

class machine {
 public:
  machine() : words_(std::size_t{refused_at} + 1, 0) {}

  /// Makes room for so many launches from the device that have not begun; 0 is CUDA's default. Gives how many there is room for.
  u64 make_room(u64 launches) {
    if (launches != 0) {
      host::check(cudaDeviceSetLimit(cudaLimitDevRuntimePendingLaunchCount, launches),
                  "making room for " + std::to_string(launches) + " launches from the device");
    }
    std::size_t now = 0;
    host::check(cudaDeviceGetLimit(&now, cudaLimitDevRuntimePendingLaunchCount), "asking for room for launches");
    return now;
  }

  watch noting(bool all) const { return {all ? words_.data() : nullptr, words_.data() + refused_at}; }

  template <class Functor>
  void launch(const Functor& functor, u32 threads, bool all) const {
    run_watched<<<blocks(threads), block>>>(functor, noting(all));
    host::check(cudaGetLastError(), "launching " + std::to_string(threads) + " threads");
  }
  static u32 blocks(u32 threads) { return (threads + block - 1) / block; }
  /// Threads of a kernel that are resident at once.
  template <class Functor>
  static u32 full() {
    int fit = 0;
    host::check(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&fit, run_watched<Functor>, block, 0),
                "asking for occupancy");
    return multiprocessors() * static_cast<u32>(fit) * block;
  }

  template <class Search>
  static double timed(Search&& run) {
    const host::event start;
    const host::event stop;
    host::check(cudaEventRecord(start), "recording an event");
    run();
    host::check(cudaEventRecord(stop), "recording an event");
    host::check(cudaEventSynchronize(stop), "running kernels");
    float milliseconds = 0;
    host::check(cudaEventElapsedTime(&milliseconds, start, stop), "reading an event");
    return milliseconds;
  }

  void forget() {
    std::vector<u64> fresh(words_.size(), 0);
    for (u32 m = 0; m < most_multiprocessors; ++m) fresh[std::size_t{m} * watched_words + first_begin] = ~u64{0};
    words_.set(fresh);
  }
  u64 refused() const { return words_.get()[refused_at]; }

  /// Adds what was noted since `forget`: of one round, or of a search that is one launch.
  void add_to(observed& sum) {
    const std::vector<u64> words = words_.get();
    sum.busy.resize(most_multiprocessors);
    sum.active.resize(most_multiprocessors);
    u64 first = ~u64{0}, last = 0;
    for (u32 m = 0; m < most_multiprocessors; ++m) {
      const u64* const its = words.data() + std::size_t{m} * watched_words;
      if (its[last_end] == 0) continue;
      sum.busy[m] += static_cast<double>(its[busy_cycles]) * 1e-6;
      sum.active[m] += static_cast<double>(its[last_end] - its[first_begin]) * 1e-6;
      sum.longest = std::max(sum.longest, static_cast<double>(its[longest_warp]) * 1e-3);
      first = std::min(first, its[first_begin]);
      last = std::max(last, its[last_end]);
    }
    if (last != 0) sum.span += static_cast<double>(last - first) * 1e-6;
    sum.launches += words[launches_at];
    sum.refused += words[refused_at];
    forget();
  }
  /// Leaves out what is not there: multiprocessors have numbers from 0, but some may have no work.
  static void trim(observed& all) {
    u32 n = multiprocessors();
    for (u32 m = n; m < most_multiprocessors; ++m) n = all.busy[m] > 0 ? m + 1 : n;
    all.busy.resize(n);
    all.active.resize(n);
  }

 private:
  host::buffer<u64> words_;
};

#else

void require_device() {}

/// Runs kernels on a thread for each core.
class machine {
 public:
  template <class Functor>
  void launch(const Functor& functor, u32, bool) const {
    host::run(functor);
  }
  template <class Functor>
  static u32 full() {
    return 0;
  }
  template <class Search>
  static double timed(Search&& run) {
    const auto begin = std::chrono::steady_clock::now();
    run();
    return std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - begin).count();
  }
  void forget() {}
  u64 refused() const { return 0; }
  void add_to(observed&) {}
  static void trim(observed&) {}
};

#endif

enum class way : u32 { threads, pieces, nodes, second, second_unread, tail, children, rounds };
constexpr const char* way_names[] = {"threads",       "pieces", "nodes",    "second",
                                     "second unread", "tail",   "children", "rounds"};

/// One search, from fresh distances; gives its rounds. `all` notes what kernels do, each round by itself if that can be told.
u32 search_by(way which, problem& p, const virtual_nodes* nodes, u32 bound, machine& on, bool all, observed& sum) {
  const u32 vertices = p.in_round(0).vertices;
  const auto end_round = [&] {
    if (all) on.add_to(sum);
  };
  const auto first_of_two = [&](u32 round) { return by_threads<list_apart>{p.in_round(round), bound, p.apart()}; };
#if defined(__CUDACC__)
  const u32 second_blocks = machine::blocks(machine::full<by_pieces>());
  if (which == way::rounds) {
    for (u64 round = 2;;) {
      const all_rounds kernel{first_of_two(static_cast<u32>(round)), p.listed_pieces(static_cast<u32>(round)),
                              machine::blocks(vertices), second_blocks, on.noting(all)};
      run_watched<<<1, 1>>>(kernel, watch{nullptr, on.noting(all).refused});
      host::check(cudaGetLastError(), "launching one thread");
      if (p.word(ended) != 0) break;
      const u64 stopped = p.word(stopped_in);
      if (stopped <= round) throw std::runtime_error("round " + std::to_string(round) + " was not launched");
      round = stopped;
      p.set_word(listed_even, 0);
      p.set_word(listed_odd, 0);
    }
    end_round();
    return static_cast<u32>(p.word(ended)) - 1;
  }
#endif
  return repeat(p, [&](u32 round) {
    const search s = p.in_round(round);
    switch (which) {
      case way::threads: on.launch(by_threads<not_apart>{s, unreached, {}}, vertices, all); break;
      case way::pieces: on.launch(p.all_pieces(round), threads_for(u64{vertices} + s.neighbors.length), all); break;
      case way::nodes: on.launch(nodes->of(s), static_cast<u32>(nodes->size()), all); break;
      case way::second:
        on.launch(first_of_two(round), vertices, all);
        if (const u64 listed = p.listed_in(round); listed != 0) {
          on.launch(p.listed_pieces(round), threads_for(u64{entries(listed)} + arcs(listed)), all);
        }
        break;
      case way::second_unread:
        on.launch(first_of_two(round), vertices, all);
        on.launch(p.listed_pieces(round), machine::full<by_pieces>(), all);
        break;
#if defined(__CUDACC__)
      case way::tail:
        on.launch(and_behind<by_threads<list_apart>>{first_of_two(round), p.listed_pieces(round), second_blocks,
                                                     on.noting(all)},
                  vertices, all);
        break;
      case way::children: on.launch(by_threads<child_apart>{s, bound, {on.noting(all)}}, vertices, all); break;
#endif
      default: throw std::logic_error("a way that this machine does not have");
    }
    if (all) {
      p.word(fell_in);  // waits
      end_round();
    }
  });
}

/// What is measured, and its columns.
struct setting {
  const graph& g;
  bool weighted;
  relaxing which;
  const std::vector<u32>& expected;
  u32 runs;
};

void print_header() {
  std::printf(
      "graph,vertices,arcs,lengths,relaxing,way,bound,apart,pending,rounds,launches,refused,ms,ms_min,ms_max,busy_min,"
      "busy_median,busy_max,active_min,active_median,active_max,span,longest,right\n");
}

void measure(const setting& of, problem& p, way which, std::optional<u32> bound, const virtual_nodes* nodes,
             u64 pending, machine& on) {
  std::vector<double> ms;
  observed seen;
  bool right = true;
  u32 rounds = 0;
  u64 refused = 0;
  for (u32 i = 0; i <= of.runs + 1; ++i) {
    const bool all = i > of.runs;
    p.reset();
    on.forget();
    const double took =
        machine::timed([&] { rounds = search_by(which, p, nodes, bound.value_or(unreached), on, all, seen); });
    if (i > 0 && !all) ms.push_back(took);
    if (!all) refused = std::max(refused, on.refused());
    right = right && p.distances() == of.expected;
  }
  // A child that is refused is made up for, and so is a round; a list would be left.
  right = right && (which != way::tail || refused + seen.refused == 0);
  all_right = all_right && right;
  machine::trim(seen);
  std::sort(ms.begin(), ms.end());
  std::printf("%s,%u,%u,%s,%s,%s,", of.g.name.c_str(), of.g.vertices(), of.g.arcs(), of.weighted ? "weights" : "unit",
              of.which == relaxing::reached ? "reached" : "fallen", way_names[static_cast<u32>(which)]);
  if (bound)
    std::printf("%u,%u", *bound, heavier_than(of.g, *bound));
  else
    std::printf(",");
  if (pending != 0)
    std::printf(",%llu,", static_cast<unsigned long long>(pending));
  else
    std::printf(",,");
  std::printf("%u,%llu,%llu,%.4f,%.4f,%.4f,", rounds, static_cast<unsigned long long>(seen.launches),
              static_cast<unsigned long long>(std::max(refused, seen.refused)), median(ms), ms.front(), ms.back());
  if (seen.busy.empty()) {
    std::printf(",,,,,,,,");
  } else {
    for (const auto* each : {&seen.busy, &seen.active}) {
      std::printf("%.4f,%.4f,%.4f,", *std::min_element(each->begin(), each->end()), median(*each),
                  *std::max_element(each->begin(), each->end()));
    }
    std::printf("%.4f,%.1f,", seen.span, seen.longest);
  }
  std::printf("%s\n", right ? "true" : "false");
  std::fflush(stdout);
}

/// Bounds that leave some vertices apart, the largest first.
std::vector<u32> bounds_for(const graph& g) {
  std::vector<u32> bounds{32, 128, 512, bound_by_histogram(g)};
  std::sort(bounds.begin(), bounds.end(), std::greater<>());
  bounds.erase(std::unique(bounds.begin(), bounds.end()), bounds.end());
  std::erase_if(bounds, [&](u32 bound) { return heavier_than(g, bound) == 0; });
  return bounds;
}

void measure_all_but_children(const setting& of, machine& on) {
  problem p(of.g, of.g.busiest(), of.weighted, of.which);
  measure(of, p, way::threads, {}, nullptr, 0, on);
  measure(of, p, way::pieces, {}, nullptr, 0, on);
  for (const u32 bound : bounds_for(of.g)) {
    const virtual_nodes nodes(of.g, bound);
    measure(of, p, way::nodes, bound, &nodes, 0, on);
    measure(of, p, way::second, bound, nullptr, 0, on);
    measure(of, p, way::second_unread, bound, nullptr, 0, on);
#if defined(__CUDACC__)
    measure(of, p, way::tail, bound, nullptr, on.make_room(0), on);
    measure(of, p, way::rounds, bound, nullptr, on.make_room(0), on);
#endif
  }
}

#if defined(__CUDACC__)

/// With CUDA's default of room where that is enough, or else with as much as is needed. There is never less: a kernel that
/// launched 2,553 grids with room for 2,048 did not end.
void measure_children(const setting& of, bool usual_room, machine& on) {
  const u64 usual = on.make_room(0);
  problem p(of.g, of.g.busiest(), of.weighted, of.which);
  for (const u32 bound : bounds_for(of.g)) {
    const u32 apart = heavier_than(of.g, bound);
    if ((apart <= usual / 2) != usual_room) continue;
    if (apart > most_vertices_apart) {
      std::fprintf(stderr, "%s: no children above %u arcs: %u vertices would launch a grid, more than %u\n",
                   of.g.name.c_str(), bound, apart, most_vertices_apart);
      continue;
    }
    measure(of, p, way::children, bound, nullptr, usual_room ? usual : on.make_room(u64{2} * apart), on);
    on.make_room(usual);
  }
}

#endif

int usage() {
  std::fprintf(stderr, "usage: child_launches [all, rmat, graph500 or stars [scale, 8 to 23 [runs, 1 to 1000]]]\n");
  return 2;
}

/// The number, or 0 if it is none from `least` to `most`.
u32 number_in(const char* text, u32 least, u32 most) {
  char* end = nullptr;
  const unsigned long value = std::strtoul(text, &end, 10);
  return *text >= '0' && *text <= '9' && *end == '\0' && value >= least && value <= most ? static_cast<u32>(value) : 0;
}

}  // namespace

int main(int argc, char** argv) {
  const std::string wanted = argc > 1 ? argv[1] : "all";
  const u32 scale = argc > 2 ? number_in(argv[2], 8, 23) : 20;
  const u32 runs = argc > 3 ? number_in(argv[3], 1, 1000) : 5;
  const std::array<std::string, 3> names{"rmat", "graph500", "stars"};
  if (argc > 4 || scale == 0 || runs == 0) return usage();
  if (wanted != "all" && std::find(names.begin(), names.end(), wanted) == names.end()) return usage();
  try {
    require_device();
    machine on;
    print_header();
    for (const std::string& name : names) {
      if (wanted != "all" && wanted != name) continue;
      const u32 vertices = u32{1} << scale;
      const u32 hub = std::min(vertices / 16, 4096u);
      const graph g = name == "rmat"       ? rmat(name, scale, vertices * 8, 0.493, 0.15, 0.15)
                      : name == "graph500" ? rmat(name, scale, vertices * 8, 0.57, 0.19, 0.19)
                                           : stars(name, vertices, 4, vertices * 4 / hub, hub);
      const std::vector<u32> expected[] = {dijkstra(g, g.busiest(), false), dijkstra(g, g.busiest(), true)};
      std::vector<setting> settings;
      for (const bool weighted : {false, true}) {
        for (const relaxing which : {relaxing::reached, relaxing::fallen}) {
          settings.push_back({g, weighted, which, expected[weighted ? 1 : 0], runs});
        }
      }
      for (const setting& each : settings) measure_all_but_children(each, on);
#if defined(__CUDACC__)
      for (const bool usual_room : {true, false}) {
        for (const setting& each : settings) measure_children(each, usual_room, on);
      }
#endif
    }
  } catch (const std::exception& e) {
    std::fprintf(stderr, "child_launches: %s\n", e.what());
    return 1;
  }
  return all_right ? 0 : 1;
}
