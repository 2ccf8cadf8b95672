package io.quickscorer.scorer.vector;

final class VectorQuickScorer256Test extends VectorQuickScorerContract {
  VectorQuickScorer256Test() {
    super(256);
  }
}
