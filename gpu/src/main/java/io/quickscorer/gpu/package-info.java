// SPDX-License-Identifier: Apache-2.0
/**
 * Engines on CUDA devices. The core finds them through {@link
 * io.quickscorer.scorer.ScorerProvider}. Entry type: {@link io.quickscorer.gpu.GpuProvider}. {@link
 * io.quickscorer.gpu.OffloadScorer} decides for each call whether a device or the CPU scores it.
 * All calls of the driver go through {@link io.quickscorer.gpu.CudaDriver}. Only the {@code jcuda}
 * package uses JCuda; {@link io.quickscorer.gpu.DriverLoader} loads it after it has found a driver.
 */
@NullMarked
package io.quickscorer.gpu;

import org.jspecify.annotations.NullMarked;
