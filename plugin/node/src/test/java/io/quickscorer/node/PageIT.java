// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.node;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.quickscorer.train.data.JudgedQuery;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.node.ObjectNode;

/** The page in a browser, where there is one, over a real node with something to see. */
final class PageIT {
  private static final String ROOT = "/_plugins/_quickscorer";

  /** A cell of contributions, a sum or a single one. */
  private static final Pattern CONTRIBUTION =
      Pattern.compile("data-label=\"Contribution in A\"[^>]*><div>([+-]?[0-9.]+)");

  /** A bar of a contribution that is not 0. */
  private static final Pattern MOVED =
      Pattern.compile("<rect class=\"(up|down)\" [^>]*width=\"[0-9]*[1-9]");

  /** A name that would be markup, were it not put in as text. */
  private static final String MARKUP = "<b id=planted>title</b>";

  /** Asks why a hit is above another, and measures what comes. */
  private static final String ASK =
      """
      const until = (seen, then) => seen() ? then() : setTimeout(until, 50, seen, then);
      until(() => [...at("why-model").options].some(option => option.value === "shop"), () => {
        at("why-index").value = "%s";
        at("why-model").value = "shop";
        at("why-query").value = JSON.stringify(%s);
        at("why-params").value = JSON.stringify(%s);
        at("why-form").requestSubmit();
        until(() => at("why").querySelector("table") || at("why-problem").textContent, measure);
      });
      """;

  @TempDir private Path folder;

  @Test
  void showsWhatTheClusterHas() throws Exception {
    Browser browser = Browser.orSkip(folder);
    RunningNode node = SharedNode.get();
    NodeClient client = node.client();
    ShopOnNode shop = new ShopOnNode(client);
    shop.createIndex("page", 1);
    shop.putModel("page");
    client.put(
        ROOT + "/feature_sets/page",
        "{\"features\":[{\"name\":\"" + MARKUP + "\",\"type\":\"field\",\"field\":\"price\"}]}");
    client.put(ROOT + "/models/page?feature_set=page", "{\"" + MARKUP + "\": 0.5}");
    client.put(ROOT + "/aliases/page-live", "{\"models\":{\"page\":70,\"shop\":30}}");
    JudgedQuery query = ShopOnNode.SHOP.queries().getFirst();
    ObjectNode search = ShopOnNode.rescored(query, 50, 10);
    ObjectNode clause = search.at("/rescore/quickscorer").asObject();
    clause.put("model", "page").putArray("shadow_models").add(ShopOnNode.MODEL);
    client.post("/page/_search", search.toString());
    String page = node.address() + ROOT + "/ui";
    String shown = browser.page(page, 1280);
    browser.takeScreenshots(page, "ui");
    for (String expected :
        List.of(
            "page-live",
            "page 70.0 %, shop 30.0 %",
            ": loaded",
            "Rank correlation",
            ", 1 node, ",
            "Wrong scores / verified documents",
            "Scoring, p95 of a window",
            "<main>")) {
      assertTrue(shown.contains(expected), expected + " in " + shown);
    }
    assertTrue(shown.contains("&lt;b id=planted&gt;title"), shown);
    assertFalse(shown.contains("<b id=\"planted\">"), shown);
    assertTrue(shown.contains("<p class=\"problem\" id=\"problem\" role=\"alert\"></p>"), shown);
    client.call("DELETE", ROOT + "/aliases/page-live", "");
    client.call("DELETE", ROOT + "/models/page", "");
    client.call("DELETE", "/page", "");
  }

  @Test
  void saysWhyAHitIsAboveAnother() throws Exception {
    Browser browser = Browser.orSkip(folder);
    RunningNode node = SharedNode.get();
    ShopOnNode shop = new ShopOnNode(node.client());
    shop.createIndex("why", 1);
    shop.putModel("why");
    JudgedQuery query = ShopOnNode.SHOP.queries().getFirst();
    String ask =
        ASK.formatted(
            "why",
            ShopOnNode.firstPass(query, 10).get("query"),
            ShopOnNode.clause(query, "model", ShopOnNode.MODEL).get("params"));
    ObjectNode search = ShopOnNode.rescored(query, 100, 1).put("_source", "title");
    String title =
        node.client()
            .post("/why/_search", search.toString())
            .at("/hits/hits/0/_source/title")
            .asString();
    String script = "<script>" + Browser.RULER + ask + "</script>";
    try (ScriptedPage page = new ScriptedPage(node.address(), script)) {
      String address = page.address(ROOT + "/ui");
      for (int width : Browser.WIDTHS) {
        String shown = browser.page(address, width);
        Browser.checkMeasured(shown, width);
        String why = shown.substring(shown.indexOf("<div id=\"why\">"));
        assertTrue(why.contains("<strong>"), shown);
        assertTrue(MOVED.matcher(why).find(), shown);
        List<Double> contributions =
            CONTRIBUTION.matcher(why).results().map(m -> Double.valueOf(m.group(1))).toList();
        double raw = contributions.getLast();
        double sum = contributions.stream().mapToDouble(Double::doubleValue).sum() - raw;
        // Each number is shown with four places or more.
        assertEquals(raw, sum, 1e-4 * contributions.size(), shown);
        assertTrue(contributions.size() > 3 && raw != 0, shown);
        assertTrue(why.contains(">1. " + title + " ("), title + " in " + shown);
      }
      browser.takeScreenshots(address, "why");
    }
    node.client().call("DELETE", "/why", "");
  }
}
