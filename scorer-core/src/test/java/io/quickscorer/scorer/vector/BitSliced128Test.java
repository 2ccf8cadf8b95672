package io.quickscorer.scorer.vector;

final class BitSliced128Test extends BitSlicedVectorContract {
  BitSliced128Test() {
    super(128);
  }
}
