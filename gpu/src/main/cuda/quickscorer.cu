// All kernels, as one module. Built to PTX by bin/build-ptx; the tests build it with a C++ compiler.
// Floating-point additions are spelled as intrinsics that no compiler fuses or reorders.
#include "columns.cuh"
#include "gpu_quickscorer.cuh"
#include "quantized_traversal.cuh"
#include "tree_sum.cuh"
