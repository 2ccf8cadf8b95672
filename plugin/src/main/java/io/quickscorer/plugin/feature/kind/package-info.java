// SPDX-License-Identifier: Apache-2.0
/**
 * The kinds of features. Each kind is one file, which parses, binds, serialises and extracts its
 * features, and one row in {@link io.quickscorer.plugin.feature.kind.FeatureKinds}.
 */
@NullMarked
package io.quickscorer.plugin.feature.kind;

import org.jspecify.annotations.NullMarked;
