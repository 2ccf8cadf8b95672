// SPDX-License-Identifier: Apache-2.0
/**
 * A real OpenSearch node with this build of the plugin, as a process of its own, and an HTTP client
 * for it. Entry type for the demo and the tests over HTTP: {@link io.quickscorer.node.RunningNode}.
 * Must not depend on the plugin's API nor import classes of OpenSearch, so that it is a client like
 * any other.
 */
@NullMarked
package io.quickscorer.node;

import org.jspecify.annotations.NullMarked;
