// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.plugin.stats;

import io.quickscorer.plugin.model.upload.FeatureRange;
import io.quickscorer.plugin.wire.WireRecord;
import java.io.IOException;
import org.jspecify.annotations.Nullable;
import org.opensearch.action.ActionType;
import org.opensearch.core.xcontent.ToXContentObject;
import org.opensearch.core.xcontent.XContentBuilder;

/**
 * Compares the values that a model's features have in searches with those they had in training, in
 * the model's order.
 */
public final class DriftAction extends ActionType<FeaturesResponse<DriftAction.Feature>> {
  public static final String NAME = "cluster:admin/quickscorer/model/drift";

  /** Shows how far values lie from those in training, but no value of any index. */
  public static final DriftAction INSTANCE = new DriftAction(NAME);

  /** Shows the least and the greatest value as well, of whatever index was searched. */
  public static final DriftAction WITH_VALUES = new DriftAction(NAME + "/values");

  private DriftAction(String name) {
    super(name, in -> new FeaturesResponse<>(in, WireRecord.reader(Feature.class)));
  }

  /**
   * One feature that the model uses.
   *
   * @param name the model's name of it
   * @param documents from which values were taken since the nodes started
   * @param missing those that had none
   * @param below whether some value was less than all in training, as far as these are known
   * @param above whether some value was greater
   * @param psi the population stability index of the last window of time that is over; NaN where
   *     too few values were seen
   * @param drifting whether it has reached the alarm's threshold
   * @param observed the range of the values; null if there was none, or it is not to be shown
   * @param trained the range in training, or null if that is not known
   */
  public record Feature(
      String name,
      long documents,
      long missing,
      boolean below,
      boolean above,
      double psi,
      boolean drifting,
      @Nullable FeatureRange observed,
      @Nullable FeatureRange trained)
      implements WireRecord, ToXContentObject {
    /**
     * @param show whether to show the range of the values
     */
    static Feature of(
        String name,
        ObservedFeatures.Values values,
        double psi,
        boolean drifting,
        @Nullable FeatureRange trained,
        boolean show) {
      boolean any = values.min() <= values.max();
      return new Feature(
          name,
          values.seen(),
          values.missing(),
          any && trained != null && values.min() < trained.min(),
          any && trained != null && values.max() > trained.max(),
          psi,
          drifting,
          any && show ? new FeatureRange(values.min(), values.max()) : null,
          trained);
    }

    @Override
    public XContentBuilder toXContent(XContentBuilder builder, Params params) throws IOException {
      builder.startObject().field("feature", name).field("documents", documents);
      if (documents > 0) {
        builder.field("missing_share", (double) missing / documents);
      }
      if (!Double.isNaN(psi)) {
        builder.field("psi", psi).field("drifting", drifting);
      }
      if (observed != null) {
        builder.field("min", observed.min()).field("max", observed.max());
      }
      if (trained != null) {
        builder.field("trained_min", trained.min()).field("trained_max", trained.max());
        builder.field("below_training", below).field("above_training", above);
      }
      return builder.endObject();
    }
  }
}
