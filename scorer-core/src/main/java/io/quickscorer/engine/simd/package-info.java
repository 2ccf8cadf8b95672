// SPDX-License-Identifier: Apache-2.0
/**
 * Support for engines with one source for all vector widths: the species of a copy, copies of a
 * kernel per width, and the probe {@link io.quickscorer.engine.simd.VectorSupport}, which links
 * {@code jdk.incubator.vector} only if the module is present. In the whole project only classes
 * whose names begin with {@code Simd} use that module.
 */
@NullMarked
package io.quickscorer.engine.simd;

import org.jspecify.annotations.NullMarked;
