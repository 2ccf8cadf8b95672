// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.plugin.action.featureset;

import io.quickscorer.plugin.feature.set.FeatureSet;
import io.quickscorer.plugin.wire.Wire;
import java.io.IOException;
import java.util.List;
import org.opensearch.action.ActionType;
import org.opensearch.core.action.ActionResponse;
import org.opensearch.core.common.io.stream.StreamInput;
import org.opensearch.core.common.io.stream.StreamOutput;

/** Reads one feature set or all. */
public final class GetFeatureSetsAction extends ActionType<GetFeatureSetsAction.Response> {
  public static final String NAME = "cluster:admin/quickscorer/feature_set/get";
  public static final GetFeatureSetsAction INSTANCE = new GetFeatureSetsAction();

  private GetFeatureSetsAction() {
    super(NAME, Response::new);
  }

  /** The feature sets asked for, by name. */
  public static final class Response extends ActionResponse {
    private final List<FeatureSet> sets;
    private final int total;

    /** The only one that was asked for. */
    public Response(FeatureSet only) {
      this(List.of(only), 1);
    }

    /**
     * @param total how many there are, of which these are a page
     */
    public Response(List<FeatureSet> sets, int total) {
      this.sets = List.copyOf(sets);
      this.total = total;
    }

    public Response(StreamInput in) throws IOException {
      super(in);
      Wire.head(in);
      sets = in.readList(FeatureSet::read);
      total = in.readVInt();
    }

    @Override
    public void writeTo(StreamOutput out) throws IOException {
      Wire.head(out);
      out.writeList(sets);
      out.writeVInt(total);
    }

    public List<FeatureSet> sets() {
      return sets;
    }

    /** How many there are, of which these are a page. */
    public int total() {
      return total;
    }
  }
}
