// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.node;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.quickscorer.ensemble.EnsembleLimits;
import io.quickscorer.ensemble.ModelFormat;
import io.quickscorer.ensemble.TreeEnsemble;
import io.quickscorer.reader.ModelReader;
import io.quickscorer.train.data.JudgedQuery;
import io.quickscorer.train.quality.Comparison;
import io.quickscorer.train.report.TrainingReport;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The training report in a browser, where there is one: nothing of its plots is cut off. */
final class ReportPageIT {
  private static final int FEATURES = 6;
  private static final int HITS = 12;
  private static final int ROWS = 200;

  /** Counts the texts of plots that are not wholly within their plot, and tiny ones. */
  private static final String RULER =
      """
      <script>
      addEventListener("load", () => {
        let cut = [], tiny = [];
        for (const svg of document.querySelectorAll("svg")) {
          const box = svg.getBoundingClientRect();
          for (const text of svg.querySelectorAll("text")) {
            const at = text.getBoundingClientRect();
            if (at.left < box.left - 0.5 || at.right > box.right + 0.5) cut.push(text.textContent);
            if (at.height < 9) tiny.push(text.textContent);
          }
        }
        const wide = document.documentElement.scrollWidth > innerWidth;
        document.body.insertAdjacentHTML("beforeend",
          "<p id=measured>cut [" + cut + "] tiny [" + tiny + "] wide " + wide + "</p>");
      });
      </script>
      """;

  @TempDir private Path folder;

  /** A tree for each feature, as XGBoost dumps them with statistics. */
  private static String stumps() {
    return IntStream.range(0, FEATURES)
        .mapToObj(
            f ->
                """
                {"nodeid": 0, "split": "%s%d", "split_condition": %d, "yes": 1, "no": 2,
                 "missing": 1, "gain": %d.5, "cover": 100, "children": [
                 {"nodeid": 1, "leaf": -2.75e%d, "cover": 40},
                 {"nodeid": 2, "leaf": 0.38e%d, "cover": 60}]}
                """
                    .formatted(
                        f == 0 ? "a_feature_with_a_name_of_many_words_" : "f",
                        f,
                        f - 2,
                        343_000 >> 3 * f,
                        2 * f - 7,
                        2 * f - 7))
        .collect(Collectors.joining(",", "[", "]"));
  }

  /** Gains and contributions of many digits, negative ones among them; a constant curve. */
  private static TrainingReport report() {
    SplittableRandom random = new SplittableRandom(7);
    TreeEnsemble ensemble =
        ModelReader.read(
            stumps().getBytes(StandardCharsets.UTF_8), ModelFormat.AUTO, EnsembleLimits.DEFAULT);
    List<float[]> rows =
        IntStream.range(0, ROWS)
            .mapToObj(
                row -> {
                  float[] values = new float[ensemble.featureNames().size()];
                  for (int f = 0; f < values.length; f++) {
                    values[f] = (float) (random.nextGaussian() * 1e5);
                  }
                  return values;
                })
            .toList();
    List<String> ids = IntStream.range(0, HITS).mapToObj(i -> "document-" + i).toList();
    List<Comparison.Query> queries =
        Stream.of(0, HITS - 1)
            .map(
                good -> {
                  JudgedQuery query =
                      JudgedQuery.of("q" + good, "query " + good, Map.of(ids.get(good), 1));
                  return Comparison.Query.of(query, ids, ids.reversed(), null, 10);
                })
            .toList();
    return new TrainingReport(
        Map.of("model", "made up"),
        new Comparison(queries, 10),
        List.of(0.75, 0.75, 0.75),
        ensemble,
        rows,
        Map.of("document-3", "A title"),
        null,
        null);
  }

  @Test
  void nothingIsCutOff() throws Exception {
    Browser browser = Browser.orSkip(folder);
    String html = report().html();
    assertTrue(html.contains("A title") && !html.contains("document-3<"), html);
    Path page = folder.resolve("report.html");
    Files.writeString(page, html.replace("</body>", RULER + "</body>"));
    for (int width : Browser.WIDTHS) {
      String shown = browser.page(page.toUri().toString(), width);
      int at = shown.indexOf("<p id=\"measured\">");
      assertTrue(at > 0, shown);
      assertEquals(
          "<p id=\"measured\">cut [] tiny [] wide false",
          shown.substring(at, shown.indexOf("</p>", at)),
          width + " pixels");
    }
    browser.takeScreenshots(page.toUri().toString(), "report");
  }
}
