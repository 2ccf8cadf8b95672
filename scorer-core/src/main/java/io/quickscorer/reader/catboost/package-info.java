// SPDX-License-Identifier: Apache-2.0
/** Readers for CatBoost's {@code .cbm} and JSON models. */
@NullMarked
package io.quickscorer.reader.catboost;

import org.jspecify.annotations.NullMarked;
