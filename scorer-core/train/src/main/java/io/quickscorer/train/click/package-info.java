// SPDX-License-Identifier: Apache-2.0
/** Reads clicks of users, compares interleaved models by them, and derives judgments from them. */
@NullMarked
package io.quickscorer.train.click;

import org.jspecify.annotations.NullMarked;
