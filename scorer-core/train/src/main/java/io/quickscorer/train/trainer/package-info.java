// SPDX-License-Identifier: Apache-2.0
/** Trains models with the trainers' own libraries. */
@NullMarked
package io.quickscorer.train.trainer;

import org.jspecify.annotations.NullMarked;
