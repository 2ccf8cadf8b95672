// SPDX-License-Identifier: Apache-2.0
/** Actions that put, read, activate and delete aliases of models. */
@NullMarked
package io.quickscorer.plugin.action.alias;

import org.jspecify.annotations.NullMarked;
