// SPDX-License-Identifier: Apache-2.0
/**
 * The data of the demo: documents, queries and judgments, which are read from a folder or
 * generated. This package must not depend on code for searching or training.
 */
@NullMarked
package io.quickscorer.demo.corpus;

import org.jspecify.annotations.NullMarked;
