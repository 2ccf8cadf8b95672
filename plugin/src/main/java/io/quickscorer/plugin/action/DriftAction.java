package io.quickscorer.plugin.action;

import io.quickscorer.plugin.model.FeatureRange;
import io.quickscorer.plugin.model.ModelId;
import io.quickscorer.plugin.stats.ObservedFeatures;
import java.io.IOException;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.opensearch.action.ActionType;
import org.opensearch.core.action.ActionResponse;
import org.opensearch.core.common.io.stream.StreamInput;
import org.opensearch.core.common.io.stream.StreamOutput;
import org.opensearch.core.common.io.stream.Writeable;
import org.opensearch.core.xcontent.ToXContentObject;
import org.opensearch.core.xcontent.XContentBuilder;

/** Compares the values that a model's features have in searches with those they had in training. */
public final class DriftAction extends ActionType<DriftAction.Response> {
  public static final String NAME = "cluster:admin/quickscorer/model/drift";
  public static final DriftAction INSTANCE = new DriftAction();

  private DriftAction() {
    super(NAME, Response::new);
  }

  /**
   * One feature that the model tests.
   *
   * @param name the model's name of it
   * @param values what searches have shown since the nodes started
   * @param trained its range in training, or null if that is not known
   */
  record Feature(String name, ObservedFeatures.Values values, @Nullable FeatureRange trained)
      implements Writeable {
    Feature(StreamInput in) throws IOException {
      this(
          in.readString(),
          new ObservedFeatures.Values(in),
          in.readBoolean() ? new FeatureRange(in.readDouble(), in.readDouble()) : null);
    }

    @Override
    public void writeTo(StreamOutput out) throws IOException {
      out.writeString(name);
      values.writeTo(out);
      out.writeBoolean(trained != null);
      if (trained != null) {
        out.writeDouble(trained.min());
        out.writeDouble(trained.max());
      }
    }

    private void toXContent(XContentBuilder builder) throws IOException {
      builder.startObject().field("feature", name).field("documents", values.seen());
      if (values.seen() > 0) {
        builder.field("missing_share", (double) values.missing() / values.seen());
      }
      boolean any = values.min() <= values.max();
      if (any) {
        builder.field("min", values.min()).field("max", values.max());
      }
      if (trained != null) {
        builder.field("trained_min", trained.min()).field("trained_max", trained.max());
        builder.field("below_training", any && values.min() < trained.min());
        builder.field("above_training", any && values.max() > trained.max());
      }
      builder.endObject();
    }
  }

  /** The features of one model, in its order. */
  public static final class Response extends ActionResponse implements ToXContentObject {
    private final ModelId id;
    private final List<Feature> features;

    Response(ModelId id, List<Feature> features) {
      this.id = id;
      this.features = List.copyOf(features);
    }

    Response(StreamInput in) throws IOException {
      super(in);
      id = new ModelId(in);
      features = in.readList(Feature::new);
    }

    @Override
    public void writeTo(StreamOutput out) throws IOException {
      id.writeTo(out);
      out.writeList(features);
    }

    @Override
    public XContentBuilder toXContent(XContentBuilder builder, Params params) throws IOException {
      builder.startObject().field("name", id.name()).field("version", id.version());
      builder.startArray("features");
      for (Feature feature : features) {
        feature.toXContent(builder);
      }
      return builder.endArray().endObject();
    }
  }
}
