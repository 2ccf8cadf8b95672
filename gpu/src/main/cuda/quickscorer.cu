// All kernels, as one module. bin/build-ptx compiles it to PTX; the tests compile it with a C++ compiler.
// Floating-point additions are intrinsics, which no compiler fuses or reorders.
#include "columns.cuh"
#include "gpu_quickscorer.cuh"
#include "quantized_traversal.cuh"
#include "tree_sum.cuh"
