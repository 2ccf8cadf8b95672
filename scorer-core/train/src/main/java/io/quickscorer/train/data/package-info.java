// SPDX-License-Identifier: Apache-2.0
/** Judgments, logged features, and the split into training and held-out queries. */
@NullMarked
package io.quickscorer.train.data;

import org.jspecify.annotations.NullMarked;
