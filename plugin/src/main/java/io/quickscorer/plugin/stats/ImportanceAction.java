// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.plugin.stats;

import io.quickscorer.explain.FeatureImportance;
import io.quickscorer.plugin.wire.WireRecord;
import java.io.IOException;
import org.opensearch.action.ActionType;
import org.opensearch.core.xcontent.ToXContentObject;
import org.opensearch.core.xcontent.XContentBuilder;

/** Tells how much a model uses each of its features, the most important first. */
public final class ImportanceAction extends ActionType<FeaturesResponse<ImportanceAction.Feature>> {
  public static final String NAME = "cluster:admin/quickscorer/model/importance";
  public static final ImportanceAction INSTANCE = new ImportanceAction();

  private ImportanceAction() {
    super(NAME, in -> new FeaturesResponse<>(in, WireRecord.reader(Feature.class)));
  }

  /**
   * One feature of the model.
   *
   * @param importance under the model's own name of the feature
   * @param boundTo the feature set's name of it; empty where the model does not use it and the set
   *     lacks it
   */
  public record Feature(FeatureImportance importance, String boundTo)
      implements WireRecord, ToXContentObject {
    @Override
    public XContentBuilder toXContent(XContentBuilder builder, Params params) throws IOException {
      builder.startObject().field("feature", importance.feature());
      if (!boundTo.isEmpty() && !boundTo.equals(importance.feature())) {
        builder.field("bound_to", boundTo);
      }
      builder.field("splits", importance.splits());
      if (!Double.isNaN(importance.totalGain())) {
        builder.field("total_gain", importance.totalGain());
        builder.field("average_gain", importance.averageGain());
      }
      if (!Double.isNaN(importance.totalCover())) {
        builder.field("total_cover", importance.totalCover());
        builder.field("average_cover", importance.averageCover());
      }
      if (!Double.isNaN(importance.weight())) {
        builder.field("weight", importance.weight());
      }
      return builder.endObject();
    }
  }
}
