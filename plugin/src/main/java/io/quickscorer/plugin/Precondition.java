// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.plugin;

import io.quickscorer.plugin.model.FeatureBinding;
import io.quickscorer.plugin.model.ModelManifest;
import io.quickscorer.plugin.model.node.ChangeFence;
import io.quickscorer.plugin.wire.WireRecord;
import org.jspecify.annotations.Nullable;
import org.opensearch.OpenSearchStatusException;
import org.opensearch.core.rest.RestStatus;

/**
 * The state that a user requires of a model when an upload replaces it.
 *
 * @param create whether the upload must create the model, and fails if a model with this name
 *     exists
 * @param ifVersion the version that the existing model must have, or null for no condition
 */
record Precondition(boolean create, @Nullable String ifVersion) implements WireRecord {
  /** No condition: an upload replaces any existing model. */
  public static final Precondition NONE = new Precondition(false, null);

  /**
   * Checks this condition before an upload replaces a model.
   *
   * @param name the model's name
   * @param current the existing model, or null if there is none
   * @throws OpenSearchStatusException (409) if the existing model does not meet this condition
   */
  public void check(String name, @Nullable ModelManifest current) {
    String wrong = null;
    if (create && current != null) {
      wrong = "the model already exists, with version " + current.id().version();
    } else if (ifVersion != null && current == null) {
      wrong = "the model does not exist";
    } else if (ifVersion != null && current != null && !ifVersion.equals(current.id().version())) {
      wrong =
          "the model has version "
              + current.id().version()
              + ", but [if_version] is ["
              + FeatureBinding.shown(ifVersion)
              + "]";
    }
    if (wrong != null) {
      throw ChangeFence.refuse(
          new OpenSearchStatusException("model [{}]: {}", RestStatus.CONFLICT, name, wrong));
    }
  }
}
