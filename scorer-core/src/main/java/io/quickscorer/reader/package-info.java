// SPDX-License-Identifier: Apache-2.0
/**
 * Reads the bytes of a model file into a {@link io.quickscorer.ensemble.TreeEnsemble}. No other
 * code of the library handles untrusted input. Entry type: {@link
 * io.quickscorer.reader.ModelReader}. A reader returns a valid ensemble or throws {@link
 * io.quickscorer.ensemble.InvalidModelException}, nothing else. It checks every size that a file
 * claims before it allocates memory. XGBoost's and RankLib's formats are read here too, with those
 * of search engines, which wrap them. Does not depend on any scorer.
 */
@NullMarked
package io.quickscorer.reader;

import org.jspecify.annotations.NullMarked;
