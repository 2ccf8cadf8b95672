// SPDX-License-Identifier: Apache-2.0
/**
 * Verifies scores while the node serves searches. For a fraction of the searches, the reference
 * engine (the simplest scoring algorithm) computes the scores again, on separate threads. The
 * scores are compared bit by bit. Searches pass their scores to {@link
 * io.quickscorer.plugin.verify.Verifier}. {@link io.quickscorer.plugin.model.node.ModelLookup}
 * stops the use of an engine that computed wrong scores. This package does not depend on the code
 * of searches.
 */
@NullMarked
package io.quickscorer.plugin.verify;

import org.jspecify.annotations.NullMarked;
