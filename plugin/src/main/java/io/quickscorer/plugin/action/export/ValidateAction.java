// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.plugin.action.export;

import io.quickscorer.plugin.export.LiveValidation;
import java.io.IOException;
import org.jspecify.annotations.Nullable;
import org.opensearch.action.ActionType;
import org.opensearch.core.common.bytes.BytesReference;
import org.opensearch.core.common.io.stream.StreamInput;
import org.opensearch.core.xcontent.MediaType;

/** Tries a feature set on an index. */
public final class ValidateAction extends ActionType<LiveValidation.Report> {
  public static final String NAME = "cluster:admin/quickscorer/feature_set/validate";
  public static final ValidateAction INSTANCE = new ValidateAction();

  private ValidateAction() {
    super(NAME, LiveValidation.Report::new);
  }

  /** What to try, as its user wrote it. */
  public static final class Request extends SearchingRequest {
    public Request(String featureSet, @Nullable MediaType type, BytesReference body) {
      super(featureSet, type, body);
    }

    public Request(StreamInput in) throws IOException {
      super(in);
    }
  }
}
