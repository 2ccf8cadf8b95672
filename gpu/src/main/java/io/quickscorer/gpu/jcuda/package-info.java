// SPDX-License-Identifier: Apache-2.0
/**
 * Calls the CUDA driver API through JCuda. {@link io.quickscorer.gpu.DriverLoader} loads these
 * classes in a class loader of their own, so no class outside this package may name them.
 */
@NullMarked
package io.quickscorer.gpu.jcuda;

import org.jspecify.annotations.NullMarked;
