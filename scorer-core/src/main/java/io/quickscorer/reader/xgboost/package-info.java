// SPDX-License-Identifier: Apache-2.0
/** XGBoost's JSON, UBJSON and binary models, and its dumps. */
@NullMarked
package io.quickscorer.reader.xgboost;

import org.jspecify.annotations.NullMarked;
