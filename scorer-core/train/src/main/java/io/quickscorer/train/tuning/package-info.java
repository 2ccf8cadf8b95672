// SPDX-License-Identifier: Apache-2.0
/** Finds the best search query that needs no model, by trying several on judged queries. */
@NullMarked
package io.quickscorer.train.tuning;

import org.jspecify.annotations.NullMarked;
