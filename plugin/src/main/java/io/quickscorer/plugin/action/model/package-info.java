// SPDX-License-Identifier: Apache-2.0
/** Actions that upload, read, load, activate and delete models. */
@NullMarked
package io.quickscorer.plugin.action.model;

import org.jspecify.annotations.NullMarked;
