// SPDX-License-Identifier: Apache-2.0
/**
 * Scorers of others, for {@code quickscorer bench --peers} and the benchmarks: one {@link
 * io.quickscorer.bench.Peer} per library, and the writers that turn our model into theirs. Compiled
 * by the profile {@code peers}, never shipped.
 */
package io.quickscorer.peers;
