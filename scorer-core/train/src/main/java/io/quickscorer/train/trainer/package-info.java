// SPDX-License-Identifier: Apache-2.0
/** Trains models with the libraries or programs of LightGBM, XGBoost and CatBoost. */
@NullMarked
package io.quickscorer.train.trainer;

import org.jspecify.annotations.NullMarked;
