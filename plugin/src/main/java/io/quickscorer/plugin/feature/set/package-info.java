// SPDX-License-Identifier: Apache-2.0
/** Feature sets as users write them: kinds of features, templates, normalisers. */
@NullMarked
package io.quickscorer.plugin.feature.set;

import org.jspecify.annotations.NullMarked;
