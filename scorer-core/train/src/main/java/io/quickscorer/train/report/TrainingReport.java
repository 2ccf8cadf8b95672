// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.train.report;

import io.quickscorer.cli.page.Html;
import io.quickscorer.cli.page.Svg;
import io.quickscorer.ensemble.TreeEnsemble;
import io.quickscorer.explain.Explainer;
import io.quickscorer.explain.FeatureImportance;
import io.quickscorer.explain.UnexplainableException;
import io.quickscorer.explain.Workspace;
import io.quickscorer.matrix.FeatureMatrix;
import io.quickscorer.train.data.JudgedQuery;
import io.quickscorer.train.quality.Comparison;
import io.quickscorer.train.quality.Comparison.Baseline;
import io.quickscorer.train.quality.Comparison.Quality;
import io.quickscorer.train.quality.PairedBootstrap;
import io.quickscorer.train.trainer.LearningCurve;
import io.quickscorer.train.tuning.TunedFirstPass;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.function.ToDoubleFunction;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The report on a training and on the evaluation with held-out queries, as an HTML page with plots.
 *
 * @param facts the data and options of the training, by label
 * @param comparison the comparison of rankings of the held-out queries
 * @param curve the quality after each tree of the training
 * @param ensemble the trained model
 * @param sample rows whose feature contributions are shown, with one value per feature of the model
 * @param titles the titles of documents by id; documents without a title are shown by id
 * @param tuned the best first pass (search query that needs no model); null if none was searched
 *     for
 * @param latency the times of rescoring; null if they were not measured
 * @param frontier the rankings that cost less; null if none were searched for
 */
public record TrainingReport(
    Map<String, String> facts,
    Comparison comparison,
    LearningCurve curve,
    TreeEnsemble ensemble,
    List<float[]> sample,
    Map<String, String> titles,
    @Nullable TunedFirstPass tuned,
    @Nullable Latency latency,
    @Nullable Frontier frontier) {
  private static final int FEATURES = 20;
  private static final int DEPENDENCES = 5;
  private static final int LISTS = 3;
  private static final int HITS = 10;

  public TrainingReport {
    sample = List.copyOf(sample);
    titles = Map.copyOf(titles);
  }

  /** Returns the report as an HTML page. */
  public String html() {
    StringBuilder page = new StringBuilder(Html.head("QuickScorer training report"));
    page.append("<h1>").append(Html.escape(verdict())).append("</h1>");
    measures(page);
    facts(page);
    if (tuned != null) {
      tuned(page, tuned);
    }
    gains(page);
    if (!curve.values().isEmpty()) {
      page.append("<h2>Learning curve: ").append(Html.escape(curve.measure()));
      page.append(" on the validation queries, tree by tree; ");
      page.append(curve.largerIsBetter() ? "larger" : "smaller").append(" is better</h2>");
      page.append(Svg.curve("learning curve", "trees", curve.values()));
    }
    features(page);
    contributions(page);
    lists(page);
    if (latency != null) {
      latency.html(page);
    }
    if (frontier != null) {
      frontier.html(page);
    }
    return page.append("</body></html>\n").toString();
  }

  /**
   * Returns the result in one sentence: whether the model is significantly better, and the time of
   * a search.
   */
  public String verdict() {
    String size =
        String.format(
            Locale.ROOT,
            "%s %.4f → %.4f on %d held-out queries: ",
            comparison.measure(),
            comparison.mean(Baseline.FIRST_PASS, Quality::ndcg),
            comparison.meanModel(Quality::ndcg),
            comparison.queries().size());
    List<Baseline> better = comparison.where(PairedBootstrap::isSignificant);
    List<Baseline> worse = comparison.where(PairedBootstrap::isSignificantLoss);
    List<Baseline> notBetter = new ArrayList<>(comparison.baselines());
    notBetter.removeAll(better);
    String than;
    if (!worse.isEmpty()) {
      than = "worse" + joined(" than ", worse);
      than += better.isEmpty() ? "" : ", but better" + joined(" than ", better);
      than += ", beyond noise";
    } else if (better.isEmpty()) {
      than = "no difference beyond noise" + joined(" to ", notBetter);
      than += comparison.bootstrap(notBetter.getFirst(), Quality::ndcg).tooFew();
    } else {
      than = "better" + joined(" than ", better);
      than += notBetter.isEmpty() ? "" : ", but not" + joined(" than ", notBetter);
      than += ", beyond noise";
    }
    return size
        + than
        + (latency == null
            ? ""
            : String.format(
                Locale.ROOT,
                "; a search takes %.1f ms without the model, %.1f ms with it",
                latency.firstPassMillis(),
                latency.rescoredMillis()));
  }

  private String joined(String word, List<Baseline> baselines) {
    return word
        + baselines.stream()
            .map(
                baseline ->
                    baseline == Baseline.FIRST_PASS
                        ? baseline.title()
                        : String.format(
                            Locale.ROOT,
                            "%s (%.4f)",
                            baseline.title(),
                            comparison.mean(baseline, Quality::ndcg)))
            .collect(Collectors.joining(" and" + word));
  }

  private void measures(StringBuilder page) {
    Html.table(
        page, "measure\tbaseline\tits value\tmodel\tgain\t95 % interval\tdraws without a gain");
    for (Baseline baseline : comparison.baselines()) {
      measure(page, comparison.measure().toString(), baseline, Quality::ndcg);
      measure(page, "MAP", baseline, Quality::averagePrecision);
      measure(page, "MRR", baseline, Quality::reciprocalRank);
    }
    page.append(
        "</table></div><p class=\"note\">The model ranks the hits that were logged of each");
    page.append(
        " query. Documents without a judgment count as bad. The interval is that of 10,000");
    page.append(" paired bootstrap draws of the queries.</p>");
  }

  private void tuned(StringBuilder page, TunedFirstPass byHand) {
    page.append("<h2>Results without a model</h2>");
    Html.table(page, "first pass\tNDCG on training queries");
    byHand.tried().forEach((name, ndcg) -> Html.row(page, name, "%.4f", ndcg));
    page.append("</table></div>");
    page.append("<p>The best on training queries is <b>");
    page.append(Html.escape(byHand.description())).append("</b>.</p>");
  }

  private void measure(
      StringBuilder page, String name, Baseline baseline, ToDoubleFunction<Quality> measure) {
    PairedBootstrap gain = comparison.bootstrap(baseline, measure);
    page.append(
        String.format(
            Locale.ROOT,
            "<tr><td>%s<td>%s<td class=\"number\">%.4f<td class=\"number\">%.4f"
                + "<td class=\"number\">%+.4f<td class=\"number\">%+.4f … %+.4f"
                + "<td class=\"number\">%.1f %%</tr>",
            name,
            baseline.title(),
            comparison.mean(baseline, measure),
            comparison.meanModel(measure),
            gain.mean(),
            gain.low(),
            gain.high(),
            gain.share() * 100));
  }

  private void facts(StringBuilder page) {
    page.append("<h2>What was trained</h2><div class=\"scroll\"><table>");
    facts.forEach(
        (name, value) ->
            page.append("<tr><td class=\"note\">")
                .append(Html.escape(name))
                .append("<td>")
                .append(Html.escape(value))
                .append("</tr>"));
    page.append("</table></div>");
  }

  private void gains(StringBuilder page) {
    List<Svg.Bar> gains =
        comparison.queries().stream()
            .sorted(Comparator.comparingDouble((Comparison.Query query) -> -query.gain()))
            .map(query -> new Svg.Bar(query.query().text(), query.gain()))
            .toList();
    long better = gains.stream().filter(gain -> gain.value() > 0).count();
    long worse = gains.stream().filter(gain -> gain.value() < 0).count();
    page.append("<h2>Gain and loss of each held-out query</h2>");
    page.append(Svg.columns("NDCG gain per query", gains));
    page.append("<h2>NDCG of each held-out query</h2>");
    page.append(
        Svg.before(
            "NDCG before and after",
            "x: first pass (NDCG); y: model (NDCG)",
            comparison.queries().stream()
                .map(query -> new Svg.Point(query.first().ndcg(), query.model().ndcg()))
                .toList()));
    page.append("<p class=\"note\">")
        .append(better)
        .append(" queries better, ")
        .append(worse)
        .append(" worse, ")
        .append(gains.size() - better - worse)
        .append(" the same.</p>");
  }

  private void features(StringBuilder page) {
    List<Svg.Bar> bars =
        FeatureImportance.of(ensemble).stream()
            .filter(FeatureImportance::isUsed)
            .sorted(Comparator.comparingDouble((FeatureImportance f) -> -f.totalGain()))
            .limit(FEATURES)
            .map(feature -> new Svg.Bar(feature.feature(), feature.totalGain()))
            .toList();
    page.append("<h2>Features by gain</h2>").append(Svg.bars("feature importance", bars));
    List<String> unused =
        FeatureImportance.of(ensemble).stream()
            .filter(feature -> !feature.isUsed())
            .map(FeatureImportance::feature)
            .toList();
    if (!unused.isEmpty()) {
      page.append("<p class=\"note\">No tree tests: ");
      page.append(Html.escape(String.join(", ", unused))).append("</p>");
    }
  }

  private void contributions(StringBuilder page) {
    Explainer explainer;
    try {
      explainer = Explainer.compile(ensemble);
    } catch (UnexplainableException e) {
      page.append("<h2>Contribution to the score</h2><p class=\"note\">None: ");
      page.append(Html.escape(String.valueOf(e.getMessage()))).append("</p>");
      return;
    }
    int features = ensemble.featureNames().size();
    FeatureMatrix matrix = new FeatureMatrix(features, sample.size());
    for (int d = 0; d < sample.size(); d++) {
      for (int f = 0; f < features; f++) {
        matrix.set(d, f, sample.get(d)[f]);
      }
    }
    Workspace workspace = explainer.newWorkspace();
    List<double[]> shap = new ArrayList<>();
    for (int d = 0; d < sample.size(); d++) {
      shap.add(explainer.contributions(matrix, d, workspace).clone());
    }
    List<Integer> strongest =
        IntStream.range(0, features)
            .boxed()
            .sorted(Comparator.comparingDouble((Integer f) -> -strength(shap, f)))
            .limit(FEATURES)
            .toList();
    page.append("<h2>Contribution to the score (mean |SHAP|)</h2>");
    page.append(
        Svg.bars(
            "mean absolute SHAP value",
            strongest.stream()
                .map(f -> new Svg.Bar(ensemble.featureNames().get(f), strength(shap, f)))
                .filter(bar -> bar.value() > 0)
                .toList()));
    page.append("<h2>Dependence of the score on the strongest features</h2><div class=\"lists\">");
    for (int f : strongest.subList(0, Math.min(DEPENDENCES, strongest.size()))) {
      List<Svg.Point> points = new ArrayList<>();
      for (int d = 0; d < sample.size(); d++) {
        if (!Float.isNaN(sample.get(d)[f])) {
          points.add(new Svg.Point(sample.get(d)[f], shap.get(d)[f]));
        }
      }
      if (!points.isEmpty()) {
        String name = ensemble.featureNames().get(f);
        page.append("<div>").append(Svg.smallScatter("SHAP over " + name, name, points));
        page.append("</div>");
      }
    }
    page.append("</div><p class=\"note\">").append(sample.size());
    page.append(" logged rows; x: the feature's value, y: its contribution. Rows without a");
    page.append(" value are not drawn.</p>");
  }

  private static double strength(List<double[]> shap, int feature) {
    return shap.stream().mapToDouble(row -> Math.abs(row[feature])).average().orElse(0);
  }

  /** Returns the ids of the documents that the report shows. */
  public static Set<String> shown(Comparison comparison) {
    return Stream.concat(gained(comparison).stream(), lost(comparison).stream())
        .flatMap(query -> Stream.of(query.before(), query.after()))
        .flatMap(ids -> ids.stream().limit(HITS))
        .collect(Collectors.toSet());
  }

  private static List<Comparison.Query> gained(Comparison comparison) {
    return comparison.queries().stream()
        .filter(query -> query.gain() > 0)
        .sorted(Comparator.comparingDouble(query -> -query.gain()))
        .limit(LISTS)
        .toList();
  }

  private static List<Comparison.Query> lost(Comparison comparison) {
    return comparison.queries().stream()
        .filter(query -> query.gain() < 0)
        .sorted(Comparator.comparingDouble(Comparison.Query::gain))
        .limit(LISTS)
        .toList();
  }

  private void lists(StringBuilder page) {
    list(page, "gains", gained(comparison));
    list(page, "losses", lost(comparison));
  }

  private void list(StringBuilder page, String name, List<Comparison.Query> queries) {
    page.append("<h2>The largest ").append(name).append("</h2><p class=\"note\">");
    page.append(queries.isEmpty() ? "None." : "Relevant documents are bold, with their grades.");
    page.append("</p>");
    queries.forEach(query -> beforeAndAfter(page, query));
  }

  private void beforeAndAfter(StringBuilder page, Comparison.Query query) {
    page.append(
        String.format(
            Locale.ROOT,
            "<h3>%s <span>%.2f → %.2f</span></h3><div class=\"lists\">",
            Html.escape(query.query().text()),
            query.first().ndcg(),
            query.model().ndcg()));
    list(page, "first pass", query.query(), query.before());
    list(page, "model", query.query(), query.after());
    page.append("</div>");
  }

  private void list(StringBuilder page, String name, JudgedQuery query, List<String> documents) {
    page.append("<div><p class=\"note\">").append(name).append("</p><ol>");
    for (String document : documents.subList(0, Math.min(HITS, documents.size()))) {
      int grade = query.grade(document);
      page.append(grade > 0 ? "<li class=\"good\">" : "<li>")
          .append(Html.escape(titles.getOrDefault(document, document)));
      if (grade > 0) {
        page.append(" (").append(grade).append(')');
      }
      page.append("</li>");
    }
    page.append("</ol></div>");
  }
}
