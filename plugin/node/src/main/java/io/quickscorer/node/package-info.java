// SPDX-License-Identifier: Apache-2.0
/**
 * An OpenSearch node with this plugin as a separate process, and an HTTP client for it. Entry type:
 * {@link io.quickscorer.node.RunningNode}. This package must not import classes of the plugin or of
 * OpenSearch.
 */
@NullMarked
package io.quickscorer.node;

import org.jspecify.annotations.NullMarked;
