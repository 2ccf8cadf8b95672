// SPDX-License-Identifier: Apache-2.0
/** The engine that follows each tree from its root to the leaf that a document reaches. */
@NullMarked
package io.quickscorer.engine.traversal;

import org.jspecify.annotations.NullMarked;
