// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.plugin.rescore;

/**
 * Which processors of others than this plugin a search has.
 *
 * @param pipeline the name of the search's pipeline; {@code _none} if it has none
 * @param readHits whether some read the hits before this plugin ranks them: response processors of
 *     a search pipeline, those that the server adds by itself, or the coordinating node of another
 *     cluster, which chooses the best hits of that cluster
 * @param moveHits whether some may change the order of the shards' hits between the query phase and
 *     the fetch phase, as processors for hybrid queries do
 */
public record OtherProcessors(String pipeline, boolean readHits, boolean moveHits) {}
