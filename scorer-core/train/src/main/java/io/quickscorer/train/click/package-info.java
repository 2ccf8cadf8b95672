// SPDX-License-Identifier: Apache-2.0
/** Clicks of users: reading them, and what they say of two interleaved models. */
@NullMarked
package io.quickscorer.train.click;

import org.jspecify.annotations.NullMarked;
