// SPDX-License-Identifier: Apache-2.0
/**
 * Verification in production: a share of the scored windows is scored again by the reference, off
 * the search threads, and compared bit by bit. Searches hand their windows to {@link
 * io.quickscorer.plugin.verify.Verifier}; an engine that was wrong is taken away from its model
 * through {@link io.quickscorer.plugin.model.node.ModelLookup}. Knows nothing of searches.
 */
@NullMarked
package io.quickscorer.plugin.verify;

import org.jspecify.annotations.NullMarked;
