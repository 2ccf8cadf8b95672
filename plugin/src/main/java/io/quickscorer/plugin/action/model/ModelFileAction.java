// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.plugin.action.model;

import io.quickscorer.plugin.action.LocalAction;
import io.quickscorer.plugin.model.ModelId;
import org.opensearch.core.common.bytes.BytesReference;

/** Reads a model's file. */
public final class ModelFileAction {
  public static final LocalAction<Request, Response> INSTANCE =
      new LocalAction<>("cluster:admin/quickscorer/model/file");

  private ModelFileAction() {}

  /** Which file of a model. */
  public enum Form {
    /** The one that was uploaded, byte for byte. */
    UPLOADED,
    /** All that decides the scores, in our compact format. */
    COMPACT
  }

  /** Whose file, and which. */
  public record Request(String name, Form form) {}

  /**
   * The file.
   *
   * @param name under which to keep it
   * @param contentType of its bytes
   */
  public record Response(ModelId id, String name, String contentType, BytesReference file) {}
}
