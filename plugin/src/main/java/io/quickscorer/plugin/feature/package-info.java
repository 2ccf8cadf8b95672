// SPDX-License-Identifier: Apache-2.0
/**
 * Features: the user's definitions, their bound forms, and the objects that compute their values
 * for the documents of a window on a shard. A feature set is a list of {@link
 * io.quickscorer.plugin.feature.FeatureDefinition}s. The coordinating node binds each definition to
 * a request, and creates a {@link io.quickscorer.plugin.feature.BoundFeature}; each shard creates a
 * {@link io.quickscorer.plugin.feature.ShardFeature} from it. Each kind of feature is one file and
 * one row in {@link io.quickscorer.plugin.feature.FeatureKinds}; the interfaces above do not depend
 * on any kind.
 */
@NullMarked
package io.quickscorer.plugin.feature;

import org.jspecify.annotations.NullMarked;
