// SPDX-License-Identifier: Apache-2.0
/**
 * Reads a {@link io.quickscorer.ensemble.TreeEnsemble} from the bytes of a model file. Only this
 * package and its subpackages process untrusted input. Entry type: {@link
 * io.quickscorer.reader.ModelReader}. A reader returns a valid ensemble or throws {@link
 * io.quickscorer.ensemble.InvalidModelException}, and no other exception. It checks every size that
 * a file declares before it allocates memory. This package also contains the readers of XGBoost's
 * and RankLib's formats, and of the formats of search engines. Some of these can contain XGBoost
 * and RankLib models. The package does not depend on any scorer.
 */
@NullMarked
package io.quickscorer.reader;

import org.jspecify.annotations.NullMarked;
