/// @file
/// What a module that is compiled with instrumentation calls when it is loaded, before anything else of it runs.
///
/// Layer: platform; by itself, as the compiler puts it in front of every source that is to be traced: one that includes nothing of
/// the library has to be loaded as well, so that its host can say what is missing. All other calls are in instrumentation.hpp.
#pragma once

extern "C" __attribute__((visibility("hidden"), used)) inline void __tsan_init() {}
