// SPDX-License-Identifier: Apache-2.0
/**
 * Models as search engines store them: Solr's model store, the bundled learning-to-rank plugin's
 * documents, and plain weights by feature.
 */
@NullMarked
package io.quickscorer.reader.stored;

import org.jspecify.annotations.NullMarked;
