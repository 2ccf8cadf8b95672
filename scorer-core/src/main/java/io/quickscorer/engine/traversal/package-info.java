// SPDX-License-Identifier: Apache-2.0
/**
 * Engines that walk each tree from its root to an exit leaf: OBJECT, STRUCT, STRUCT+, CODEGEN, PRED
 * and VPRED. {@link io.quickscorer.engine.traversal.ReferenceScorer} defines the right answer for
 * all engines.
 */
@NullMarked
package io.quickscorer.engine.traversal;

import org.jspecify.annotations.NullMarked;
