// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.plugin.rescore;

import io.quickscorer.plugin.rescore.clause.ClauseOptions;
import io.quickscorer.plugin.rescore.clause.Scope;
import io.quickscorer.plugin.rescore.rewrite.EnsembleRescorerBuilder;
import io.quickscorer.plugin.stats.PipelineStats.Left;
import java.io.IOException;
import java.lang.reflect.Field;
import java.lang.reflect.Modifier;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import org.opensearch.action.OriginalIndices;
import org.opensearch.action.search.SearchRequest;
import org.opensearch.action.search.SearchType;
import org.opensearch.action.support.IndicesOptions;
import org.opensearch.common.unit.TimeValue;
import org.opensearch.common.xcontent.json.JsonXContent;
import org.opensearch.core.common.bytes.BytesArray;
import org.opensearch.core.index.Index;
import org.opensearch.core.index.shard.ShardId;
import org.opensearch.core.xcontent.DeprecationHandler;
import org.opensearch.core.xcontent.NamedXContentRegistry;
import org.opensearch.core.xcontent.XContentParser;
import org.opensearch.index.query.QueryBuilders;
import org.opensearch.script.Script;
import org.opensearch.search.Scroll;
import org.opensearch.search.SearchHit;
import org.opensearch.search.SearchShardTarget;
import org.opensearch.search.aggregations.AggregationBuilders;
import org.opensearch.search.builder.PointInTimeBuilder;
import org.opensearch.search.builder.SearchSourceBuilder;
import org.opensearch.search.collapse.CollapseBuilder;
import org.opensearch.search.fetch.subphase.highlight.HighlightBuilder;
import org.opensearch.search.rescore.QueryRescorerBuilder;
import org.opensearch.search.slice.SliceBuilder;
import org.opensearch.search.sort.SortBuilders;
import org.opensearch.search.suggest.SuggestBuilder;
import org.opensearch.test.OpenSearchTestCase;

/**
 * Each part of a search is decided on: the search is left alone, the part reaches the search for
 * the features of a response's hits, or it does not matter to it. A part that a later server adds
 * fails here until it is decided on.
 */
public class EligibilityTests extends OpenSearchTestCase {
  private static final ClauseOptions GLOBAL = clause("{'model':'m','scope':'global'}");

  private static final ClauseOptions INTERLEAVED =
      clause("{'models':['m','n'],'scope':'global','interleave':{'seed':1}}");

  /** What a part of a search means to the ranking of a response's hits. */
  private record Part(Consumer<SearchRequest> with, Decision decision) {}

  private sealed interface Decision {
    /** The search for the features has it too. */
    record Carried() implements Decision {}

    /**
     * The search for the features does without it.
     *
     * @param why such as: it decides which hits there are, and these stand already
     */
    record Irrelevant(String why) implements Decision {}

    /** Neither processor ranks the search. */
    record LeftAlone(Left reason) implements Decision {}
  }

  private static final Decision FOUND = new Decision.Irrelevant("decides which hits are found");
  private static final Decision SHOWN = new Decision.Irrelevant("the hits show it already");
  private static final Decision WHOLE = new Decision.Irrelevant("not a matter of hits");
  private static final Decision OWN = new Decision.Irrelevant("that search has its own");
  private static final Decision CARRIED = new Decision.Carried();

  private static Part source(Decision decision, Consumer<SearchSourceBuilder> with) {
    return new Part(request -> with.accept(request.source()), decision);
  }

  private static Decision left(Left reason) {
    return new Decision.LeftAlone(reason);
  }

  /** By the names of the server's fields. */
  private static Map<String, Part> sourceParts() {
    Map<String, Part> parts = new TreeMap<>();
    parts.put("queryBuilder", source(OWN, s -> s.query(QueryBuilders.matchAllQuery())));
    parts.put(
        "postQueryBuilder", source(FOUND, s -> s.postFilter(QueryBuilders.termQuery("a", 1))));
    parts.put("from", source(FOUND, s -> s.from(3)));
    parts.put("size", source(left(Left.SIZE), s -> s.size(0)));
    parts.put("explain", source(CARRIED, s -> s.explain(true)));
    parts.put("version", source(SHOWN, s -> s.version(true)));
    parts.put("seqNoAndPrimaryTerm", source(SHOWN, s -> s.seqNoAndPrimaryTerm(true)));
    parts.put("sorts", source(left(Left.SORT), s -> s.sort(SortBuilders.fieldSort("a"))));
    parts.put("trackScores", source(FOUND, s -> s.trackScores(true)));
    parts.put("includeNamedQueriesScore", source(SHOWN, s -> s.includeNamedQueriesScores(true)));
    parts.put("trackTotalHitsUpTo", source(FOUND, s -> s.trackTotalHitsUpTo(7)));
    parts.put(
        "searchAfterBuilder",
        source(left(Left.SEARCH_AFTER), s -> s.searchAfter(new Object[] {1f})));
    parts.put("sliceBuilder", source(FOUND, s -> s.slice(new SliceBuilder(0, 2))));
    parts.put("minScore", source(FOUND, s -> s.minScore(0.5f)));
    // What is left of it: the processor takes off what the first search took.
    parts.put("timeout", source(CARRIED, s -> s.timeout(TimeValue.timeValueSeconds(9))));
    parts.put("terminateAfter", source(FOUND, s -> s.terminateAfter(5)));
    parts.put("storedFieldsContext", source(SHOWN, s -> s.storedField("a")));
    parts.put("docValueFields", source(SHOWN, s -> s.docValueField("a")));
    parts.put("scriptFields", source(SHOWN, s -> s.scriptField("a", new Script("1"))));
    parts.put(
        "derivedFieldsObject",
        source(CARRIED, s -> derived(s, "{\"derived\":{\"a\":{\"type\":\"long\"}}}")));
    parts.put(
        "derivedFields",
        source(
            CARRIED,
            s ->
                s.derivedField("a", "long", new Script("1"), Map.of("b", "c"), "d", "yyyy", true)));
    parts.put("fetchSourceContext", source(OWN, s -> s.fetchSource(true)));
    parts.put("fetchFields", source(SHOWN, s -> s.fetchField("a")));
    parts.put("aggregations", source(WHOLE, s -> s.aggregation(AggregationBuilders.max("a"))));
    parts.put("highlightBuilder", source(SHOWN, s -> s.highlighter(new HighlightBuilder())));
    parts.put("suggestBuilder", source(WHOLE, s -> s.suggest(new SuggestBuilder())));
    parts.put(
        "rescoreBuilders",
        source(OWN, s -> s.addRescorer(new QueryRescorerBuilder(QueryBuilders.matchAllQuery()))));
    parts.put("indexBoosts", source(FOUND, s -> s.indexBoost("a", 2)));
    parts.put("stats", source(WHOLE, s -> s.stats(List.of("a"))));
    parts.put("extBuilders", source(WHOLE, s -> s.ext(List.of())));
    parts.put("profile", source(WHOLE, s -> s.profile(true)));
    parts.put("collapse", source(FOUND, s -> s.collapse(new CollapseBuilder("a"))));
    parts.put(
        "pointInTimeBuilder",
        source(CARRIED, s -> s.pointInTimeBuilder(new PointInTimeBuilder("p"))));
    parts.put("searchPipelineSource", source(WHOLE, s -> s.searchPipelineSource(Map.of())));
    parts.put("searchPipeline", source(WHOLE, s -> s.pipeline("p")));
    parts.put("verbosePipeline", source(WHOLE, s -> s.verbosePipeline(true)));
    return parts;
  }

  private static Map<String, Part> requestParts() {
    Map<String, Part> parts = new TreeMap<>();
    Consumer<SearchRequest> nothing = request -> {};
    parts.put("localClusterAlias", new Part(nothing, WHOLE));
    parts.put("absoluteStartMillis", new Part(nothing, WHOLE));
    parts.put("finalReduce", new Part(nothing, WHOLE));
    parts.put("source", new Part(nothing, OWN));
    parts.put("searchType", new Part(r -> r.searchType(SearchType.DFS_QUERY_THEN_FETCH), CARRIED));
    // Those of the hits, and of distributed statistics all.
    parts.put("indices", new Part(r -> r.indices("other"), OWN));
    parts.put("routing", new Part(r -> r.routing("a"), FOUND));
    parts.put("preference", new Part(r -> r.preference("me"), CARRIED));
    parts.put("requestCache", new Part(r -> r.requestCache(true), WHOLE));
    parts.put(
        "allowPartialSearchResults", new Part(r -> r.allowPartialSearchResults(false), CARRIED));
    parts.put(
        "scroll",
        new Part(r -> r.scroll(new Scroll(TimeValue.timeValueMinutes(1))), left(Left.SCROLL)));
    parts.put("batchedReduceSize", new Part(r -> r.setBatchedReduceSize(9), WHOLE));
    parts.put(
        "maxConcurrentShardRequests", new Part(r -> r.setMaxConcurrentShardRequests(3), CARRIED));
    parts.put("preFilterShardSize", new Part(r -> r.setPreFilterShardSize(3), WHOLE));
    parts.put("ccsMinimizeRoundtrips", new Part(r -> r.setCcsMinimizeRoundtrips(false), CARRIED));
    parts.put(
        "indicesOptions",
        new Part(r -> r.indicesOptions(IndicesOptions.lenientExpandOpen()), CARRIED));
    // Ends the search of which the other one is a part.
    parts.put(
        "cancelAfterTimeInterval",
        new Part(r -> r.setCancelAfterTimeInterval(TimeValue.timeValueSeconds(9)), WHOLE));
    parts.put("pipeline", new Part(r -> r.pipeline("p"), OWN));
    parts.put("phaseTook", new Part(r -> r.setPhaseTook(true), WHOLE));
    return parts;
  }

  private static void derived(SearchSourceBuilder source, String json) {
    try (XContentParser parser =
        JsonXContent.jsonXContent.createParser(
            NamedXContentRegistry.EMPTY, DeprecationHandler.IGNORE_DEPRECATIONS, json)) {
      source.parseXContent(parser);
    } catch (IOException e) {
      throw new AssertionError(e);
    }
  }

  private static TreeSet<String> fields(Class<?> of) {
    return Arrays.stream(of.getDeclaredFields())
        .filter(field -> !Modifier.isStatic(field.getModifiers()) && !field.isSynthetic())
        .map(Field::getName)
        .collect(Collectors.toCollection(TreeSet::new));
  }

  public void testEveryPartOfASearchIsDecidedOn() throws Exception {
    // A version of the server may lack parts that others have.
    TreeSet<String> undecided = fields(SearchSourceBuilder.class);
    undecided.removeAll(sourceParts().keySet());
    assertEquals("parts of SearchSourceBuilder to decide on", new TreeSet<String>(), undecided);
    undecided = fields(SearchRequest.class);
    undecided.removeAll(requestParts().keySet());
    assertEquals("parts of SearchRequest to decide on", new TreeSet<String>(), undecided);
    for (Map.Entry<String, Part> part : sourceParts().entrySet()) {
      if (fields(SearchSourceBuilder.class).contains(part.getKey())) {
        check(part.getKey(), part.getValue(), SearchSourceBuilder.class);
      }
    }
    for (Map.Entry<String, Part> part : requestParts().entrySet()) {
      if (fields(SearchRequest.class).contains(part.getKey())) {
        check(part.getKey(), part.getValue(), SearchRequest.class);
      }
    }
  }

  private static void check(String name, Part part, Class<?> of) throws Exception {
    SearchRequest request = new SearchRequest("shop").source(new SearchSourceBuilder());
    part.with.accept(request);
    List<SearchHit> hits = List.of(hit());
    Left ofSearch = Eligibility.ofSearch(request, GLOBAL);
    Left ofHits = Eligibility.ofHits(request, hits);
    if (part.decision instanceof Decision.LeftAlone left) {
      assertEquals(name, left.reason, ofSearch);
      assertEquals(name, left.reason, ofHits);
      return;
    }
    assertNull(name, ofSearch);
    assertNull(name, ofHits);
    SearchRequest search = search(request, hits);
    SearchRequest without =
        search(new SearchRequest("shop").source(new SearchSourceBuilder()), hits);
    boolean carried = part.decision instanceof Decision.Carried;
    Object value = value(name, of, search);
    assertEquals(name, !carried, Objects.equals(value(name, of, without), value));
    if (carried && !name.equals("preference") && !name.equals("indices")) {
      assertEquals(name, value(name, of, request), value);
    }
  }

  private static Object value(String name, Class<?> of, SearchRequest request) throws Exception {
    Field field = of.getDeclaredField(name);
    field.setAccessible(true);
    Object value = field.get(of == SearchRequest.class ? request : request.source());
    // Of the search's own parts, those that differ from one to the next are left to other tests.
    return List.of("source", "indices").contains(name)
        ? ""
        : value instanceof Object[] array ? Arrays.asList(array) : value;
  }

  private static SearchRequest search(SearchRequest request, List<SearchHit> hits) {
    ClauseOptions clause = ClauseOptions.logging("set", Map.of(), Scope.GLOBAL);
    return new RankedHits(clause, hits, 10)
        .search(
            request,
            request.source().timeout(),
            (options, standing) ->
                new EnsembleRescorerBuilder(options, () -> null).standing(standing));
  }

  private static SearchHit hit() {
    SearchHit hit = new SearchHit(1, "7", Map.of(), Map.of());
    hit.score(1);
    hit.shard(
        new SearchShardTarget(
            "node", new ShardId(new Index("shop", "uuid"), 0), null, OriginalIndices.NONE));
    return hit;
  }

  /** A list of one score alone is no sort to the server. */
  public void testOrdersByScore() {
    SearchRequest request = new SearchRequest().source(new SearchSourceBuilder());
    request.source().sort(SortBuilders.scoreSort());
    assertNull(Eligibility.ofSearch(request, GLOBAL));
    request.source().sort(SortBuilders.scoreSort());
    assertEquals(Left.SORT, Eligibility.ofSearch(request, GLOBAL));
  }

  public void testCollapsedSearchesNeedAllShardsTogether() {
    SearchRequest request =
        new SearchRequest()
            .source(new SearchSourceBuilder().collapse(new CollapseBuilder("brand")));
    assertEquals(Left.COLLAPSE, Eligibility.ofSearch(request, ClauseOptions.of("m")));
    assertNull(Eligibility.ofSearch(request, GLOBAL));
    assertEquals(Left.COLLAPSE, Eligibility.ofSearch(request, INTERLEAVED));
  }

  public void testInterleavedHitsNeedIds() {
    SearchRequest request =
        new SearchRequest().source(new SearchSourceBuilder().storedField("_none_"));
    assertNull(Eligibility.ofSearch(request, GLOBAL));
    assertEquals(Left.STORED_FIELDS, Eligibility.ofSearch(request, INTERLEAVED));
  }

  private static ClauseOptions clause(String json) {
    return ClauseOptions.read(new BytesArray(json.replace('\'', '"')));
  }
}
