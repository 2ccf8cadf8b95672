// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.plugin.rescore;

import io.quickscorer.plugin.rescore.clause.ClauseOptions;
import io.quickscorer.plugin.rescore.clause.StandingHits;
import io.quickscorer.plugin.rescore.rewrite.EnsembleRescorerBuilder;
import io.quickscorer.plugin.testing.FreeBudget;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.function.UnaryOperator;
import org.opensearch.common.xcontent.json.JsonXContent;
import org.opensearch.core.common.io.stream.StreamOutput;
import org.opensearch.core.xcontent.XContentBuilder;
import org.opensearch.core.xcontent.XContentParser;
import org.opensearch.search.SearchExtBuilder;
import org.opensearch.search.builder.SearchSourceBuilder;
import org.opensearch.search.collapse.CollapseBuilder;
import org.opensearch.search.suggest.SuggestBuilder;
import org.opensearch.test.OpenSearchTestCase;

public class ShownPageTests extends OpenSearchTestCase {
  private static final int WINDOW = 100;

  private EnsembleRescorerBuilder clause(String more) throws IOException {
    String json = "{\"model\": \"m\", \"scope\": \"global\"" + more + "}";
    try (XContentParser parser = createParser(JsonXContent.jsonXContent, json)) {
      parser.nextToken();
      ClauseOptions options = ClauseOptions.parse(parser, FreeBudget.create().memory());
      return new EnsembleRescorerBuilder(options, () -> null).windowSize(WINDOW);
    }
  }

  private static SearchSourceBuilder page(int from, int size) {
    return new SearchSourceBuilder().from(from).size(size);
  }

  private static final class OtherPlugins extends SearchExtBuilder {
    @Override
    public String getWriteableName() {
      return "other";
    }

    @Override
    public void writeTo(StreamOutput out) {}

    @Override
    public XContentBuilder toXContent(XContentBuilder builder, Params params) {
      return builder;
    }

    @Override
    public boolean equals(Object other) {
      return this == other;
    }

    @Override
    public int hashCode() {
      return 1;
    }
  }

  public void testAPageWithinTheWindow() throws IOException {
    assertEquals(10, ShownPage.hits(new SearchSourceBuilder(), clause("")));
    assertEquals(99, ShownPage.hits(page(90, 9), clause("")));
    assertEquals(0, ShownPage.hits(page(90, 10), clause("")));
    assertEquals(0, ShownPage.hits(page(Integer.MAX_VALUE, Integer.MAX_VALUE), clause("")));
    String cut = ",\"max_rank\":5,\"min_model_score\":1,\"outside_window\":\"drop\"";
    assertEquals(10, ShownPage.hits(page(0, 10), clause(cut)));
  }

  public void testClausesThatNeedAllHits() throws IOException {
    for (String more :
        List.of(
            ",\"score_mode\":\"max\"",
            ",\"final\":\"score\"",
            ",\"outside_window\":\"mix\"",
            ",\"min_model_score\":1",
            ",\"output\":\"transformed\"",
            ",\"algorithm\":\"qs\"")) {
      assertEquals(more, 0, ShownPage.hits(page(0, 10), clause(more)));
    }
    EnsembleRescorerBuilder standing = clause("").standing(new StandingHits(Map.of()));
    assertEquals(0, ShownPage.hits(page(0, 10), standing));
  }

  public void testSearchesThatNeedAllHits() throws IOException {
    List<UnaryOperator<SearchSourceBuilder>> changes =
        List.of(
            source -> source.collapse(new CollapseBuilder("f")),
            source -> source.suggest(new SuggestBuilder()),
            source -> source.ext(List.of(new OtherPlugins())));
    for (UnaryOperator<SearchSourceBuilder> change : changes) {
      assertEquals(0, ShownPage.hits(change.apply(page(0, 10)), clause("")));
    }
  }
}
