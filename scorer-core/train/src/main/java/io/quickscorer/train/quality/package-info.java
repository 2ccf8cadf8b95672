// SPDX-License-Identifier: Apache-2.0
/** Computes measures of rankings, and compares rankings by them. */
@NullMarked
package io.quickscorer.train.quality;

import org.jspecify.annotations.NullMarked;
