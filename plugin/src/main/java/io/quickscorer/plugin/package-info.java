// SPDX-License-Identifier: Apache-2.0
/**
 * The OpenSearch plugin. {@link io.quickscorer.plugin.QuickScorerPlugin} only registers: {@code
 * TransportActions} lists the actions, {@code Endpoints} the handlers.
 */
@NullMarked
package io.quickscorer.plugin;

import org.jspecify.annotations.NullMarked;
