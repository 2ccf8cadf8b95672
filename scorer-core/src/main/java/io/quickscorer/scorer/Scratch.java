package io.quickscorer.scorer;

/** A caller's reusable buffers for one scorer, made by {@link EnsembleScorer#newScratch()}. */
public interface Scratch {
  /** Bytes held; part of what a breaker accounts. */
  long bytes();
}
