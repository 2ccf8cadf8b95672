// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.plugin.export;

import io.quickscorer.plugin.door.Door;
import io.quickscorer.plugin.door.Shape;
import io.quickscorer.plugin.guard.GuardedClient;
import io.quickscorer.plugin.memory.RequestBudget;
import io.quickscorer.plugin.rescore.LoggedHits;
import io.quickscorer.plugin.rescore.shard.RescoreProfile;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.opensearch.ExceptionsHelper;
import org.opensearch.action.search.SearchRequest;
import org.opensearch.action.search.SearchResponse;
import org.opensearch.core.action.ActionListener;
import org.opensearch.core.xcontent.NamedXContentRegistry;
import org.opensearch.core.xcontent.ToXContentObject;
import org.opensearch.core.xcontent.XContentBuilder;
import org.opensearch.search.SearchHit;

/**
 * Tests a feature set on an index: computes each feature for documents of the index, and reports
 * the time and the values of each feature. The search runs twice, and the times are those of the
 * second run. No times are reported if the server refuses to measure them for this user, for
 * example because of document-level security.
 */
final class LiveValidation {
  private static final int DEFAULT_SIZE = 100;
  private static final int MAX_DOCUMENTS = 1_000;

  private LiveValidation() {}

  /** Declares the fields of a request that tests a feature set. */
  private static final Shape<LogRequest.Search> SHAPE =
      LogRequest.Search.<LogRequest.Search>shape(MAX_DOCUMENTS)
          .map("params", LogRequest.Search::params);

  /**
   * Starts the test and returns immediately. The listener fails with 400 and the name of the
   * feature if a feature cannot be computed on the index.
   *
   * @param client searches with the user's permissions
   */
  static void start(
      TrainingFiles.Request asked,
      LoggedHits logging,
      NamedXContentRegistry registry,
      GuardedClient client,
      ActionListener<ToXContentObject> listener) {
    RequestBudget budget = logging.budget();
    ActionListener<ToXContentObject> closing = ActionListener.runAfter(listener, budget::close);
    boolean started = false;
    try {
      LogRequest.Search request =
          Door.body(
              asked.type(),
              asked.body(),
              budget.memory(),
              in -> SHAPE.read(in, new LogRequest.Search(DEFAULT_SIZE)));
      JudgedSearch searches =
          new JudgedSearch(asked.featureSet(), request.scope(), logging, registry, budget);
      SearchRequest first = search(searches, request, false);
      SearchRequest second = search(searches, request, true);
      client.search(
          first,
          ActionListener.wrap(
              warm ->
                  client.search(
                      second,
                      ActionListener.wrap(
                          found ->
                              ActionListener.completeWith(
                                  closing, () -> report(asked.featureSet(), request, found, null)),
                          refused ->
                              ActionListener.completeWith(
                                  closing,
                                  () -> report(asked.featureSet(), request, warm, why(refused))))),
              closing::onFailure));
      started = true;
    } finally {
      if (!started) {
        budget.close();
      }
    }
  }

  private static String why(Exception refused) {
    return String.valueOf(ExceptionsHelper.unwrapCause(refused).getMessage());
  }

  private static SearchRequest search(
      JudgedSearch searches, LogRequest.Search request, boolean profile) {
    SearchRequest search =
        searches.best(request.index(), request.query(), request.params(), request.size());
    search.source().profile(profile);
    return search;
  }

  private static Report report(
      String featureSet,
      LogRequest.Search request,
      SearchResponse found,
      @Nullable String notMeasured) {
    RescoreProfile profile = notMeasured == null ? RescoreProfile.of(found) : null;
    List<Feature> features = new ArrayList<>();
    for (String name : LoggedHits.names(found)) {
      features.add(
          new Feature(name, profile == null ? null : profile.featureNanosPerDocument(name)));
    }
    for (SearchHit hit : found.getHits().getHits()) {
      float[] values = LoggedHits.values(hit);
      for (int f = 0; f < values.length; f++) {
        features.get(f).add(values[f]);
      }
    }
    return new Report(
        featureSet,
        request.index(),
        found.getHits().getHits().length,
        profile,
        notMeasured,
        features);
  }

  /** The time for computing one feature, and a summary of the feature's values in the hits. */
  private static final class Feature implements ToXContentObject {
    private final String name;
    private final @Nullable Long nanosPerDocument;
    private int missing;
    private int values;
    private float min = Float.POSITIVE_INFINITY;
    private float max = Float.NEGATIVE_INFINITY;

    Feature(String name, @Nullable Long nanosPerDocument) {
      this.name = name;
      this.nanosPerDocument = nanosPerDocument;
    }

    void add(float value) {
      if (Float.isNaN(value)) {
        missing++;
      } else {
        values++;
        min = Math.min(min, value);
        max = Math.max(max, value);
      }
    }

    @Override
    public XContentBuilder toXContent(XContentBuilder builder, Params params) throws IOException {
      builder.startObject().field("name", name);
      if (nanosPerDocument != null) {
        builder.field("nanos_per_document", nanosPerDocument);
      }
      builder.field("values", values).field("missing", missing);
      if (values > 0) {
        builder.field("min", min).field("max", max);
      }
      return builder.endObject();
    }
  }

  /**
   * The result of testing a feature set.
   *
   * @param hits the number of hits whose feature values are reported
   * @param profile the measured times, summed over all shards; null if the server refused to
   *     measure them. The time of a feature includes all work that it shares with other features
   * @param notMeasured the reason why there are no times, or null
   */
  private record Report(
      String featureSet,
      String index,
      int hits,
      @Nullable RescoreProfile profile,
      @Nullable String notMeasured,
      List<Feature> features)
      implements ToXContentObject {
    @Override
    public XContentBuilder toXContent(XContentBuilder builder, Params params) throws IOException {
      builder.startObject().field("feature_set", featureSet).field("index", index);
      if (profile != null) {
        builder.field("documents", profile.documents());
      }
      builder.field("hits", hits);
      if (profile != null) {
        builder.field("extract_nanos_per_document", profile.extractNanosPerDocument());
      } else {
        builder.field("not_measured", notMeasured);
      }
      return builder.field("features", features).endObject();
    }
  }
}
