// flavors: cpu sim nvcc
// build: -DSHELF=magpie -DHEADER=stm.cuh
// build: -DSHELF=magpie -DHEADER=kernel.cuh
// build: -DSHELF=magpie -DHEADER=host.hpp
// build: -DSHELF=magpie/parallel -DHEADER=append.cuh
// build: -DSHELF=magpie/parallel -DHEADER=lane_group.cuh
// build: -DSHELF=magpie/parallel -DHEADER=operators.cuh
// build: -DSHELF=magpie/parallel -DHEADER=pack.cuh
// build: -DSHELF=magpie/parallel -DHEADER=radix.cuh
// build: -DSHELF=magpie/parallel -DHEADER=scan.cuh
// build: -DSHELF=magpie/parallel -DHEADER=two_sweep.cuh
// build: -DSHELF=magpie/parallel -DHEADER=warp.cuh
// build: -DSHELF=magpie/parallel -DHEADER=warp_segmentation.cuh
/// @file
/// Each public header compiles by itself, twice in a row, for every machine. `HeaderShelvesTest` holds the list above to
/// the headers there are.
#define TEXT_OF(path) #path
#define TEXT(path) TEXT_OF(path)
#include TEXT(SHELF/HEADER)
#include TEXT(SHELF/HEADER)

// What even the lowest of them gives: the machine's vocabulary.
static_assert(sizeof(magpie::array<std::uint32_t>) == 16);
