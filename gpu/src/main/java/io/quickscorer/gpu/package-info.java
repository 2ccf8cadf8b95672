// SPDX-License-Identifier: Apache-2.0
/**
 * Scorers on CUDA devices. The core finds them through {@link
 * io.quickscorer.scorer.ScorerProvider}. Entry type: {@link io.quickscorer.gpu.GpuProvider}. {@link
 * io.quickscorer.gpu.OffloadScorer} decides per call between a device and the CPU. {@link
 * io.quickscorer.gpu.CudaDriver} is the only way to the device. Only the {@code jcuda} package uses
 * JCuda; {@link io.quickscorer.gpu.DriverLoader} loads it once it has found a driver.
 */
@NullMarked
package io.quickscorer.gpu;

import org.jspecify.annotations.NullMarked;
