// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.plugin.action.model;

import io.quickscorer.plugin.model.ModelId;
import io.quickscorer.plugin.wire.Wire;
import java.io.IOException;
import org.opensearch.action.ActionType;
import org.opensearch.core.action.ActionResponse;
import org.opensearch.core.common.bytes.BytesReference;
import org.opensearch.core.common.io.stream.StreamInput;
import org.opensearch.core.common.io.stream.StreamOutput;

/** Reads a model's stored form: all that decides its scores, in our compact format. */
public final class ModelFileAction extends ActionType<ModelFileAction.Response> {
  public static final String NAME = "cluster:admin/quickscorer/model/file";
  public static final ModelFileAction INSTANCE = new ModelFileAction();

  private ModelFileAction() {
    super(NAME, Response::new);
  }

  /** The file. */
  public static final class Response extends ActionResponse {
    private final ModelId id;
    private final BytesReference file;

    Response(ModelId id, BytesReference file) {
      this.id = id;
      this.file = file;
    }

    Response(StreamInput in) throws IOException {
      super(in);
      Wire.head(in);
      id = new ModelId(in);
      file = in.readBytesReference();
    }

    @Override
    public void writeTo(StreamOutput out) throws IOException {
      Wire.head(out);
      id.writeTo(out);
      out.writeBytesReference(file);
    }

    public ModelId id() {
      return id;
    }

    public BytesReference file() {
      return file;
    }
  }
}
