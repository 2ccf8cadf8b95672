package io.quickscorer.scorer.vector;

final class VectorQuickScorer512Test extends VectorQuickScorerContract {
  VectorQuickScorer512Test() {
    super(512);
  }
}
