// SPDX-License-Identifier: Apache-2.0
/**
 * Search pipelines: the request processor {@code quickscorer} puts the clause into searches that
 * have none. Where it gets parameters from, which searches it leaves alone, and what it counts.
 */
@NullMarked
package io.quickscorer.plugin.pipeline;

import org.jspecify.annotations.NullMarked;
