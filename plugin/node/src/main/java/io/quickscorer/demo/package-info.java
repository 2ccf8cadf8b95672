// SPDX-License-Identifier: Apache-2.0
/**
 * The demo. It indexes a corpus in a real node, logs features through the plugin, trains LightGBM
 * on them, and lets the node rescore the hits of held-out queries with the model. {@link
 * io.quickscorer.demo.Demo} runs the steps in order. All requests to the node use HTTP.
 */
@NullMarked
package io.quickscorer.demo;

import org.jspecify.annotations.NullMarked;
