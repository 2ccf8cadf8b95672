// SPDX-License-Identifier: Apache-2.0
/** The report on a training, a self-contained HTML file. */
@NullMarked
package io.quickscorer.train.report;

import org.jspecify.annotations.NullMarked;
