// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.plugin.action.comparison;

import io.quickscorer.plugin.model.Json;
import io.quickscorer.plugin.model.ResourceNames;
import io.quickscorer.plugin.stats.ComparisonStats;
import io.quickscorer.plugin.wire.Wire;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.opensearch.action.ActionRequest;
import org.opensearch.action.ActionRequestValidationException;
import org.opensearch.action.ActionType;
import org.opensearch.action.support.clustermanager.AcknowledgedResponse;
import org.opensearch.core.common.bytes.BytesReference;
import org.opensearch.core.common.io.stream.StreamInput;
import org.opensearch.core.common.io.stream.StreamOutput;
import org.opensearch.core.common.io.stream.Writeable;
import org.opensearch.core.xcontent.MediaType;

/** Tells whose hits were clicked in searches in which two models were interleaved. */
public final class ReportClicksAction extends ActionType<AcknowledgedResponse> {
  public static final String NAME = "cluster:admin/quickscorer/comparison/click";
  public static final ReportClicksAction INSTANCE = new ReportClicksAction();

  private static final String SEARCHES = "searches";
  private static final String MODELS = "models";
  private static final String CLICKS = "clicks";

  private ReportClicksAction() {
    super(NAME, AcknowledgedResponse::new);
  }

  /**
   * The clicks of one search.
   *
   * @param first hits that the first model picked
   * @param second hits that the second model picked
   */
  record Search(ComparisonStats.Teams teams, int first, int second) implements Writeable {
    Search(StreamInput in) throws IOException {
      this(
          new ComparisonStats.Teams(in.readString(), in.readString()),
          in.readVInt(),
          in.readVInt());
    }

    @Override
    public void writeTo(StreamOutput out) throws IOException {
      out.writeString(teams.first());
      out.writeString(teams.second());
      out.writeVInt(first);
      out.writeVInt(second);
    }
  }

  /** The clicks of some searches. */
  public static final class Request extends ActionRequest {
    private final List<Search> searches;

    private Request(List<Search> searches) {
      this.searches = List.copyOf(searches);
    }

    public Request(StreamInput in) throws IOException {
      super(in);
      Wire.head(in);
      searches = in.readList(Search::new);
    }

    /**
     * Reads the body {@code {"searches": [{"models": ["a", "b"], "clicks": ["a", "a", "b"]}]}}.
     *
     * @throws IllegalArgumentException (400) naming what is wrong with it
     */
    public static Request parse(@Nullable MediaType type, BytesReference body) {
      Map<String, Object> fields = Json.map(type, body);
      checkFields("body", fields, List.of(SEARCHES));
      List<Search> searches = new ArrayList<>();
      for (Object search : list(SEARCHES, fields.get(SEARCHES))) {
        searches.add(search(SEARCHES + "[" + searches.size() + "]", search));
      }
      return new Request(searches);
    }

    private static Search search(String where, Object value) {
      if (!(value instanceof Map<?, ?> fields)) {
        throw new IllegalArgumentException(where + ": expected an object");
      }
      checkFields(where, fields, List.of(MODELS, CLICKS));
      List<String> models = names(where + "." + MODELS, fields.get(MODELS));
      if (models.size() != 2 || models.getFirst().equals(models.getLast())) {
        throw new IllegalArgumentException(where + "." + MODELS + ": expected two models");
      }
      List<String> clicks = names(where + "." + CLICKS, fields.get(CLICKS));
      for (String click : clicks) {
        if (!models.contains(click)) {
          throw new IllegalArgumentException(
              where + "." + CLICKS + ": [" + click + "] is neither of the two models");
        }
      }
      ComparisonStats.Teams teams = ComparisonStats.Teams.of(models.getFirst(), models.getLast());
      return new Search(
          teams,
          Collections.frequency(clicks, teams.first()),
          Collections.frequency(clicks, teams.second()));
    }

    private static void checkFields(String where, Map<?, ?> fields, List<String> known) {
      for (Object field : fields.keySet()) {
        if (!known.contains(field)) {
          throw Json.unknown(where, String.valueOf(field));
        }
      }
    }

    private static List<?> list(String where, @Nullable Object value) {
      if (!(value instanceof List<?> list) || list.isEmpty()) {
        throw new IllegalArgumentException(where + ": expected an array that is not empty");
      }
      return list;
    }

    private static List<String> names(String where, @Nullable Object value) {
      List<String> names = new ArrayList<>();
      for (Object name : list(where, value)) {
        if (!(name instanceof String text)) {
          throw new IllegalArgumentException(where + ": expected names");
        }
        names.add(ResourceNames.check("model", text));
      }
      return names;
    }

    @Override
    public void writeTo(StreamOutput out) throws IOException {
      super.writeTo(out);
      Wire.head(out);
      out.writeList(searches);
    }

    List<Search> searches() {
      return searches;
    }

    @Override
    public @Nullable ActionRequestValidationException validate() {
      return null;
    }
  }
}
