// SPDX-License-Identifier: Apache-2.0
/**
 * The representation of a model, independent of file formats: every reader returns it, and every
 * scorer uses it.
 *
 * <p>Entry type: {@link io.quickscorer.ensemble.TreeEnsemble}. Only {@link
 * io.quickscorer.ensemble.TreeBuilder} creates trees and checks their structure. Only {@link
 * io.quickscorer.ensemble.Thresholds} converts comparisons to {@code x <= threshold} in float. All
 * types except builders are immutable and safe for use by several threads. This package imports no
 * other package of the project.
 */
@NullMarked
package io.quickscorer.ensemble;

import org.jspecify.annotations.NullMarked;
