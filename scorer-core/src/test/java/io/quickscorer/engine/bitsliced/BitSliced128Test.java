// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.engine.bitsliced;

final class BitSliced128Test extends BitSlicedVectorContract {
  BitSliced128Test() {
    super(128);
  }
}
