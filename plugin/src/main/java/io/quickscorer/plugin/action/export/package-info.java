// SPDX-License-Identifier: Apache-2.0
/** What reads documents through a feature set on behalf of the user: training files, trials. */
@NullMarked
package io.quickscorer.plugin.action.export;

import org.jspecify.annotations.NullMarked;
