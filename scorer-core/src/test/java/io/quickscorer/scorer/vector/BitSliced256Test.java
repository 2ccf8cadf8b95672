package io.quickscorer.scorer.vector;

final class BitSliced256Test extends BitSlicedVectorContract {
  BitSliced256Test() {
    super(256);
  }
}
