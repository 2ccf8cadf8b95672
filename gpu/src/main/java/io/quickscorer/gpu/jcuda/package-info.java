// SPDX-License-Identifier: Apache-2.0
/**
 * Calls the CUDA driver API through JCuda. {@link io.quickscorer.gpu.DriverLoader} loads the
 * classes of this package in a separate class loader, so code outside of the package must not refer
 * to the classes.
 */
@NullMarked
package io.quickscorer.gpu.jcuda;

import org.jspecify.annotations.NullMarked;
