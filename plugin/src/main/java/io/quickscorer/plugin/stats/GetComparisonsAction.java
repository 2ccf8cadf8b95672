// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.plugin.stats;

import io.quickscorer.plugin.action.LocalAction;
import java.io.IOException;
import org.opensearch.core.xcontent.ToXContentObject;
import org.opensearch.core.xcontent.XContentBuilder;

/**
 * Adds up what all nodes counted that tells models from each other: of the experiment that the
 * request names, or with "" all.
 */
public final class GetComparisonsAction {
  public static final LocalAction<String, Response> INSTANCE =
      new LocalAction<>("cluster:admin/quickscorer/comparison/get");

  private GetComparisonsAction() {}

  /** What all nodes counted together. */
  public record Response(ComparisonCounts counts) implements ToXContentObject {
    @Override
    public XContentBuilder toXContent(XContentBuilder builder, Params params) throws IOException {
      builder.startObject();
      counts.toXContent(builder, params);
      return builder.endObject();
    }
  }
}
