// SPDX-License-Identifier: Apache-2.0
/**
 * The kinds of features. A kind is one file, which parses it, binds it, sends it and extracts it,
 * and one line in {@link io.quickscorer.plugin.feature.kind.FeatureKinds}.
 */
@NullMarked
package io.quickscorer.plugin.feature.kind;

import org.jspecify.annotations.NullMarked;
