// SPDX-License-Identifier: Apache-2.0
/** What a response shows of rescoring: logged values, traces of clauses, explanations. */
@NullMarked
package io.quickscorer.plugin.rescore.answer;

import org.jspecify.annotations.NullMarked;
