// SPDX-License-Identifier: Apache-2.0
/**
 * Bytes of a model file to a {@link io.quickscorer.ensemble.TreeEnsemble}; the only code that sees
 * untrusted input. Entry type: {@link io.quickscorer.reader.ModelReader}. A reader returns a valid
 * ensemble or throws {@link io.quickscorer.ensemble.InvalidModelException}, never anything else,
 * and allocates nothing on a file's word alone. {@link
 * io.quickscorer.reader.compact.CompactModelWriter} writes our own format, the only one that is
 * written. Knows no scorer.
 */
@NullMarked
package io.quickscorer.reader;

import org.jspecify.annotations.NullMarked;
