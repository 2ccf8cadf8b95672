// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.node;

import static org.junit.jupiter.api.Assertions.assertTrue;

import io.quickscorer.ensemble.EnsembleLimits;
import io.quickscorer.ensemble.ModelFormat;
import io.quickscorer.ensemble.TreeEnsemble;
import io.quickscorer.reader.ModelReader;
import io.quickscorer.train.data.JudgedQuery;
import io.quickscorer.train.quality.Comparison;
import io.quickscorer.train.quality.Ndcg;
import io.quickscorer.train.report.TrainingReport;
import io.quickscorer.train.trainer.LearningCurve;
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
                        3 - 2 * f,
                        3 - 2 * f))
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
                  return Comparison.Query.of(query, ids, ids.reversed(), Map.of(), Ndcg.DEFAULT);
                })
            .toList();
    return new TrainingReport(
        Map.of("model", "made up"),
        new Comparison(queries, Ndcg.DEFAULT),
        new LearningCurve("ndcg@10", true, List.of(0.75, 0.75, 0.75)),
        ensemble,
        rows,
        Map.of("document-3", "A title"),
        null,
        null,
        null);
  }

  @Test
  void nothingIsCutOff() throws Exception {
    Browser browser = Browser.orSkip(folder);
    String html = report().html();
    assertTrue(html.contains("A title") && !html.contains("document-3<"), html);
    Path page = folder.resolve("report.html");
    Files.writeString(
        page,
        html.replace(
            "</body>",
            "<script>" + Browser.RULER + "addEventListener('load', measure);</script></body>"));
    for (int width : Browser.WIDTHS) {
      String shown = browser.page(page.toUri().toString(), width);
      Browser.checkMeasured(shown, width);
    }
    browser.takeScreenshots(page.toUri().toString(), "report");
  }
}
