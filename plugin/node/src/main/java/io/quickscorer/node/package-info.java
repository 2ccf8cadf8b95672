// SPDX-License-Identifier: Apache-2.0
/**
 * A real OpenSearch node of this build as a process of its own, and the HTTP client that talks to
 * it. The demo and the tests over HTTP start from {@link io.quickscorer.node.RunningNode}. Knows
 * nothing of the plugin's API and must not import classes of OpenSearch: what is true here is true
 * for any client.
 */
@NullMarked
package io.quickscorer.node;

import org.jspecify.annotations.NullMarked;
