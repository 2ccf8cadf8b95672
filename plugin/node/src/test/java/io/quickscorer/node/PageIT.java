// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.node;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.quickscorer.train.data.JudgedQuery;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.node.ObjectNode;

/** The page in a browser, where there is one, over a real node with something to see. */
final class PageIT {
  private static final String ROOT = "/_plugins/_quickscorer";

  /** A name that would be markup, were it not put in as text. */
  private static final String MARKUP = "<b id=planted>title</b>";

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
        List.of("page-live", "page 70.0 %, shop 30.0 %", ": loaded", "Rank correlation")) {
      assertTrue(shown.contains(expected), expected + " in " + shown);
    }
    assertTrue(shown.contains("&lt;b id=planted&gt;title"), shown);
    assertFalse(shown.contains("<b id=\"planted\">"), shown);
    assertTrue(shown.contains("<p class=\"problem\" id=\"problem\" role=\"alert\"></p>"), shown);
    client.call("DELETE", ROOT + "/aliases/page-live", "");
    client.call("DELETE", ROOT + "/models/page", "");
    client.call("DELETE", "/page", "");
  }
}
