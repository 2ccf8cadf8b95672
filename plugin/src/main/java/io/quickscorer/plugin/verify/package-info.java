// SPDX-License-Identifier: Apache-2.0
/**
 * Verifies scores while the node serves searches. A share of the windows is scored again with the
 * reference engine, on separate threads, and the scores are compared bit by bit. Searches pass
 * their windows to {@link io.quickscorer.plugin.verify.Verifier}. {@link
 * io.quickscorer.plugin.model.node.ModelLookup} quarantines an engine that scored wrong. This
 * package does not depend on the code of searches.
 */
@NullMarked
package io.quickscorer.plugin.verify;

import org.jspecify.annotations.NullMarked;
