package io.quickscorer.scorer.vector;

final class VectorQuickScorer128Test extends VectorQuickScorerContract {
  VectorQuickScorer128Test() {
    super(128);
  }
}
