// SPDX-License-Identifier: Apache-2.0
/**
 * The work on the coordinating node for searches with a {@code quickscorer} clause: determining
 * versions of models, limiting the time, mixing the rankings of two models, and completing the
 * response. Also contains the processors of search pipelines, which add the clause to searches, and
 * the warm-up, which runs searches with new models before users do.
 */
@NullMarked
package io.quickscorer.plugin.rescore;

import org.jspecify.annotations.NullMarked;
