// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.demo;

import io.quickscorer.demo.corpus.Corpus;
import io.quickscorer.node.NodeClient;
import io.quickscorer.train.data.JudgedQuery;
import io.quickscorer.train.tuning.FirstPass;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

/** Takes the pictures in the documentation: of the plugin's web page and of the demo's report. */
final class Screenshots {
  private static final String ROOT = "/_plugins/_quickscorer";
  private static final String NEXT = SearchBodies.MODEL + "-next";
  private static final String ALIAS = "live";
  private static final int WIDTH = 1120;

  /** Height in pixels of the space above the first heading in a picture. */
  private static final int MARGIN = 16;

  /** Number of times that the web page reads statistics (every 5 s) before the picture is taken. */
  private static final int READS = 8;

  private static final JsonMapper JSON = new JsonMapper();

  private final NodeClient client;
  private final Corpus corpus;
  private final SearchBodies bodies;
  private final Path folder;

  Screenshots(NodeClient client, Corpus corpus, Path folder) {
    this.client = client;
    this.corpus = corpus;
    this.bodies = new SearchBodies(corpus);
    this.folder = folder;
  }

  /** Creates a second model, an alias and a search pipeline, to be shown on the web page. */
  private void prepare(ObjectNode next) {
    client.put(ROOT + "/models/" + NEXT, next.toString());
    ObjectNode alias = JSON.createObjectNode();
    alias.putObject("models").put(SearchBodies.MODEL, 90).put(NEXT, 10);
    client.put(ROOT + "/aliases/" + ALIAS, alias.toString());
    ObjectNode pipeline = JSON.createObjectNode();
    ObjectNode processor = pipeline.putArray("request_processors").addObject();
    ObjectNode ranking = processor.putObject("quickscorer").put("model", ALIAS);
    ranking
        .putObject("params_from")
        .putObject("keywords")
        .putArray("query_text")
        .add("multi_match");
    client.put("/_search/pipeline/" + corpus.name(), pipeline.toString());
  }

  private void search(JudgedQuery query) {
    String path = "/" + corpus.name() + "/_search";
    ObjectNode shadowed = bodies.rescored(query);
    ObjectNode clause = shadowed.at("/rescore/quickscorer").asObject();
    clause.put("model", ALIAS).put("share_key", query.id()).putArray("shadow_models").add(NEXT);
    client.post(path, shadowed.toString());
    client.post(
        path + "?search_pipeline=" + corpus.name(),
        bodies.firstPass(FirstPass.PLAIN, query).toString());
  }

  /**
   * Takes all pictures.
   *
   * @param node the node's address
   * @param next the body of the request that uploads another model
   * @param queries the queries to search while the page is open
   * @param report the demo's report
   */
  void take(URI node, ObjectNode next, List<JudgedQuery> queries, Path report)
      throws IOException, InterruptedException {
    prepare(next);
    Files.createDirectories(folder);
    Path profile = Files.createTempDirectory("browser");
    try (HeadlessBrowser browser = new HeadlessBrowser(profile, WIDTH)) {
      browser.open(node.resolve(ROOT + "/ui"));
      for (int i = 0; browser.evaluate("[...history.values()][0]?.length").asInt(0) < READS; i++) {
        search(queries.get(i % queries.size()));
      }
      // The picture starts below "What needs attention", whose content depends on the JDK.
      take(browser, heading("Models"), heading("Feature values"), "page");
      explain(browser, queries.getFirst());
      take(browser, heading("Why does"), heading("Shadow models"), "page-why");
      browser.open(report.toUri());
      take(browser, heading("NDCG@10"), heading("NDCG of each"), "report");
      take(
          browser,
          heading("Contribution"),
          "document.querySelectorAll('h3')[1]",
          "report-features");
    }
  }

  /** Fills in and submits the web page's form "Why does hit A rank above hit B?". */
  private void explain(HeadlessBrowser browser, JudgedQuery query)
      throws IOException, InterruptedException {
    ObjectNode body = bodies.rescored(query);
    ObjectNode fields = JSON.createObjectNode().put("why-index", corpus.name());
    fields.put("why-model", SearchBodies.MODEL).put("why-title", corpus.fields().title());
    fields.put("why-query", body.get("query").toString());
    fields.put("why-params", body.at("/rescore/quickscorer/params").toString());
    browser.evaluate(
        "for (const [id, value] of Object.entries(" + fields + ")) at(id).value = value");
    browser.evaluate("at('why-form').requestSubmit()");
    browser.await("at('why').querySelector('table') !== null");
  }

  /** Returns a JavaScript expression for the web page's heading that begins with some words. */
  private static String heading(String words) {
    return "[...document.querySelectorAll('h1, h2')].find(h => h.textContent.startsWith("
        + JSON.writeValueAsString(words)
        + "))";
  }

  /**
   * Takes a picture of the part of the web page between two elements.
   *
   * @param from a JavaScript expression for the first element of the picture
   * @param to a JavaScript expression for the first element below the picture
   * @param name the name of the picture's file
   */
  private void take(HeadlessBrowser browser, String from, String to, String name)
      throws IOException, InterruptedException {
    browser.takePicture(
        top(browser, from) - MARGIN, top(browser, to) - MARGIN, folder.resolve(name + ".png"));
  }

  private static double top(HeadlessBrowser browser, String element)
      throws IOException, InterruptedException {
    return browser.evaluate(element + ".getBoundingClientRect().top + scrollY").asDouble();
  }
}
