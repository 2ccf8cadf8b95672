// SPDX-License-Identifier: Apache-2.0
/**
 * Search pipelines. The request processor {@code quickscorer} adds the clause to searches that have
 * none: where it finds parameters, which searches it leaves unchanged, and what it counts.
 */
@NullMarked
package io.quickscorer.plugin.pipeline;

import org.jspecify.annotations.NullMarked;
