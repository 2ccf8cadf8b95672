// SPDX-License-Identifier: Apache-2.0
/**
 * The data of the demo: documents, queries and judgments, read from a folder or generated. Entry
 * type: {@link io.quickscorer.demo.corpus.Corpus}. Must not depend on how the node is searched or a
 * model is trained.
 */
@NullMarked
package io.quickscorer.demo.corpus;

import org.jspecify.annotations.NullMarked;
