// flavors: cpu sim nvcc
// full flavors: sim nvcc
// build: -DFOLDER=magpie -DHEADER=stm.cuh
// build: -DFOLDER=magpie -DHEADER=kernel.cuh
// build: -DFOLDER=magpie -DHEADER=host.hpp
// build: -DFOLDER=magpie/parallel -DHEADER=append.cuh
// build: -DFOLDER=magpie/parallel -DHEADER=lane_group.cuh
// build: -DFOLDER=magpie/parallel -DHEADER=pack.cuh
// build: -DFOLDER=magpie/parallel -DHEADER=priority_bins.cuh
// build: -DFOLDER=magpie/parallel -DHEADER=radix.cuh
// build: -DFOLDER=magpie/parallel -DHEADER=scan.cuh
// build: -DFOLDER=magpie/parallel -DHEADER=warp.cuh
// build: -DFOLDER=magpie/parallel -DHEADER=warp_segmentation.cuh
// build: -DFOLDER=magpie/parallel -DHEADER=worklist.cuh
/// @file
/// Each public header compiles by itself, twice in a row, for every machine. `HeaderLayersTest` holds the list above to
/// the headers there are.
#define TEXT_OF(path) #path
#define TEXT(path) TEXT_OF(path)
// clang-format off
#include TEXT(FOLDER/HEADER)
#include TEXT(FOLDER/HEADER)
// clang-format on

// What even the lowest of them gives: the machine's vocabulary.
static_assert(sizeof(magpie::array<std::uint32_t>) == 16);
