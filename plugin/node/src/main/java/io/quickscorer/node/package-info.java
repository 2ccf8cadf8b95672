// SPDX-License-Identifier: Apache-2.0
/**
 * A real OpenSearch node with this build of the plugin, as a process of its own, and an HTTP client
 * for it. Entry type: {@link io.quickscorer.node.RunningNode}, for the demo and the tests over
 * HTTP. Must not import classes of the plugin or of OpenSearch, so that it tests the node as other
 * clients do.
 */
@NullMarked
package io.quickscorer.node;

import org.jspecify.annotations.NullMarked;
