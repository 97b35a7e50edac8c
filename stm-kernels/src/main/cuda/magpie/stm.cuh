/// @file
/// Everything the author of a transactional region needs: include this, write the region, `MAGPIE_REGION(name)`.
///
/// Where to read on: stm/region.cuh (what a region is), stm/transaction.cuh (what it can do), stm/detail/hand_off.cuh (the
/// default policy), platform/platform.cuh (accessors for lock-free phases), kernel.cuh (kernels without transactions).
#pragma once

#include "magpie/kernel.cuh"
#include "magpie/parallel/append.cuh"
#include "magpie/stm/region.cuh"
