// SPDX-License-Identifier: Apache-2.0
/**
 * The CUDA driver API through JCuda; the only user of JCuda. Its classes are loaded by {@link
 * io.quickscorer.gpu.DriverLoader} in a class loader of their own, never by the one that loads the
 * rest of the module: nothing here may be named outside.
 */
@NullMarked
package io.quickscorer.gpu.jcuda;

import org.jspecify.annotations.NullMarked;
