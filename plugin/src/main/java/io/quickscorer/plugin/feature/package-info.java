// SPDX-License-Identifier: Apache-2.0
/**
 * What a feature is, from a user's definition to a column of a shard's window, whatever its kind:
 * {@link io.quickscorer.plugin.feature.FeatureDefinition} is bound to a request and becomes a
 * {@link io.quickscorer.plugin.feature.BoundFeature}, which on each shard becomes a {@link
 * io.quickscorer.plugin.feature.ShardFeature}. Knows no kind.
 */
@NullMarked
package io.quickscorer.plugin.feature;

import org.jspecify.annotations.NullMarked;
