// SPDX-License-Identifier: Apache-2.0
/** LightGBM's text file and its JSON dump. */
@NullMarked
package io.quickscorer.reader.lightgbm;

import org.jspecify.annotations.NullMarked;
