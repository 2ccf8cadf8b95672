// SPDX-License-Identifier: Apache-2.0
/** Readers for LightGBM's text file and JSON dump. */
@NullMarked
package io.quickscorer.reader.lightgbm;

import org.jspecify.annotations.NullMarked;
