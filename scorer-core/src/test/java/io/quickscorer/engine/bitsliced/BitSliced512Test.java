// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.engine.bitsliced;

final class BitSliced512Test extends BitSlicedVectorContract {
  BitSliced512Test() {
    super(512);
  }
}
