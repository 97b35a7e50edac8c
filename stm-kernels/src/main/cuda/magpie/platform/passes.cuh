/// @file
/// Passes: a kernel that is run again and again within one launch.
///
/// Layer: platform; included by platform.cuh. A pass is what a launch is otherwise: each thread of its grid runs once. A kernel has
/// more of them if its functor has the member
///
///     MAGPIE_DEVICE std::uint32_t next_pass();
///
/// which is called once all threads of a pass have ended and none of the next one has begun. It makes the functor that of the next
/// pass and gives the threads that are worth it; 0 is the end. It changes nothing but the functor, as the launch may end before that
/// pass. What a pass wrote, by whatever accessor, the next one reads.
///
/// The threads of a pass may run one after the other: a kernel whose threads meet (grid_barrier.cuh) has no passes.
///
/// A launch may end before its last pass, and only `cpu`, through the Java library, has passes at all: the host looks at what a
/// launch has left, and launches again. On a GPU a launch costs no more than a barrier of the whole grid, and is started ahead; on
/// processors each one costs calls from Java, and perhaps the waking of threads.
#pragma once

#include <concepts>
#include <cstdint>

MAGPIE_NAMESPACE_BEGIN

/// Whether a kernel has passes.
template <class Functor>
inline constexpr bool has_passes = requires(Functor& functor) {
  { functor.next_pass() } -> std::same_as<std::uint32_t>;
};

/// `next_pass` of a functor of any type; null if it has none.
template <class Functor>
constexpr auto passes_of() -> std::uint32_t (*)(void* functor) {
  if constexpr (has_passes<Functor>) {
    static_assert(!meets_grid_of<Functor>,
                  "a kernel whose threads meet has no next_pass: a pass may have one thread after the other");
    return [](void* functor) { return static_cast<Functor*>(functor)->next_pass(); };
  } else {
    return nullptr;
  }
}

MAGPIE_NAMESPACE_END
