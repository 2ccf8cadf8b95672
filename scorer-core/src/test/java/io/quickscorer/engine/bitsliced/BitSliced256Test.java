// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.engine.bitsliced;

final class BitSliced256Test extends BitSlicedVectorContract {
  BitSliced256Test() {
    super(256);
  }
}
