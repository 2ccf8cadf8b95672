// SPDX-License-Identifier: Apache-2.0
/**
 * Reads the bytes of a model file into a {@link io.quickscorer.ensemble.TreeEnsemble}. No other
 * code of the library handles untrusted input. Entry type: {@link
 * io.quickscorer.reader.ModelReader}. A reader returns a valid ensemble or throws {@link
 * io.quickscorer.ensemble.InvalidModelException}, nothing else. It never allocates what a file
 * claims before it has checked the claim. The formats whose trees others wrap are read here too:
 * those of XGBoost and RankLib, and those of search engines, which wrap them. Does not depend on
 * any scorer.
 */
@NullMarked
package io.quickscorer.reader;

import org.jspecify.annotations.NullMarked;
