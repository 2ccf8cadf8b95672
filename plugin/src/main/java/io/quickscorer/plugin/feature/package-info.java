// SPDX-License-Identifier: Apache-2.0
/**
 * Features, from a user's definition to a column of a shard's window. A feature set has {@link
 * io.quickscorer.plugin.feature.FeatureDefinition}s. Bound to a request, each becomes a {@link
 * io.quickscorer.plugin.feature.BoundFeature}, which becomes a {@link
 * io.quickscorer.plugin.feature.ShardFeature} on each shard. Each kind of feature is one file and
 * one row in {@link io.quickscorer.plugin.feature.FeatureKinds}; the contracts do not depend on
 * any.
 */
@NullMarked
package io.quickscorer.plugin.feature;

import org.jspecify.annotations.NullMarked;
