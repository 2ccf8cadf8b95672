// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.plugin.docs;

import io.quickscorer.plugin.testing.QuickScorerHttpTestCase;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.opensearch.common.xcontent.XContentHelper;
import org.opensearch.common.xcontent.json.JsonXContent;
import org.opensearch.test.OpenSearchIntegTestCase;

/** Sends the requests of the plugin's pages, and compares the responses with those shown. */
@OpenSearchIntegTestCase.ClusterScope(
    scope = OpenSearchIntegTestCase.Scope.TEST,
    numDataNodes = 1,
    numClientNodes = 0,
    supportsDedicatedMasters = false)
public class DocumentedRequestsTests extends QuickScorerHttpTestCase {
  private static final String ANY = "…";
  private static final Pattern REQUEST = Pattern.compile("(GET|HEAD|PUT|POST|DELETE) (/\\S*)");
  private static final Pattern LINK =
      Pattern.compile("\\| \\[[^\\]]+]\\((rest/[a-z-]+\\.md)\\) .*");

  /** The first page of the reference, then those of its table, then all others of the plugin. */
  private static List<MarkdownPage> pages() throws Exception {
    Path docs = MarkdownPage.REPOSITORY.resolve("plugin/docs");
    List<MarkdownPage> all = MarkdownPage.all();
    List<MarkdownPage> pages = new ArrayList<>();
    pages.add(page(all, docs.resolve("rest-api.md")));
    for (String line : pages.getFirst().lines()) {
      Matcher link = LINK.matcher(line);
      if (link.matches()) {
        pages.add(page(all, docs.resolve(link.group(1))));
      }
    }
    all.stream()
        .filter(page -> page.file().startsWith(docs) && !pages.contains(page))
        .forEach(pages::add);
    return pages;
  }

  private static MarkdownPage page(List<MarkdownPage> all, Path file) {
    return all.stream().filter(page -> page.file().equals(file)).findFirst().orElseThrow();
  }

  public void testTheRequestsOfThePagesReturnTheResponsesShown() throws Exception {
    List<String> problems = new ArrayList<>();
    int requests = 0;
    int responses = 0;
    for (MarkdownPage page : pages()) {
      for (int i = 0; i < page.fences().size(); i++) {
        MarkdownPage.Fence fence = page.fences().get(i);
        if (fence.language().equals("http") && fence.reason() == null) {
          String place = page.name() + ":" + fence.line() + ": ";
          Answer answer = perform(fence);
          requests++;
          if (answer.status() >= 300 || answer.body().contains("\"errors\":true")) {
            problems.add(place + answer.status() + " " + answer.body());
          } else if (i + 1 < page.fences().size() && follows(fence, page.fences().get(i + 1))) {
            String difference = difference(page.fences().get(i + 1), answer);
            if (difference != null) {
              problems.add(place + difference + " of " + answer.body());
            }
            responses++;
          }
        }
      }
    }
    assertEquals(String.join("\n", problems), 0, problems.size());
    assertTrue(requests + " requests", requests > 50);
    assertTrue(responses + " responses", responses > 25);
  }

  static boolean follows(MarkdownPage.Fence fence, MarkdownPage.Fence next) {
    return fence.line() + fence.content().lines().count() + 3 == next.line()
        && !next.language().equals("http");
  }

  private Answer perform(MarkdownPage.Fence fence) throws Exception {
    String[] parts = fence.content().split("\n", 2);
    Matcher request = REQUEST.matcher(parts[0]);
    assertTrue(parts[0], request.matches());
    return parts.length == 1
        ? send(request.group(1), request.group(2))
        : send(request.group(1), request.group(2), parts[1] + "\n");
  }

  private static @Nullable String difference(MarkdownPage.Fence fence, Answer answer) {
    if (fence.language().equals("text")) {
      String shown = fence.content().substring(0, fence.content().indexOf(ANY));
      return numberless(answer.body()).startsWith(numberless(shown)) ? null : shown;
    }
    return difference(
        "",
        XContentHelper.convertToMap(JsonXContent.jsonXContent, fence.content(), true),
        answer.json());
  }

  private static String numberless(String text) {
    return text.replaceAll("[0-9][0-9.]*", "0");
  }

  /** Where a response lacks something that is shown; null if it has all of it. */
  static @Nullable String difference(String place, Object shown, @Nullable Object actual) {
    if (shown instanceof Map<?, ?> map) {
      return actual instanceof Map<?, ?> object ? object(place, map, object) : place;
    }
    if (shown instanceof List<?> list) {
      return actual instanceof List<?> items ? list(place, list, items) : place;
    }
    if (shown instanceof Number) {
      return actual instanceof Number ? null : place;
    }
    if (shown instanceof String text) {
      return actual instanceof String && like(text, (String) actual) ? null : place;
    }
    return shown.equals(actual) ? null : place;
  }

  private static boolean like(String shown, String actual) {
    return actual.matches(Pattern.quote(shown).replace(ANY, "\\E.*\\Q"));
  }

  private static @Nullable String object(String place, Map<?, ?> shown, Map<?, ?> actual) {
    for (Map.Entry<?, ?> entry : shown.entrySet()) {
      String inner = place + "/" + entry.getKey();
      boolean found =
          actual.entrySet().stream()
              .filter(other -> like((String) entry.getKey(), (String) other.getKey()))
              .anyMatch(other -> difference(inner, entry.getValue(), other.getValue()) == null);
      if (!found) {
        Object value = actual.get(entry.getKey());
        return value == null ? inner : difference(inner, entry.getValue(), value);
      }
    }
    return null;
  }

  /** The items that are shown must follow each other, perhaps with others between. */
  private static @Nullable String list(String place, List<?> shown, List<?> actual) {
    int at = 0;
    for (Object item : shown) {
      String inner = place + "/" + item;
      while (at < actual.size() && difference(inner, item, actual.get(at)) != null) {
        at++;
      }
      if (at++ == actual.size()) {
        return inner;
      }
    }
    return null;
  }

  public void testADifferenceIsFound() {
    Map<String, Object> actual =
        Map.of("a", 1, "b", List.of("x", "y"), "c", Map.of("n-1", Map.of("d", true)));
    assertNull(difference("", Map.of("a", 9, "b", List.of("y")), actual));
    assertNull(difference("", Map.of("c", Map.of(ANY, Map.of("d", true))), actual));
    assertEquals("/a", difference("", Map.of("a", "1"), actual));
    assertEquals("/b/x", difference("", Map.of("b", List.of("y", "x")), actual));
    assertEquals("/e", difference("", Map.of("e", 1), actual));
    assertEquals("/c/…", difference("", Map.of("c", Map.of(ANY, Map.of("d", false))), actual));
  }
}
