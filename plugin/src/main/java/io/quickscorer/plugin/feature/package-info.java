// SPDX-License-Identifier: Apache-2.0
/**
 * Features: definitions that users write, their forms for one request, and their computation on a
 * shard. A feature set is a list of {@link io.quickscorer.plugin.feature.FeatureDefinition}s. The
 * coordinating node inserts a request's parameters into each definition, which results in a {@link
 * io.quickscorer.plugin.feature.BoundFeature}. Each shard creates a {@link
 * io.quickscorer.plugin.feature.ShardFeature} from it. {@link
 * io.quickscorer.plugin.feature.FeatureKinds} lists all kinds of features.
 */
@NullMarked
package io.quickscorer.plugin.feature;

import org.jspecify.annotations.NullMarked;
