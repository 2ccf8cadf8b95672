// SPDX-License-Identifier: Apache-2.0
/** Lucene expressions over features, fields and parameters, compiled once per node. */
@NullMarked
package io.quickscorer.plugin.feature.expression;

import org.jspecify.annotations.NullMarked;
