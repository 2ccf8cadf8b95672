// SPDX-License-Identifier: Apache-2.0
/**
 * Whole clusters on one thread, with simulated time and a simulated network; a seed decides
 * everything, so that a failure happens again as often as one likes.
 *
 * <pre>
 *             Plan (operations and faults of a seed)
 *                |
 *           Simulation ---------- Trace, history
 *                |                     |
 *         SimulatedCluster          Checks (linearizable, whole, swept, settled)
 *          |     |     |
 *         SimulatedNode (1 to 7)
 *   real:      the plugin's actions and services for models, aliases, feature sets, catalogue,
 *              sweeper, loading; the server's coordination, elections, publication, allocation
 *              of shards, shard states, transport service, client
 *   simulated: threads (SimulatedThreads), time (Timeline, NodeTime), messages
 *              (SimulatedTransport, Network), what outlasts a process (Disk), the copies of the
 *              index of models (ShardCopy, ShardHost), searches in it (DocumentQuery), and the
 *              time that compiling takes
 * </pre>
 *
 * <p>The models are real and tiny, and their marks tell them apart. The copies of the index have
 * sequence numbers, primary terms, refreshes, recoveries, promotion and replication; a write that
 * was applied may lose its answer, and is sent again as the server sends it again.
 *
 * <p>{@code SimulationTests} draw everything from seeds, {@code InterleavingTests} give the order
 * of a few events. {@code SimulatedIndexTests} send the same requests to the simulated index and to
 * that of a real node, and compare the answers.
 *
 * <p>What is not simulated yet: searches that are rescored, restores of snapshots, nodes of older
 * wire versions, full disks, lost unsynced writes.
 */
@NullMarked
package io.quickscorer.plugin.simulation;

import org.jspecify.annotations.NullMarked;
