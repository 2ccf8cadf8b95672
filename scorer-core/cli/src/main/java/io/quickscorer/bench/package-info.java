// SPDX-License-Identifier: Apache-2.0
/**
 * Times scorers against each other on one model. A {@link io.quickscorer.bench.Contender} is a
 * scorer with documents to score, {@link io.quickscorer.bench.Rounds} measures the times, and
 * {@link io.quickscorer.bench.Peer} adds a scorer of another library. Entry type: {@link
 * io.quickscorer.bench.EngineComparison}. No scorer imports this package.
 */
@NullMarked
package io.quickscorer.bench;

import org.jspecify.annotations.NullMarked;
