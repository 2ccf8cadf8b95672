// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.plugin.rescore.clause;

import io.quickscorer.plugin.wire.WireRecord;
import io.quickscorer.scorer.Algorithm;
import java.io.IOException;
import org.opensearch.core.xcontent.ToXContentObject;
import org.opensearch.core.xcontent.XContentBuilder;

/**
 * A stage of a clause before the last one. Its model ranks the window or the hits that the previous
 * stage kept; the next stage ranks the best of them. Immutable.
 *
 * @param model the model's name, or an alias
 * @param keep the number of the best hits of a shard that the next stage ranks, at least 1
 * @param combination how the first-pass score and the model's score are combined
 * @param transformed whether the model's score is its trainer's transformed output, not the raw one
 * @param algorithm the requested engine
 */
public record EarlierStage(
    String model, int keep, ScoreCombination combination, boolean transformed, Algorithm algorithm)
    implements WireRecord, ToXContentObject {
  static final String MODEL = "model";
  static final String KEEP = "keep";

  public EarlierStage {
    if (keep < 1) {
      throw new IllegalArgumentException("[" + KEEP + "] must be 1 or more, not " + keep);
    }
  }

  @Override
  public XContentBuilder toXContent(XContentBuilder builder, Params params) throws IOException {
    builder.startObject().field(MODEL, model).field(KEEP, keep);
    ClauseParser.ScoringFields.write(builder, combination, transformed, algorithm);
    return builder.endObject();
  }
}
