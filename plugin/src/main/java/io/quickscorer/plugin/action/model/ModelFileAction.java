// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.plugin.action.model;

import io.quickscorer.plugin.feature.EnumNames;
import io.quickscorer.plugin.model.ModelId;
import io.quickscorer.plugin.wire.Wire;
import java.io.IOException;
import org.jspecify.annotations.Nullable;
import org.opensearch.action.ActionRequest;
import org.opensearch.action.ActionRequestValidationException;
import org.opensearch.action.ActionType;
import org.opensearch.core.action.ActionResponse;
import org.opensearch.core.common.bytes.BytesReference;
import org.opensearch.core.common.io.stream.StreamInput;
import org.opensearch.core.common.io.stream.StreamOutput;

/** Reads a model's file. */
public final class ModelFileAction extends ActionType<ModelFileAction.Response> {
  public static final String NAME = "cluster:admin/quickscorer/model/file";
  public static final ModelFileAction INSTANCE = new ModelFileAction();

  private ModelFileAction() {
    super(NAME, Response::new);
  }

  /** Which file of a model. */
  public enum Form {
    /** The one that was uploaded, byte for byte. */
    UPLOADED,
    /** All that decides the scores, in our compact format. */
    COMPACT
  }

  /** Whose file, and which. */
  public static final class Request extends ActionRequest {
    private final String name;
    private final Form form;

    public Request(String name, Form form) {
      this.name = name;
      this.form = form;
    }

    public Request(StreamInput in) throws IOException {
      super(in);
      Wire.head(in);
      name = in.readString();
      form = EnumNames.read(in, Form.class);
    }

    @Override
    public void writeTo(StreamOutput out) throws IOException {
      super.writeTo(out);
      Wire.head(out);
      out.writeString(name);
      EnumNames.write(out, form);
    }

    @Override
    public @Nullable ActionRequestValidationException validate() {
      return null;
    }

    String name() {
      return name;
    }

    Form form() {
      return form;
    }
  }

  /** The file. */
  public static final class Response extends ActionResponse {
    private final ModelId id;
    private final String name;
    private final String contentType;
    private final BytesReference file;

    /**
     * @param name under which to keep it
     * @param contentType of its bytes
     */
    public Response(ModelId id, String name, String contentType, BytesReference file) {
      this.id = id;
      this.name = name;
      this.contentType = contentType;
      this.file = file;
    }

    public Response(StreamInput in) throws IOException {
      super(in);
      Wire.head(in);
      id = new ModelId(in);
      name = in.readString();
      contentType = in.readString();
      file = in.readBytesReference();
    }

    @Override
    public void writeTo(StreamOutput out) throws IOException {
      Wire.head(out);
      id.writeTo(out);
      out.writeString(name);
      out.writeString(contentType);
      out.writeBytesReference(file);
    }

    public ModelId id() {
      return id;
    }

    public String name() {
      return name;
    }

    public String contentType() {
      return contentType;
    }

    public BytesReference file() {
      return file;
    }
  }
}
