// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.plugin.feature;

import com.sun.management.ThreadMXBean;
import io.quickscorer.plugin.memory.RequestBudget;
import io.quickscorer.plugin.memory.SearchSettings;
import io.quickscorer.plugin.testing.FreeBudget;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.opensearch.common.settings.Settings;
import org.opensearch.core.common.breaker.CircuitBreaker;
import org.opensearch.core.common.breaker.NoopCircuitBreaker;
import org.opensearch.core.xcontent.NamedXContentRegistry;
import org.opensearch.core.xcontent.XContentParser;
import org.opensearch.index.query.BoolQueryBuilder;
import org.opensearch.index.query.MatchAllQueryBuilder;
import org.opensearch.index.query.QueryBuilder;
import org.opensearch.plugins.Plugin;
import org.opensearch.plugins.SearchPlugin;
import org.opensearch.script.ScriptEngine;
import org.opensearch.script.TemplateScript;
import org.opensearch.script.mustache.MustacheScriptEngine;
import org.opensearch.search.SearchModule;
import org.opensearch.test.OpenSearchTestCase;

public class QueryTemplateTests extends OpenSearchTestCase {
  private static final Map<String, Object> PARAMS =
      Map.of(
          "s",
          "a \"quoted\"\n\\ ü \u2028",
          "n",
          3,
          "d",
          2.5,
          "t",
          true,
          "f",
          false,
          "list",
          List.of("x", "y"),
          "empty",
          List.of(),
          "map",
          Map.of("k", "v", "deep", Map.of("er", 1)));

  /** Where both know a tag, the server's own search templates are the reference. */
  public void testRendersAsSearchTemplatesDo() {
    for (String template :
        List.of(
            "",
            "plain",
            "{\"q\":\"{{s}}\"}",
            "{{{s}}}|{{&s}}|{{ s }}",
            "{{n}} {{d}} {{t}} {{f}}",
            "{{map.k}} {{map.deep.er}}",
            "{{#t}}yes{{/t}}{{^t}}no{{/t}}",
            "{{#f}}yes{{/f}}{{^f}}no{{/f}}",
            "{{#list}}<{{.}}>{{/list}}",
            "{{#empty}}<{{.}}>{{/empty}}{{^empty}}none{{/empty}}",
            "{{#map}}{{k}}{{n}}{{/map}}",
            "{{#absent}}x{{/absent}}{{^absent}}default{{/absent}}",
            "{{absent}}{{^absent}}default{{/absent}}",
            "{{! a comment }}after",
            "{{#toJson}}list{{/toJson}} {{#toJson}}map.deep{{/toJson}}",
            "{{#join}}list{{/join}}",
            "{{#ToJSON}}list{{/ToJSON}} {{#Join}}list{{/Join}}",
            "{ {x} } }}")) {
      assertEquals(
          template,
          reference(template),
          new QueryTemplate(template).render(PARAMS, FreeBudget.create()));
    }
  }

  public void testAQueryWithoutTagsIsMadeOnce() throws IOException {
    NamedXContentRegistry registry =
        new NamedXContentRegistry(new SearchModule(Settings.EMPTY, List.of()).getNamedXContents());
    String json = "{\"bool\": {\"must\": {\"match_all\": {}}}}";
    QueryTemplate template = new QueryTemplate(json);
    QueryBuilder query = template.query(json, registry, FreeBudget.create());
    assertEquals(new BoolQueryBuilder().must(new MatchAllQueryBuilder()), query);
    assertSame(query, template.query(json, registry, FreeBudget.create()));
    RequestBudget strict =
        new RequestBudget(
            new NoopCircuitBreaker(CircuitBreaker.REQUEST),
            SearchSettings.of(
                Settings.builder().put(SearchSettings.MAX_NESTING.getKey(), 3).build()));
    expectThrows(IllegalArgumentException.class, () -> template.query(json, registry, strict));
    QueryTemplate tagged = new QueryTemplate("{\"term\": {\"f\": \"{{s}}\"}}");
    String rendered = "{\"term\": {\"f\": \"x\"}}";
    assertNotSame(
        tagged.query(rendered, registry, FreeBudget.create()),
        tagged.query(rendered, registry, FreeBudget.create()));
  }

  private static MatchAllQueryBuilder ofPlugin(XContentParser parser) throws IOException {
    parser.skipChildren();
    return new MatchAllQueryBuilder() {};
  }

  private static final class QueryPlugin extends Plugin implements SearchPlugin {
    @Override
    public List<QuerySpec<?>> getQueries() {
      return List.of(
          new QuerySpec<>("a_plugins", MatchAllQueryBuilder::new, QueryTemplateTests::ofPlugin));
    }
  }

  public void testAQueryOfAPluginIsMadeForEachRequest() throws Exception {
    NamedXContentRegistry registry =
        new NamedXContentRegistry(
            new SearchModule(Settings.EMPTY, List.of(new QueryPlugin())).getNamedXContents());
    String plugins = "{\"a_plugins\": {}}";
    String servers = "{\"match_all\": {}}";
    for (String around :
        List.of(
            "%s",
            "{\"bool\": {\"filter\": %s}}",
            "{\"dis_max\": {\"queries\": [{\"constant_score\": {\"filter\": %s}}]}}",
            "{\"function_score\": {\"query\": %s}}",
            "{\"function_score\": {\"functions\": [{\"filter\": %s, \"weight\": 2}]}}")) {
      assertFalse(isShared(String.format(Locale.ROOT, around, plugins), registry));
      assertTrue(isShared(String.format(Locale.ROOT, around, servers), registry));
    }
    String text = "x".repeat(5_000);
    assertFalse(isShared("{\"term\": {\"f\": \"" + text + "\"}}", registry));
  }

  private static boolean isShared(String json, NamedXContentRegistry registry) throws IOException {
    QueryTemplate template = new QueryTemplate(json);
    RequestBudget budget = FreeBudget.create();
    return template.query(json, registry, budget) == template.query(json, registry, budget);
  }

  private static String reference(String template) {
    ScriptEngine engine = new MustacheScriptEngine();
    TemplateScript.Factory compiled =
        engine.compile("t", template, TemplateScript.CONTEXT, Map.of());
    return compiled.newInstance(PARAMS).execute();
  }

  public void testAParameterWithoutAValueIsAnError() {
    for (String template :
        List.of(
            "{{absent}}",
            "{{map.absent}}",
            "{{s.k}}",
            "{{#toJson}}absent{{/toJson}}",
            "{{#t}}{{{absent}}}{{/t}}")) {
      IllegalArgumentException e =
          expectThrows(
              IllegalArgumentException.class,
              () -> new QueryTemplate(template).render(PARAMS, FreeBudget.create()));
      assertTrue(e.getMessage(), e.getMessage().contains("has no value"));
    }
  }

  public void testBadTemplatesAreRefused() {
    for (String template :
        List.of(
            "{{",
            "{{}}",
            "{{#a}}",
            "{{/a}}",
            "{{#a}}{{/b}}",
            "{{>file}}",
            "{{=<% %>=}}",
            "{{{a}}",
            "{{#toJson}}a",
            "{{#url}}a{{/url}}",
            "{{#URL}}a{{/URL}}",
            "{{#join delimiter=';'}}a{{/join delimiter=';'}}",
            "{{#a}}".repeat(17) + "{{/a}}".repeat(17),
            "{{#a}}".repeat(100_000),
            "{{" + "a.".repeat(16) + "a}}",
            "{{" + "a.".repeat(99_999) + "a}}",
            "{{#" + "a".repeat(257) + "}}{{/" + "a".repeat(257) + "}}")) {
      expectThrows(IllegalArgumentException.class, () -> new QueryTemplate(template));
    }
    new QueryTemplate("{{#a}}".repeat(16) + "{{/a}}".repeat(16));
    new QueryTemplate("{{" + "a.".repeat(15) + "a}}{{" + "a".repeat(256) + "}}");
  }

  public void testSectionsThatMultiplyAreStopped() {
    List<Integer> many = Collections.nCopies(100, 1);
    String open = "{{#many}}".repeat(16);
    String close = "{{/many}}".repeat(16);
    for (String template :
        List.of(open + close, open + "x" + close, "{{#many}}{{long}}{{/many}}")) {
      expectThrows(
          IllegalArgumentException.class,
          () ->
              new QueryTemplate(template)
                  .render(Map.of("many", many, "long", "y".repeat(100_000)), FreeBudget.create()));
    }
  }

  public void testALongTemplateIsRefused() {
    int max = 1 << 20;
    assertEquals(max, new QueryTemplate("a".repeat(max)).source().length());
    IllegalArgumentException e =
        expectThrows(IllegalArgumentException.class, () -> new QueryTemplate("a".repeat(max + 1)));
    assertEquals("template: 1048577 characters, at most 1048576 allowed", e.getMessage());
  }

  /** The text of a query as an object is bounded while it is written. */
  public void testALongQueryIsRefusedBeforeItIsWritten() {
    Map<String, Object> query = Map.of("match", Map.of("a", "b".repeat(10), "c", "é"));
    assertTrue(QueryTemplate.of(query).source(), QueryTemplate.of(query).source().contains("é"));
    List<Object> names = Collections.nCopies(1 << 20, "b".repeat(100));
    ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
    long before = threads.getCurrentThreadAllocatedBytes();
    IllegalArgumentException e =
        expectThrows(
            IllegalArgumentException.class, () -> QueryTemplate.of(Map.of("terms", names)));
    assertEquals(
        "this JSON value takes more than 3145728 bytes as JSON or CBOR (binary JSON); make it"
            + " smaller",
        e.getMessage());
    long allocated = threads.getCurrentThreadAllocatedBytes() - before;
    assertTrue("allocated " + allocated, allocated < 16 << 20);
  }
}
