// SPDX-License-Identifier: Apache-2.0
/**
 * Features: the user's definitions, their forms with the parameters of one request, and the objects
 * that compute their values for hits on a shard. A feature set is a list of {@link
 * io.quickscorer.plugin.feature.FeatureDefinition}s. The coordinating node binds each definition to
 * a request: it inserts the request's parameters, and creates a {@link
 * io.quickscorer.plugin.feature.BoundFeature}. Each shard creates a {@link
 * io.quickscorer.plugin.feature.ShardFeature} from the bound feature. Each kind of feature is one
 * file, and one row in {@link io.quickscorer.plugin.feature.FeatureKinds}.
 */
@NullMarked
package io.quickscorer.plugin.feature;

import org.jspecify.annotations.NullMarked;
