// SPDX-License-Identifier: Apache-2.0
/**
 * Times scorers against each other on one model: {@link io.quickscorer.bench.Contender} is a scorer
 * with its documents, {@link io.quickscorer.bench.Rounds} takes the times, {@link
 * io.quickscorer.bench.Peer} is what brings in a scorer of others. Entry type: {@link
 * io.quickscorer.bench.EngineComparison}. No scorer imports this package.
 */
@NullMarked
package io.quickscorer.bench;

import org.jspecify.annotations.NullMarked;
