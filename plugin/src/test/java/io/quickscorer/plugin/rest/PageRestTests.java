// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.plugin.rest;

import static org.hamcrest.Matchers.containsString;
import static org.hamcrest.Matchers.hasSize;
import static org.hamcrest.Matchers.not;

import io.quickscorer.plugin.testing.GrantedActions;
import io.quickscorer.plugin.testing.MarkedModels;
import io.quickscorer.plugin.testing.QuickScorerHttpTestCase;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.util.ArrayList;
import java.util.Base64;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.opensearch.client.Request;
import org.opensearch.client.Response;
import org.opensearch.plugins.Plugin;
import org.opensearch.test.OpenSearchIntegTestCase.ClusterScope;

/** The page as it is served. What a browser makes of it is tested beside a real node. */
@ClusterScope(numDataNodes = 1, supportsDedicatedMasters = false)
public class PageRestTests extends QuickScorerHttpTestCase {
  private static final String PAGE = BASE + "ui";

  @Override
  protected Collection<Class<? extends Plugin>> nodePlugins() {
    List<Class<? extends Plugin>> plugins = new ArrayList<>(super.nodePlugins());
    plugins.add(GrantedActions.class);
    return plugins;
  }

  private static List<String> all(String pattern, String text) {
    Matcher matcher = Pattern.compile(pattern, Pattern.DOTALL).matcher(text);
    List<String> found = new ArrayList<>();
    while (matcher.find()) {
      found.add(matcher.group(1));
    }
    return found;
  }

  public void testPageIsOneFileAndItsPolicyLetsNothingElseRun() throws Exception {
    Response response = getRestClient().performRequest(new Request("GET", PAGE));
    String page =
        new String(response.getEntity().getContent().readAllBytes(), StandardCharsets.UTF_8);
    assertEquals("text/html; charset=utf-8", response.getEntity().getContentType());
    String policy = response.getHeader("Content-Security-Policy");
    assertThat(policy, containsString("default-src 'none'; connect-src 'self';"));
    assertThat(policy, not(containsString("unsafe")));
    assertThat(all("<(main)>", page), hasSize(1));
    for (String element : List.of("script", "style")) {
      List<String> contents = all("<" + element + "[^>]*>(.*?)</" + element + ">", page);
      assertThat(contents, hasSize(1));
      byte[] digest =
          MessageDigest.getInstance("SHA-256")
              .digest(contents.getFirst().getBytes(StandardCharsets.UTF_8));
      String hash = "'sha256-" + Base64.getEncoder().encodeToString(digest) + "'";
      assertThat(policy, containsString(element + "-src " + hash));
    }
    assertEquals("nosniff", response.getHeader("X-Content-Type-Options"));
    assertEquals(
        "nothing from elsewhere", List.of(), all("((?:src|href|@import|url\\()\\s*[=(])", page));
    assertEquals(
        "only the name of a language",
        List.of("http://www.w3.org/2000/svg"),
        all("(https?://[^\"]*)", page));
    assertEquals(
        "what comes from the cluster is text",
        List.of(),
        all("(innerHTML|outerHTML|insertAdjacentHTML|document\\.write|eval\\()", page));
  }

  /** Relative luminance of a colour such as #1b1f24, as WCAG 2 defines it. */
  private static double luminance(String colour) {
    double luminance = 0;
    double[] weights = {0.2126, 0.7152, 0.0722};
    for (int i = 0; i < weights.length; i++) {
      double part = Integer.parseInt(colour.substring(1 + 2 * i, 3 + 2 * i), 16) / 255.0;
      luminance +=
          weights[i] * (part <= 0.04045 ? part / 12.92 : Math.pow((part + 0.055) / 1.055, 2.4));
    }
    return luminance;
  }

  public void testTextsStandOutInBothThemes() throws Exception {
    String page = send("GET", PAGE).body();
    List<String> themes = all(":root \\{ (.*?)}", page);
    assertThat(themes, hasSize(2));
    for (String theme : themes) {
      Map<String, Double> colours = new HashMap<>();
      colours.put("white", luminance("#ffffff"));
      Matcher colour = Pattern.compile("--(\\w+): (#[0-9a-f]{6})").matcher(theme);
      while (colour.find()) {
        colours.put(colour.group(1), luminance(colour.group(2)));
      }
      for (String pair :
          List.of(
              "text page",
              "quiet page",
              "bad page",
              "good page",
              "second page",
              "text card",
              "quiet card",
              "good card",
              "bad card",
              "white button")) {
        double one = colours.get(pair.split(" ")[0]) + 0.05;
        double other = colours.get(pair.split(" ")[1]) + 0.05;
        double contrast = Math.max(one / other, other / one);
        assertTrue(pair + " has a contrast of " + contrast + " in " + theme, contrast >= 4.5);
      }
    }
  }

  public void testEveryEndpointThatItAsksIsThere() throws Exception {
    MarkedModels.createIndex(
        (method, path, body) -> assertEquals(200, send(method, path, body).status()), "d", 1, 5);
    assertStatus(201, send("PUT", BASE + "feature_sets/f", MarkedModels.FEATURE_SET));
    assertStatus(201, send("PUT", BASE + "models/m?feature_set=f", MarkedModels.file(7)));
    String page = send("GET", PAGE).body();
    String api = all("const API = \\{(.*?)\\};", page).getFirst();
    List<String> paths = all("\"([^\"]*)\"", api);
    assertThat(paths, hasSize(6));
    for (String path : paths) {
      String at =
          path.startsWith("../../")
              ? "/" + path.substring("../../".length()).replace("{index}", "d")
              : BASE + path.replace("{name}", "m");
      assertStatus(200, send("GET", at));
    }
  }

  public void testItTakesAnActionOfItsOwn() throws Exception {
    GrantedActions.grant("nobody");
    Answer refused = sendAs("nobody", "GET", PAGE, "");
    assertEquals(403, refused.status());
    assertThat(refused.body(), not(containsString("<html")));
    GrantedActions.grant("somebody", "cluster:admin/quickscorer/ui/get");
    assertStatus(200, sendAs("somebody", "GET", PAGE, ""));
  }
}
