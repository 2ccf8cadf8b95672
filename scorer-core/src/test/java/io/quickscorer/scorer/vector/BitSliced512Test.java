package io.quickscorer.scorer.vector;

final class BitSliced512Test extends BitSlicedContract {
  BitSliced512Test() {
    super(512);
  }
}
