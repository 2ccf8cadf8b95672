// SPDX-License-Identifier: Apache-2.0
/**
 * Writes the feature values of judged documents to files for trainers, and measures the time for
 * computing the features. Searches run with the user's permissions. Feature values of hits are read
 * with {@link io.quickscorer.plugin.rescore.LoggedHits}, and times with {@link
 * io.quickscorer.plugin.rescore.shard.RescoreProfile}.
 */
@NullMarked
package io.quickscorer.plugin.export;

import org.jspecify.annotations.NullMarked;
