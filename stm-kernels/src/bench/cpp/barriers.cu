// full flavors: nvcc
/// @file
/// Benchmark: what a barrier for all blocks of a grid costs inside a kernel, against ending the kernel and launching another one,
/// which is how most of Magpie's algorithms separate their phases. Plain C++ over the device library:
///
///     nvcc -std=c++20 -O3 -arch=sm_90 -I stm-kernels/src/main/cuda stm-kernels/src/bench/cpp/barriers.cu -o barriers
///     g++ -x c++ -std=c++20 -O3 -pthread -I stm-kernels/src/main/cuda stm-kernels/src/bench/cpp/barriers.cu -o barriers
///     ./barriers [rounds, default 2000]
///
/// Barriers (grid_barriers.cuh): one counter; hierarchical; the atomic-free one of Xiao and Feng, with the orders that it needs and,
/// as published, without; on a GPU that of cooperative groups; and there three ways without a barrier: empty kernels launched one
/// after the other, the same from a graph of a hundred, and with the host waiting for each of them. From one block to all that
/// can be resident, as cooperative launches require. Compiled by g++, a block is a thread of the host.
///
/// Prints one JSON object a line: nanoseconds for a round (median, least and most of seven runs), and over as many rounds
/// that are checked how often a thread did not see what another block's wrote before the barrier, by relaxed and on a GPU also
/// by ordinary accesses. Exit status 1 if that happened with a barrier that has its orders, or if a wait was given up.
#include <array>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <vector>

#include "grid_barriers.cuh"

namespace {

using namespace barriers;

constexpr std::size_t runs = 7;
/// Polls of one wait: about a second on a GPU.
constexpr std::uint64_t patience = 1u << 21;

bool all_well = true;

/// Milliseconds of `runs` runs.
class times {
 public:
  explicit times(const std::array<double, runs>& measured) : sorted_(measured) {
    std::sort(sorted_.begin(), sorted_.end());
  }
  double median() const { return sorted_[runs / 2]; }
  double least() const { return sorted_.front(); }
  double most() const { return sorted_.back(); }

 private:
  std::array<double, runs> sorted_;
};

/// The grid, and how many of its blocks there could be at most.
struct grid {
  std::uint32_t blocks;
  std::uint32_t threads_each;
  std::uint32_t fit;
};

void print(const char* name, bool ordered, const grid& at, word rounds, const times& ms, word missed, word missed_weak,
           bool timed_out) {
  const bool well = !timed_out && (!ordered || missed + missed_weak == 0);
  all_well = all_well && well;
  const auto nanoseconds = [&](double milliseconds) { return milliseconds * 1e6 / rounds; };
  std::printf(
      "{\"benchmark\":\"barriers\",\"barrier\":\"%s\",\"ordered\":%s,\"blocks\":%u,\"threads_each\":%u,\"blocks_that_"
      "fit\":%u,"
      "\"rounds\":%u,\"ns\":%.1f,\"ns_min\":%.1f,\"ns_max\":%.1f,\"missed\":%u,\"missed_weak\":%u,\"timed_out\":%s,"
      "\"well\":%s}\n",
      name, ordered ? "true" : "false", at.blocks, at.threads_each, at.fit, rounds, nanoseconds(ms.median()),
      nanoseconds(ms.least()), nanoseconds(ms.most()), missed, missed_weak, timed_out ? "true" : "false",
      well ? "true" : "false");
  std::fflush(stdout);
}

#if defined(__CUDACC__)

template <class Functor>
__global__ void __launch_bounds__(1024) run_blocks(const __grid_constant__ Functor functor) {
  functor(thread{});
}

/// Milliseconds between two events around what `enqueue` enqueues.
template <class Enqueue>
double timed(Enqueue&& enqueue) {
  const host::event start;
  const host::event stop;
  host::check(cudaEventRecord(start), "recording an event");
  enqueue();
  host::check(cudaEventRecord(stop), "recording an event");
  host::check(cudaEventSynchronize(stop), "running kernels");
  float milliseconds = 0;
  host::check(cudaEventElapsedTime(&milliseconds, start, stop), "reading an event");
  return milliseconds;
}

/// One kernel all of whose blocks are resident.
template <class Functor>
double run_resident(Functor functor, const grid& at) {
  return timed([&] {
    void* arguments[] = {&functor};
    const void* const kernel = reinterpret_cast<const void*>(&run_blocks<Functor>);
    host::check(
        cudaLaunchCooperativeKernel(kernel, dim3(at.blocks), dim3(at.threads_each), arguments, 0, nullptr),
        "launching " + std::to_string(at.blocks) + " blocks of " + std::to_string(at.threads_each) + " threads");
  });
}

template <class Functor>
void launch(const Functor& functor, const grid& at, cudaStream_t stream = nullptr) {
  run_blocks<Functor><<<at.blocks, at.threads_each, 0, stream>>>(functor);
  host::check(cudaGetLastError(), "launching " + std::to_string(at.blocks) + " blocks");
}

std::uint32_t multiprocessors() {
  int device = 0, n = 0;
  host::check(cudaGetDevice(&device), "finding the device");
  host::check(cudaDeviceGetAttribute(&n, cudaDevAttrMultiProcessorCount, device), "asking for the device's size");
  return static_cast<std::uint32_t>(n);
}

/// The blocks of the kernel that can be resident at the same time.
template <class Functor>
std::uint32_t fit(std::uint32_t threads_each) {
  int blocks = 0;
  host::check(
      cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, run_blocks<Functor>, static_cast<int>(threads_each), 0),
      "asking for occupancy");
  return multiprocessors() * static_cast<std::uint32_t>(blocks);
}
template <class Barrier>
std::uint32_t fit_with(std::uint32_t threads_each) {
  return std::min(fit<pass<Barrier>>(threads_each), fit<checked_pass<Barrier>>(threads_each));
}

#else

template <class Functor>
double run_resident(const Functor& functor, const grid& at) {
  return host::run(functor, at.blocks * at.threads_each);
}

#endif

template <class Barrier>
void measure(bool ordered, const grid& at, word rounds) {
  host::buffer<word> words(Barrier::words_for(at.blocks), 0), gave_up(1, 0), missed(1, 0);
  host::buffer<word> data(std::size_t{2} * at.blocks * at.threads_each, 0);
  const auto fresh = [&] {
    words.fill(0);
    return Barrier{words.view()};
  };
  std::array<word, 2> misses{};
  std::array<double, runs> ms{};
  for (const bool weak : {false, true}) {
#if !defined(__CUDACC__)
    if (weak) continue;  // a compiler may do as it likes with the race that a check has if it fails
#endif
    missed.fill(0);
    data.fill(0);
    run_resident(checked_pass<Barrier>{fresh(), rounds, patience, gave_up.view(), {data.view(), weak}, missed.view()},
                 at);
    misses[weak ? 1 : 0] = missed.get()[0];
  }
  for (std::size_t i = 0; i < runs && gave_up.get()[0] == 0; ++i) {
    ms[i] = run_resident(pass<Barrier>{fresh(), rounds, patience, gave_up.view()}, at);
  }
  print(Barrier::name, ordered, at, rounds, times(ms), misses[0], misses[1], gave_up.get()[0] != 0);
}

#if defined(__CUDACC__)

/// Kernels without work in place of barriers.
void measure_launches(const grid& at, word rounds) {
  host::buffer<word> missed(1, 0), data(std::size_t{2} * at.blocks * at.threads_each, 0);
  std::array<word, 2> misses{};
  for (const bool weak : {false, true}) {
    missed.fill(0);
    data.fill(0);
    // The last one checks, too.
    for (word round = 1; round <= rounds + 1; ++round)
      launch(checked_launch{round, {data.view(), weak}, missed.view()}, at);
    misses[weak ? 1 : 0] = missed.get()[0];
  }
  std::array<double, runs> ms{};
  for (double& each : ms) {
    each = timed([&] {
      for (word round = 0; round < rounds; ++round) launch(empty_launch{}, at);
    });
  }
  print("launches", true, at, rounds, times(ms), misses[0], misses[1], false);

  for (double& each : ms) {
    const auto begin = std::chrono::steady_clock::now();
    for (word round = 0; round < rounds; ++round) {
      launch(empty_launch{}, at);
      host::check(cudaStreamSynchronize(nullptr), "running a kernel");
    }
    each = std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - begin).count();
  }
  print("launches, awaited", true, at, rounds, times(ms), misses[0], misses[1], false);

  constexpr word of_graph = 100;
  const word graphs = std::max(rounds / of_graph, 1u);
  cudaStream_t stream;
  cudaGraph_t graph;
  cudaGraphExec_t whole;
  host::check(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking), "creating a stream");
  host::check(cudaStreamBeginCapture(stream, cudaStreamCaptureModeThreadLocal), "beginning a graph");
  for (word i = 0; i < of_graph; ++i) launch(empty_launch{}, at, stream);
  host::check(cudaStreamEndCapture(stream, &graph), "ending a graph");
  host::check(cudaGraphInstantiate(&whole, graph, 0), "making a graph");
  for (double& each : ms) {
    each = timed([&] {
      for (word i = 0; i < graphs; ++i) host::check(cudaGraphLaunch(whole, nullptr), "launching a graph");
    });
  }
  host::check(cudaGraphExecDestroy(whole), "ending a graph");
  host::check(cudaGraphDestroy(graph), "ending a graph");
  host::check(cudaStreamDestroy(stream), "closing a stream");
  print("launches of a graph", true, at, graphs * of_graph, times(ms), misses[0], misses[1], false);
}

#endif

void measure_all(const grid& at, word rounds) {
  measure<one_counter<>>(true, at, rounds);
  measure<hierarchical<>>(true, at, rounds);
  measure<atomic_free<>>(true, at, rounds);
  measure<atomic_free<orders::none>>(false, at, rounds);
#if defined(__CUDACC__)
  measure<cooperative_groups_sync>(true, at, rounds);
  measure_launches(at, rounds);
#endif
}

}  // namespace

int main(int argc, char** argv) {
  const unsigned long rounds = argc > 1 ? std::strtoul(argv[1], nullptr, 10) : 2000;
  if (argc > 2 || rounds == 0 || rounds > 1'000'000) {
    std::fprintf(stderr, "usage: barriers [rounds, 1 to 1000000]\n");
    return 2;
  }
#if defined(__CUDACC__)
  for (const std::uint32_t threads_each : {256u, 1024u}) {
    const std::uint32_t fit =
        std::min({fit_with<one_counter<>>(threads_each), fit_with<hierarchical<>>(threads_each),
                  fit_with<atomic_free<>>(threads_each), fit_with<atomic_free<orders::none>>(threads_each),
                  fit_with<cooperative_groups_sync>(threads_each)});
    std::vector<std::uint32_t> sizes{fit};
    for (std::uint32_t blocks = 1; blocks < fit; blocks *= 2) sizes.push_back(blocks);
    for (std::uint32_t blocks = multiprocessors(); blocks < fit; blocks *= 2) sizes.push_back(blocks);
    std::sort(sizes.begin(), sizes.end());
    for (const std::uint32_t blocks : sizes) measure_all({blocks, threads_each, fit}, static_cast<word>(rounds));
  }
#else
  const std::uint32_t cores = std::max(1u, std::thread::hardware_concurrency());
  for (std::uint32_t blocks = 1; blocks <= cores; ++blocks) {
    measure_all({blocks, host::warp_width(), cores}, static_cast<word>(rounds));
  }
#endif
  return all_well ? 0 : 1;
}
