// SPDX-License-Identifier: Apache-2.0
/**
 * Training data out of an index: the feature values of judged documents, as files that trainers
 * read, and what a feature set costs there. Entry types: {@link
 * io.quickscorer.plugin.export.LogExport} and {@link io.quickscorer.plugin.export.LiveValidation}.
 * Searches on behalf of the user, and knows the rescore clause only through {@link
 * io.quickscorer.plugin.rescore.answer.LoggedHits}.
 */
@NullMarked
package io.quickscorer.plugin.export;

import org.jspecify.annotations.NullMarked;
