/**
 * Scorers that walk each tree from its root to an exit leaf. Entry types are reached through {@link
 * io.quickscorer.scorer.ScorerCompiler}; {@link io.quickscorer.scorer.traversal.ReferenceScorer}
 * defines the right answer for all scorers.
 */
@NullMarked
package io.quickscorer.scorer.traversal;

import org.jspecify.annotations.NullMarked;
