// SPDX-License-Identifier: Apache-2.0
/**
 * Features, from a user's definition to a column of values of a shard's window. A feature set is a
 * list of {@link io.quickscorer.plugin.feature.FeatureDefinition}s. The coordinating node binds
 * each definition to a request, which gives a {@link io.quickscorer.plugin.feature.BoundFeature};
 * each shard makes a {@link io.quickscorer.plugin.feature.ShardFeature} of it. Each kind of feature
 * is one file and one row in {@link io.quickscorer.plugin.feature.FeatureKinds}; the interfaces
 * above do not depend on any kind.
 */
@NullMarked
package io.quickscorer.plugin.feature;

import org.jspecify.annotations.NullMarked;
