// SPDX-License-Identifier: Apache-2.0
/** Reads users' clicks, compares interleaved models by clicks, and computes judgments from them. */
@NullMarked
package io.quickscorer.train.click;

import org.jspecify.annotations.NullMarked;
