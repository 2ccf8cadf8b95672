// SPDX-License-Identifier: Apache-2.0
/** Sends HTTP requests to a cluster and to the plugin's REST API. */
@NullMarked
package io.quickscorer.train.cluster;

import org.jspecify.annotations.NullMarked;
