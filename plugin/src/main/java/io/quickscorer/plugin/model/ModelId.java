// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.plugin.model;

import io.quickscorer.plugin.wire.WireRecord;

/**
 * The name and version of a model; the content of a version never changes.
 *
 * @param name the name that users write
 * @param version a hash of the model file, the feature set and the feature map
 */
public record ModelId(String name, String version) implements WireRecord {
  @Override
  public String toString() {
    return name + "@" + version;
  }
}
