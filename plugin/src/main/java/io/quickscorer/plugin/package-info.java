// SPDX-License-Identifier: Apache-2.0
/**
 * The OpenSearch plugin: its REST endpoints, which {@code Endpoints} lists; its actions, which
 * {@code TransportActions} lists; and the code that stores, publishes, exports and imports models,
 * aliases and feature sets. {@link io.quickscorer.plugin.QuickScorerPlugin} registers all parts.
 */
@NullMarked
package io.quickscorer.plugin;

import org.jspecify.annotations.NullMarked;
