// SPDX-License-Identifier: Apache-2.0
/** RankLib's tree models and linear models, and QuickRank's XML. */
@NullMarked
package io.quickscorer.reader.ranklib;

import org.jspecify.annotations.NullMarked;
