// SPDX-License-Identifier: Apache-2.0
/**
 * What engines need to be written once for all vector widths: the species of a copy, copies of a
 * kernel per width, and the probe {@link io.quickscorer.engine.simd.VectorSupport}, which links
 * nothing of {@code jdk.incubator.vector} unless it is there. In the whole project only classes
 * whose names begin with {@code Simd} touch that module.
 */
@NullMarked
package io.quickscorer.engine.simd;

import org.jspecify.annotations.NullMarked;
