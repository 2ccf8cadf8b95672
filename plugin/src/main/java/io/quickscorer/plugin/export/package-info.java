// SPDX-License-Identifier: Apache-2.0
/**
 * Training data from an index: the feature values of judged documents as files that trainers read,
 * and the cost of a feature set. Searches with the rights of the user, and reads hits through
 * {@link io.quickscorer.plugin.rescore.LoggedHits} and costs through {@link
 * io.quickscorer.plugin.rescore.shard.RescoreProfile}.
 */
@NullMarked
package io.quickscorer.plugin.export;

import org.jspecify.annotations.NullMarked;
