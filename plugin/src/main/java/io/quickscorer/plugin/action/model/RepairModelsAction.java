// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.plugin.action.model;

import io.quickscorer.plugin.action.ValueResponse;
import io.quickscorer.plugin.model.ModelId;
import io.quickscorer.plugin.wire.WireRecord;
import java.io.IOException;
import java.util.List;
import java.util.Locale;
import org.opensearch.action.ActionType;
import org.opensearch.core.xcontent.ToXContentObject;
import org.opensearch.core.xcontent.XContentBuilder;

/**
 * Reads all that is stored of models, says what is broken, and writes anew what a node still has
 * compiled.
 */
public final class RepairModelsAction {
  public static final ActionType<ValueResponse<Response>> INSTANCE =
      new ActionType<>(
          "cluster:admin/quickscorer/model/repair", ValueResponse.reader(Response.class));

  private RepairModelsAction() {}

  /**
   * Which models.
   *
   * @param name of a model or an alias; empty for all models
   * @param dryRun whether only to say what is broken
   */
  public record Request(String name, boolean dryRun) implements WireRecord {}

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
  public record Response(List<Model> models) implements WireRecord, ToXContentObject {
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
