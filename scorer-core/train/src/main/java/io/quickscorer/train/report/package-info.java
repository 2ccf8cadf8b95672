// SPDX-License-Identifier: Apache-2.0
/** The report of a training: one HTML file that loads nothing else. */
@NullMarked
package io.quickscorer.train.report;

import org.jspecify.annotations.NullMarked;
