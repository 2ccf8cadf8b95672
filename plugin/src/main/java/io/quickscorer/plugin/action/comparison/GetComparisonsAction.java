// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.plugin.action.comparison;

import io.quickscorer.plugin.stats.ComparisonCounts;
import io.quickscorer.plugin.wire.Wire;
import java.io.IOException;
import org.opensearch.action.ActionType;
import org.opensearch.core.action.ActionResponse;
import org.opensearch.core.common.io.stream.StreamInput;
import org.opensearch.core.common.io.stream.StreamOutput;
import org.opensearch.core.xcontent.ToXContentObject;
import org.opensearch.core.xcontent.XContentBuilder;

/** Adds up what all nodes counted that tells models from each other. */
public final class GetComparisonsAction extends ActionType<GetComparisonsAction.Response> {
  public static final String NAME = "cluster:admin/quickscorer/comparison/get";
  public static final GetComparisonsAction INSTANCE = new GetComparisonsAction();

  private GetComparisonsAction() {
    super(NAME, Response::new);
  }

  /** What all nodes counted together. */
  public static final class Response extends ActionResponse implements ToXContentObject {
    private final ComparisonCounts counts;

    Response(ComparisonCounts counts) {
      this.counts = counts;
    }

    Response(StreamInput in) throws IOException {
      super(in);
      Wire.head(in);
      counts = new ComparisonCounts(in);
    }

    @Override
    public void writeTo(StreamOutput out) throws IOException {
      Wire.head(out);
      counts.writeTo(out);
    }

    @Override
    public XContentBuilder toXContent(XContentBuilder builder, Params params) throws IOException {
      builder.startObject();
      counts.toXContent(builder, params);
      return builder.endObject();
    }
  }
}
