// SPDX-License-Identifier: Apache-2.0
/**
 * Verification in production. The reference scores a share of the windows again, off the search
 * threads, and compares them bit by bit. Searches pass their windows to {@link
 * io.quickscorer.plugin.verify.Verifier}. {@link io.quickscorer.plugin.model.node.ModelLookup}
 * quarantines an engine that scored wrong. Does not depend on searches.
 */
@NullMarked
package io.quickscorer.plugin.verify;

import org.jspecify.annotations.NullMarked;
