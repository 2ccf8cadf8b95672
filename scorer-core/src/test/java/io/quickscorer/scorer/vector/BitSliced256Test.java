package io.quickscorer.scorer.vector;

final class BitSliced256Test extends BitSlicedContract {
  BitSliced256Test() {
    super(256);
  }
}
