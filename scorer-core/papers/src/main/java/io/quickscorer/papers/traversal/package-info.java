// SPDX-License-Identifier: Apache-2.0
/**
 * Engines that walk each tree from its root to an exit leaf: STRUCT, STRUCT+, CODEGEN, PRED and
 * VPRED.
 */
@NullMarked
package io.quickscorer.papers.traversal;

import org.jspecify.annotations.NullMarked;
