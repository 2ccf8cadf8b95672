// SPDX-License-Identifier: Apache-2.0
/** What a first pass reaches without a model: a few of them tried on judged queries. */
@NullMarked
package io.quickscorer.train.tuning;

import org.jspecify.annotations.NullMarked;
