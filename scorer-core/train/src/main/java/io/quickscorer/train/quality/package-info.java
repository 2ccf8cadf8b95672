// SPDX-License-Identifier: Apache-2.0
/** Measures rankings and compares them. */
@NullMarked
package io.quickscorer.train.quality;

import org.jspecify.annotations.NullMarked;
