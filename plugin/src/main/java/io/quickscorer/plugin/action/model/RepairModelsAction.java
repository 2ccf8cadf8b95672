// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.plugin.action.model;

import io.quickscorer.plugin.model.ModelId;
import io.quickscorer.plugin.wire.Wire;
import io.quickscorer.plugin.wire.WireRecord;
import java.io.IOException;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;
import org.opensearch.action.ActionRequest;
import org.opensearch.action.ActionRequestValidationException;
import org.opensearch.action.ActionType;
import org.opensearch.core.action.ActionResponse;
import org.opensearch.core.common.io.stream.StreamInput;
import org.opensearch.core.common.io.stream.StreamOutput;
import org.opensearch.core.xcontent.ToXContentObject;
import org.opensearch.core.xcontent.XContentBuilder;

/**
 * Reads all that is stored of models, says what is broken, and writes anew what a node still has
 * compiled.
 */
public final class RepairModelsAction extends ActionType<RepairModelsAction.Response> {
  public static final String NAME = "cluster:admin/quickscorer/model/repair";
  public static final RepairModelsAction INSTANCE = new RepairModelsAction();

  private RepairModelsAction() {
    super(NAME, Response::new);
  }

  /** Which models. */
  public static final class Request extends ActionRequest {
    private final String name;
    private final boolean dryRun;

    /**
     * @param name of a model or an alias; empty for all models
     * @param dryRun whether only to say what is broken
     */
    public Request(String name, boolean dryRun) {
      this.name = name;
      this.dryRun = dryRun;
    }

    public Request(StreamInput in) throws IOException {
      super(in);
      Wire.head(in);
      name = in.readString();
      dryRun = in.readBoolean();
    }

    @Override
    public void writeTo(StreamOutput out) throws IOException {
      super.writeTo(out);
      Wire.head(out);
      out.writeString(name);
      out.writeBoolean(dryRun);
    }

    @Override
    public @Nullable ActionRequestValidationException validate() {
      return null;
    }

    String name() {
      return name;
    }

    boolean dryRun() {
      return dryRun;
    }
  }

  /** What became of a model. */
  public enum Result {
    INTACT,
    REPAIRED,
    BROKEN
  }

  /**
   * A model.
   *
   * @param problem what is, or was, broken; empty if nothing was
   */
  public record Model(ModelId id, Result result, String problem)
      implements WireRecord, ToXContentObject {
    @Override
    public XContentBuilder toXContent(XContentBuilder builder, Params params) throws IOException {
      builder.startObject().field("name", id.name()).field("version", id.version());
      builder.field("result", result.name().toLowerCase(Locale.ROOT));
      if (!problem.isEmpty()) {
        builder.field("problem", problem);
      }
      return builder.endObject();
    }
  }

  /** All models that were asked for, by name. */
  public static final class Response extends ActionResponse implements ToXContentObject {
    private final List<Model> models;

    public Response(List<Model> models) {
      this.models = List.copyOf(models);
    }

    public Response(StreamInput in) throws IOException {
      super(in);
      Wire.head(in);
      models = in.readList(WireRecord.reader(Model.class));
    }

    @Override
    public void writeTo(StreamOutput out) throws IOException {
      Wire.head(out);
      out.writeList(models);
    }

    @Override
    public XContentBuilder toXContent(XContentBuilder builder, Params params) throws IOException {
      builder.startObject().startArray("models");
      for (Model model : models) {
        model.toXContent(builder, params);
      }
      return builder.endArray().endObject();
    }
  }
}
