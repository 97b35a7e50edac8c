/// @file
/// Turns functors into kernels that a host can find and launch. Includes the machine's vocabulary (platform/platform.cuh).
///
/// A kernel is a trivially copyable aggregate with `MAGPIE_DEVICE void operator()(const magpie::thread& self) const`;
/// its fields are the launch's arguments, and its bytes are the kernel's only parameter:
///
///     struct scale {
///       std::uint32_t n;
///       float factor;
///       magpie::array<float> values;
///       MAGPIE_DEVICE void operator()(const magpie::thread& self) const {
///         for (std::uint32_t i : self.items(n)) magpie::st_plain(&values[i], factor * magpie::ld_plain(&values[i]));
///       }
///     };
///     MAGPIE_KERNEL(scale)
///
/// On `cuda` this defines the entry point `magpie_kernel_scale`, built for blocks of `scale::block_size` threads
/// (default 256). On `cpu` and `sim` it registers the functor with the module, whose C symbols
/// `magpie_module_table` and `magpie_launch` describe and run every kernel of the translation unit, and whose third,
/// `magpie_interrupt`, ends what runs. A module is one translation unit. Participation: a kernel is called by every
/// thread of the grid; it must be right for every grid size and warp width, so it strides, declares no shared memory of its
/// own, and calls collectives only where all lanes of the warp are. Its threads wait for each other only if it says so
/// (platform/grid_barrier.cuh).
///
/// A kernel that is launched again and again, as it finds out for itself what is next, may have passes: a member `next_pass` lets
/// processors run it again within a launch (platform/passes.cuh).
///
/// A kernel may state what must hold of a region's data between its launches, for `magpie verify --invariant`: it calls
/// `violated` for each place where that does not hold.
///
/// A number that the host must know too, such as the words of a record, is exported by `MAGPIE_CONSTANT(record::words)`:
/// the host asks the module for it, by the name as written there, in place of repeating it.
#pragma once

#include "magpie/platform/platform.cuh"

MAGPIE_NAMESPACE_BEGIN

/// Says that an invariant does not hold at `place`, such as an index. `violations` is the kernel's field of that name: 2
/// elements, 0 and 2^32 - 1 before; then how often this was called, and the least place.
MAGPIE_INLINE void violated(const array<std::uint32_t>& violations, std::uint32_t place) {
  red_add_rlx_dev(&violations[0], 1u);
  red_min_rlx_dev(&violations[1], place);
}

MAGPIE_NAMESPACE_END

#if defined(__CUDACC__)

#define MAGPIE_CONSTANT_AS(name, value) static_assert(sizeof(::std::int64_t{value}) == 8);

#define MAGPIE_KERNEL_AS(symbol, ...)                                                       \
  extern "C" __global__ void __launch_bounds__(::magpie::block_size_of<__VA_ARGS__>(),      \
                                               ::magpie::resident_blocks_of<__VA_ARGS__>()) \
      magpie_kernel_##symbol(const __grid_constant__ __VA_ARGS__ functor) {                 \
    ::magpie::enter_kernel<__VA_ARGS__>();                                                  \
    functor(::magpie::thread{});                                                            \
  }

#else

#include <string>
#include <utility>
#include <vector>

#include "magpie/detail/field_table.hpp"
#include "magpie/detail/shared_lines.hpp"

#if defined(__PIC__) && !defined(__PIE__)
// libstdc++ asks this variable, which glibc has only since 2.32, whether it may skip atomic operations. A module has
// its own, which says no: so it loads on older systems as well.
extern "C" {
__attribute__((weak, visibility("hidden"))) char __libc_single_threaded = 0;
}
#endif

MAGPIE_NAMESPACE_BEGIN

/// The kernels and regions of this module, in the order of their registration.
struct module_registry {
  struct kernel {
    const char* name;
    void (*body)(const void* functor, const thread& self);
    std::string fields;                         ///< those of the functor, for messages
    std::uint32_t (*next_pass)(void* functor);  ///< null: it has one pass
  };

  std::vector<kernel> kernels;
  std::string shared = lines_of_launches();
  std::string table;

  /// The whole table. Not a static of the exported function: that would be exported with it, and shared by modules
  /// that a process loads with global symbols.
  MAGPIE_COLD const std::string& text() const {
    static const std::string whole = std::string("magpie 11 ") +
#if defined(MAGPIE_MACHINE_SIM)
                                     "sim " +
#else
                                     "cpu " +
#endif
                                     (MAGPIE_CHECKS_BOUNDS ? "checked " : "plain ") +
#if defined(MAGPIE_RECORD)
                                     "recording\n" +
#else
                                     "quiet\n" +
#endif
                                     shared + table;
    return whole;
  }

  static module_registry& instance() {
    static module_registry registry;
    return registry;
  }

  /// Adds a kernel that can be launched, whose functor has these fields; gives its index. No line in the table.
  template <class Functor>
  std::size_t add(const char* name, std::string fields) {
    return add({name,
                [](const void* functor, const thread& self) {
                  enter_kernel<Functor>();
                  (*static_cast<const Functor*>(functor))(self);
                },
                std::move(fields), passes_of<Functor>()},
               meets_grid_of<Functor>);
  }

  template <class Functor>
  bool add_kernel(const char* name) {
    const std::size_t index = add<Functor>(name, reflection::field_lines<Functor>());
    add_line(table, {"kernel", name, index, sizeof(Functor), alignof(Functor)});
    table += kernels[index].fields;
    return true;
  }

  MAGPIE_COLD bool add_constant(const char* name, std::int64_t value) {
    add_line(table, {"constant", name, value});
    return true;
  }

 private:
  MAGPIE_COLD std::size_t add(kernel each, bool meets_grid) {
    if (meets_grid) add_line(shared, {"meets", each.name});
    kernels.push_back(std::move(each));
    return kernels.size() - 1;
  }
};

MAGPIE_NAMESPACE_END

#define MAGPIE_KERNEL_AS(symbol, ...)                             \
  [[maybe_unused]] static const bool magpie_registered_##symbol = \
      ::magpie::module_registry::instance().add_kernel<__VA_ARGS__>(#symbol);

#define MAGPIE_CONSTANT_NAME_2(number) magpie_constant_##number
#define MAGPIE_CONSTANT_NAME(number) MAGPIE_CONSTANT_NAME_2(number)
#define MAGPIE_CONSTANT_AS(name, value)                                  \
  [[maybe_unused]] static const bool MAGPIE_CONSTANT_NAME(__COUNTER__) = \
      ::magpie::module_registry::instance().add_constant(name, ::std::int64_t{value});

/// The module's kernels, regions and fields as text, one line each:
/// `magpie 11 <machine> <plain|checked> <quiet|recording>`,
/// `shared <name> <number>` and `member <struct>.<member> <offset> <bytes>`: see detail/shared_lines.hpp,
/// `meets <kernel>` for each whose threads meet at barriers of the grid (platform/grid_barrier.cuh),
/// `kernel <name> <index> <bytes> <align>`,
/// `region <name> <bytes> <align> <max objects> <max writes> <opaque> <order dependent> <scattered accesses>
/// <max pushes, or - where it runs in no rounds>`,
/// `control` and `counter`, once, before the first region: see stm/launch_table.hpp,
/// `field <name, of a struct's member.field> <offset> <size> <kind, see field_table.hpp>`, `constant <name> <value>`,
/// `variant <policy> <fixed|paged> <kernel> <index> <bytes> <offset of the region's fields>`.
/// The text lives as long as the module.
extern "C" inline __attribute__((used, visibility("default"))) const char* magpie_module_table() {
  return ::magpie::module_registry::instance().text().c_str();
}

/// Runs a launch, or the part of it that `args` names, on the calling thread. Gives a `launch_code`; for codes other
/// than 0, `message` receives one NUL-terminated line. After a fault the kernel's data are suspect.
extern "C" inline __attribute__((used, visibility("default"))) std::int32_t magpie_launch(
    std::uint32_t kernel, const void* functor, const magpie_launch_args* args, char* message,
    std::uint64_t message_bytes) {
  const auto& kernels = ::magpie::module_registry::instance().kernels;
  if (kernel >= kernels.size()) {
    std::snprintf(message, message_bytes, "no kernel of index %u in this module of %zu", kernel, kernels.size());
    return launch_unknown_kernel;
  }
  const auto& wanted = kernels[kernel];
#if defined(MAGPIE_MACHINE_SIM)
  return ::magpie::run_grid(wanted.name, wanted.body, functor, *args, message, message_bytes, wanted.fields.c_str());
#else
  return ::magpie::run_grid(wanted.name, wanted.body, functor, *args, message, message_bytes, wanted.fields.c_str(),
                            wanted.next_pass);
#endif
}

/// Ends the launch of `functor`, on whatever threads it runs, within the limits of fault_guard.hpp: to be called from another
/// thread, again and again until `magpie_launch` has returned there, with `launch_interrupted`, on sim also `launch_stuck`.
extern "C" inline __attribute__((used, visibility("default"))) void magpie_interrupt(const void* functor) {
  ::magpie::fault_guard::interrupt(functor);
}

#endif

/// Exports the functor type `name` as the kernel `name`. For another name or a template's instance: MAGPIE_KERNEL_AS.
#define MAGPIE_KERNEL(name) MAGPIE_KERNEL_AS(name, name)

/// Exports an integer constant, in the scope where it is called by this name; a braced conversion, so that one beyond 63
/// bits does not compile.
#define MAGPIE_CONSTANT(name) MAGPIE_CONSTANT_AS(#name, name)
