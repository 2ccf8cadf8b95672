// SPDX-License-Identifier: Apache-2.0
/** Engines that follow each tree from its root to a leaf: STRUCT, STRUCT+, CODEGEN, PRED, VPRED. */
@NullMarked
package io.quickscorer.papers.traversal;

import org.jspecify.annotations.NullMarked;
