// SPDX-License-Identifier: Apache-2.0
/**
 * The quality that a first pass reaches without a model: a few first passes are tried on judged
 * queries.
 */
@NullMarked
package io.quickscorer.train.tuning;

import org.jspecify.annotations.NullMarked;
