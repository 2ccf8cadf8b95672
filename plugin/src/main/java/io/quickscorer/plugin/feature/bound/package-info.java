// SPDX-License-Identifier: Apache-2.0
/** Feature sets bound to the parameters of one request. */
@NullMarked
package io.quickscorer.plugin.feature.bound;

import org.jspecify.annotations.NullMarked;
