package io.quickscorer.plugin.action;

import io.quickscorer.plugin.model.FeatureRange;
import io.quickscorer.plugin.stats.ObservedFeatures;
import java.io.IOException;
import org.jspecify.annotations.Nullable;
import org.opensearch.action.ActionType;
import org.opensearch.core.common.io.stream.StreamInput;
import org.opensearch.core.common.io.stream.StreamOutput;
import org.opensearch.core.common.io.stream.Writeable;
import org.opensearch.core.xcontent.ToXContentObject;
import org.opensearch.core.xcontent.XContentBuilder;

/**
 * Compares the values that a model's features have in searches with those they had in training, in
 * the model's order.
 */
public final class DriftAction extends ActionType<FeaturesResponse<DriftAction.Feature>> {
  public static final String NAME = "cluster:admin/quickscorer/model/drift";
  public static final DriftAction INSTANCE = new DriftAction();

  private DriftAction() {
    super(NAME, in -> new FeaturesResponse<>(in, Feature::new));
  }

  /**
   * One feature that the model uses.
   *
   * @param name the model's name of it
   * @param values what searches have shown since the nodes started
   * @param trained its range in training, or null if that is not known
   */
  public record Feature(String name, ObservedFeatures.Values values, @Nullable FeatureRange trained)
      implements Writeable, ToXContentObject {
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

    @Override
    public XContentBuilder toXContent(XContentBuilder builder, Params params) throws IOException {
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
      return builder.endObject();
    }
  }
}
