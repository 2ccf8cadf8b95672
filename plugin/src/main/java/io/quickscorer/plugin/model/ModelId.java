// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.plugin.model;

import io.quickscorer.plugin.wire.WireRecord;

/**
 * A model's name pinned to one immutable version.
 *
 * @param name the name users write
 * @param version a hash over the model file, the feature set and the feature map; what it names
 *     never changes
 */
public record ModelId(String name, String version) implements WireRecord {
  @Override
  public String toString() {
    return name + "@" + version;
  }
}
