// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.plugin.feature;

import com.carrotsearch.randomizedtesting.annotations.Timeout;
import com.sun.management.ThreadMXBean;
import io.quickscorer.plugin.door.Door;
import io.quickscorer.plugin.guard.CountedSteps;
import io.quickscorer.plugin.testing.FreeBudget;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.management.ManagementFactory;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.function.IntFunction;
import java.util.function.IntToLongFunction;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.opensearch.common.regex.Regex;
import org.opensearch.common.xcontent.json.JsonXContent;
import org.opensearch.core.xcontent.XContentParser;
import org.opensearch.test.OpenSearchTestCase;

/**
 * Work grows as its input does: where a size is doubled, steps and allocated bytes grow by less
 * than {@value #MOST}. Both are counted, so that no clock decides.
 */
@Timeout(millis = 120_000) // an input that needs years fails, too
public class ScalingTests extends OpenSearchTestCase {
  private static final double MOST = 2.6;

  private static void assertScales(String what, int size, IntToLongFunction work) {
    work.applyAsLong(size);
    long once = work.applyAsLong(size);
    long twice = work.applyAsLong(2 * size);
    assertTrue(what + ": " + once + " and " + twice, twice <= MOST * once);
  }

  private static IntToLongFunction allocated(IntFunction<String> input, Work work) {
    ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
    return size -> {
      String made = input.apply(size);
      long before = threads.getCurrentThreadAllocatedBytes();
      try {
        work.run(made);
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
      return threads.getCurrentThreadAllocatedBytes() - before;
    };
  }

  private interface Work {
    void run(String input) throws IOException;
  }

  private void parse(String json) throws IOException {
    try (XContentParser parser = createParser(JsonXContent.jsonXContent, json)) {
      FeatureSetDraft.read("movies", Door.within(parser)).complete(Map.of());
    }
  }

  private static String list(int size, IntFunction<String> item) {
    return IntStream.range(0, size).mapToObj(item).collect(Collectors.joining(","));
  }

  public void testFeatures() {
    assertScales(
        "features",
        500,
        allocated(
            size ->
                "{\"features\":["
                    + list(
                        size, i -> "{\"name\":\"f" + i + "\",\"type\":\"param\",\"param\":\"p\"}")
                    + "]}",
            this::parse));
  }

  /** Declared parameters of a query, each looked up among the names of its template. */
  public void testDeclaredParameters() {
    assertScales(
        "params",
        500,
        allocated(
            size ->
                "{\"features\":[{\"name\":\"f\",\"params\":["
                    + list(size, i -> "\"p" + i + "\"")
                    + "],\"type\":\"query\",\"query\":\"{\\\"terms\\\":{\\\"id\\\":["
                    + list(size, i -> "{{p" + i + "}}")
                    + "]}}\"}]}",
            this::parse));
  }

  /** A value of any form, as the parameters of a search: its names, and the lists within it. */
  public void testNamesOfAValue() {
    assertScales(
        "names",
        2_000,
        allocated(
            size -> "{" + list(size, i -> "\"p" + i + "\":[" + i + "]") + "}",
            json -> {
              try (XContentParser parser = createParser(JsonXContent.jsonXContent, json)) {
                assertFalse(Door.within(parser).map().isEmpty());
              }
            }));
  }

  public void testTagsOfATemplate() {
    assertScales(
        "tags",
        2_000,
        allocated(
            size -> list(size, i -> "{{p" + i + "}}"),
            source -> new QueryTemplate(source).sample(Map.of(), "1")));
  }

  public void testItemsOfASection() {
    assertScales(
        "items",
        2_000,
        allocated(
            size -> "x".repeat(size),
            items ->
                new QueryTemplate("{{#list}}{{a.b.c}}{{/list}}")
                    .render(
                        Map.of(
                            "list",
                            Collections.nCopies(items.length(), 1),
                            "a",
                            Map.of("b", Map.of("c", "d"))),
                        FreeBudget.create())));
  }

  private static long steps(List<String> patterns, int names) {
    FeatureSetDraft.NamePatterns all = new FeatureSetDraft.NamePatterns(patterns);
    return CountedSteps.of(
        () -> {
          for (int i = 0; i < names; i++) {
            all.match("name" + i + "a".repeat(100));
          }
        });
  }

  public void testNamesAndPatternsOfIncludes() {
    List<String> patterns = IntStream.range(0, 400).mapToObj(i -> "*a*" + i + "*b").toList();
    assertScales("names", 500, size -> steps(patterns.subList(0, 50), size));
    assertScales("patterns", 100, size -> steps(patterns.subList(0, size), 100));
    assertScales(
        "stars",
        100,
        size -> steps(List.of("a*".repeat(size) + "b", "*a".repeat(size) + "b"), 100));
  }

  public void testPatternsMatchAsTheServersDo() {
    for (String pattern : List.of("*", "a*", "*a", "a*b*c", "**", "a", "", "*ab*ab*")) {
      for (String name : List.of("", "a", "ab", "abc", "aXbYc", "abab", "xababx", "ba")) {
        assertEquals(
            pattern + " " + name,
            Regex.simpleMatch(pattern, name),
            new FeatureSetDraft.NamePatterns(List.of(pattern)).match(name));
      }
    }
  }
}
