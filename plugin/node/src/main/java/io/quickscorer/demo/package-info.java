// SPDX-License-Identifier: Apache-2.0
/**
 * The demo. It indexes a corpus in a real node, logs features through the plugin, trains LightGBM
 * on them, and lets the node re-rank held-out queries with the model. {@link
 * io.quickscorer.demo.Demo} runs the steps in order; every other class is one step. Talks to the
 * node by HTTP only.
 */
@NullMarked
package io.quickscorer.demo;

import org.jspecify.annotations.NullMarked;
