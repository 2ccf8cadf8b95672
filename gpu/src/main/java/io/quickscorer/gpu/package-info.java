// SPDX-License-Identifier: Apache-2.0
/**
 * Scorers on CUDA devices, found by the core through {@link io.quickscorer.scorer.ScorerProvider}.
 * Entry types: {@link io.quickscorer.gpu.GpuQuickScorerProvider} and {@link
 * io.quickscorer.gpu.GpuTraversalProvider}; {@link io.quickscorer.gpu.OffloadScorer} decides per
 * call between a device and the CPU. The device is reached through {@link
 * io.quickscorer.gpu.CudaDriver} alone; JCuda is used only in the {@code jcuda} package below,
 * which {@link io.quickscorer.gpu.DriverLoader} loads once a driver is known to be there.
 */
@NullMarked
package io.quickscorer.gpu;

import org.jspecify.annotations.NullMarked;
