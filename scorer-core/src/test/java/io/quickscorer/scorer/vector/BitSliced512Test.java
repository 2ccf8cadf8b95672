package io.quickscorer.scorer.vector;

final class BitSliced512Test extends BitSlicedVectorContract {
  BitSliced512Test() {
    super(512);
  }
}
