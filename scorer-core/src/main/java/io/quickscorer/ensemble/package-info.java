// SPDX-License-Identifier: Apache-2.0
/**
 * The neutral model, which every reader returns and every scorer takes.
 *
 * <p>Entry type: {@link io.quickscorer.ensemble.TreeEnsemble}. Only {@link
 * io.quickscorer.ensemble.TreeBuilder} creates trees and checks their structure. Only {@link
 * io.quickscorer.ensemble.Thresholds} rewrites comparisons to {@code x <= threshold} on floats. All
 * types are immutable once built and safe for use by several threads. Imports no other package of
 * the project.
 */
@NullMarked
package io.quickscorer.ensemble;

import org.jspecify.annotations.NullMarked;
