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
import org.opensearch.core.common.bytes.BytesReference;
import org.opensearch.core.xcontent.MediaType;
import org.opensearch.core.xcontent.NamedXContentRegistry;
import org.opensearch.core.xcontent.ToXContentObject;
import org.opensearch.core.xcontent.XContentBuilder;
import org.opensearch.search.SearchHit;

/**
 * Tries a feature set on an index: every feature must bind and be computed for real documents; what
 * each of them costs and gives is reported. The extraction is run twice, and the second run counts;
 * where that may not be profiled, as under rules on documents, costs are not reported.
 */
final class LiveValidation {
  private static final int DEFAULT_SIZE = 100;
  private static final int MAX_DOCUMENTS = 1_000;

  private LiveValidation() {}

  /** The fields of the request: {@code {"index", "params", "query", "size", "scope"}}. */
  private static final Shape<LogRequest.Search> SHAPE =
      LogRequest.Search.<LogRequest.Search>shape(MAX_DOCUMENTS)
          .map("params", LogRequest.Search::params);

  /**
   * Starts a trial; returns at once. A feature that does not fit the index fails it with a 400 that
   * names the feature.
   *
   * @param client searches on behalf of the user
   */
  public static void start(
      String featureSet,
      @Nullable MediaType type,
      BytesReference body,
      LoggedHits logging,
      NamedXContentRegistry registry,
      GuardedClient client,
      ActionListener<Report> listener) {
    RequestBudget budget = logging.budget();
    ActionListener<Report> closing = ActionListener.runAfter(listener, budget::close);
    boolean started = false;
    try {
      LogRequest.Search request =
          Door.body(
              type,
              body,
              budget.memory(),
              in -> SHAPE.read(in, new LogRequest.Search(DEFAULT_SIZE)));
      JudgedSearch searches =
          new JudgedSearch(featureSet, request.scope(), logging, registry, budget);
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
                                  closing, () -> report(featureSet, request, found, null)),
                          refused ->
                              ActionListener.completeWith(
                                  closing, () -> report(featureSet, request, warm, why(refused))))),
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

  /** One feature: its cost, and its values among the hits shown. */
  private static final class Feature {
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

    void toXContent(XContentBuilder builder) throws IOException {
      builder.startObject().field("name", name);
      if (nanosPerDocument != null) {
        builder.field("nanos_per_document", nanosPerDocument);
      }
      builder.field("values", values).field("missing", missing);
      if (values > 0) {
        builder.field("min", min).field("max", max);
      }
      builder.endObject();
    }
  }

  /**
   * The result of a validation.
   *
   * @param hits the documents of which values are reported
   * @param profile of documents on all shards; what all features cost together may be less than the
   *     sum of what each costs alone. Null if it was refused
   * @param notMeasured why there is no profile, or null
   */
  public record Report(
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
      builder.startArray("features");
      for (Feature feature : features) {
        feature.toXContent(builder);
      }
      return builder.endArray().endObject();
    }
  }
}
