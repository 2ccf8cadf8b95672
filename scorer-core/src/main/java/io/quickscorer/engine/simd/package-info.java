// SPDX-License-Identifier: Apache-2.0
/**
 * Support for engines that have one source for all vector widths: one copy of a kernel class per
 * width, and the vector species of a copy. {@link io.quickscorer.engine.simd.VectorSupport}
 * determines the usable widths, and links {@code jdk.incubator.vector} only if the module is
 * present. In the whole project, only classes whose names begin with {@code Simd} use that module.
 */
@NullMarked
package io.quickscorer.engine.simd;

import org.jspecify.annotations.NullMarked;
