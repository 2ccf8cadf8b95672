// SPDX-License-Identifier: Apache-2.0
/**
 * The demo: a corpus is indexed in a real node, features are logged through the plugin, LightGBM
 * learns to rank from them, and the node re-ranks held-out queries with the model. {@link
 * io.quickscorer.demo.Demo} tells the story from top to bottom; every other class is one step of
 * it. Talks to the node by HTTP only.
 */
@NullMarked
package io.quickscorer.demo;

import org.jspecify.annotations.NullMarked;
