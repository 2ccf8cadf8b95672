// SPDX-License-Identifier: Apache-2.0
/**
 * What the demo searches: documents, queries and judgments, read from a folder or generated. Entry
 * type: {@link io.quickscorer.demo.corpus.Corpus}. Must not know how the node is asked or how a
 * model is trained.
 */
@NullMarked
package io.quickscorer.demo.corpus;

import org.jspecify.annotations.NullMarked;
