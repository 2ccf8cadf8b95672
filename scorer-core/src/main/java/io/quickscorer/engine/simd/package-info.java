// SPDX-License-Identifier: Apache-2.0
/**
 * Support for engines with one source for all vector widths. {@link
 * io.quickscorer.engine.simd.VectorSupport} determines the usable widths, and uses {@code
 * jdk.incubator.vector} only if that module is present. In the whole project, only classes whose
 * names begin with {@code Simd} use it directly.
 */
@NullMarked
package io.quickscorer.engine.simd;

import org.jspecify.annotations.NullMarked;
