// SPDX-License-Identifier: Apache-2.0
/**
 * Tables of models, aliases and feature sets for people at a terminal, and metrics for Prometheus.
 */
@NullMarked
package io.quickscorer.plugin.rest.cat;

import org.jspecify.annotations.NullMarked;
