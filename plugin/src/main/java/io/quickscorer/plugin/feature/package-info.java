// SPDX-License-Identifier: Apache-2.0
/**
 * The contracts of features, from a user's definition to a column of a shard's window. {@link
 * io.quickscorer.plugin.feature.FeatureDefinition} is bound to a request and becomes a {@link
 * io.quickscorer.plugin.feature.BoundFeature}, which becomes a {@link
 * io.quickscorer.plugin.feature.ShardFeature} on each shard. Does not depend on any kind of
 * feature.
 */
@NullMarked
package io.quickscorer.plugin.feature;

import org.jspecify.annotations.NullMarked;
