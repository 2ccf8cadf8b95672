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
 *              (SimulatedTransport, Network), what outlasts a process (Disk), snapshots (Backups),
 *              shards that are searched (RescoredSearches), the copies of the
 *              index of models (ShardCopy, ShardHost), searches in it (DocumentQuery), and the
 *              time that compiling takes
 * </pre>
 *
 * <p>The models are real and tiny, and their marks tell them apart. The copies of the index have
 * sequence numbers, primary terms, refreshes, recoveries, promotion and replication; a write that
 * was applied may lose its answer, and is sent again as the server sends it again.
 *
 * <p>{@code SimulationTests} draw everything from seeds, {@code InterleavingTests} and {@code
 * RestoreTests} give the order of a few events. {@code SimulatedIndexTests} send the same requests
 * to the simulated index and to that of a real node, and compare the answers.
 *
 * <p>Disks lose what was not synced when their host ends, and can be full, so that neither
 * documents nor cluster states can be written. The index is backed up, and restored with the global
 * state. Some clusters begin without the plugin, and get it node by node. Searches go through the
 * plugin's own filter and rewrites; one document per shard is scored, so that the score tells the
 * version.
 */
@NullMarked
package io.quickscorer.plugin.simulation;

import org.jspecify.annotations.NullMarked;
