// SPDX-License-Identifier: Apache-2.0
/**
 * The demo. It indexes documents in a real node, logs features of the documents, and trains a
 * LightGBM model on them. The node then ranks the hits of other queries with this model. {@link
 * io.quickscorer.demo.Demo} runs these steps. All requests use HTTP.
 */
@NullMarked
package io.quickscorer.demo;

import org.jspecify.annotations.NullMarked;
