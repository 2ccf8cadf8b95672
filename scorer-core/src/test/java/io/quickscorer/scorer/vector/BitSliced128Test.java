package io.quickscorer.scorer.vector;

final class BitSliced128Test extends BitSlicedContract {
  BitSliced128Test() {
    super(128);
  }
}
