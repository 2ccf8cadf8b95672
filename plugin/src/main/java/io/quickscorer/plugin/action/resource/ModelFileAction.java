// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.plugin.action.resource;

import io.quickscorer.plugin.action.LocalAction;
import io.quickscorer.plugin.model.ModelId;
import org.opensearch.core.common.bytes.BytesReference;

/** Reads the file that was uploaded as a model, byte for byte. */
public final class ModelFileAction {
  public static final LocalAction<Request, Response> INSTANCE =
      new LocalAction<>("cluster:admin/quickscorer/model/file");

  private ModelFileAction() {}

  /** Of which model, or whose alias. */
  public record Request(String name) {}

  /**
   * The file.
   *
   * @param name under which to keep it
   * @param contentType of its bytes
   */
  public record Response(ModelId id, String name, String contentType, BytesReference file) {}
}
