// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.testing.planted.second;

import io.quickscorer.testing.planted.first.First;
import jdk.incubator.vector.IntVector;

/** The other half, and a class that touches the vector module under a name that may not. */
public final class Second {
  First back() {
    return new First();
  }

  int lanes() {
    return IntVector.SPECIES_PREFERRED.length();
  }
}
