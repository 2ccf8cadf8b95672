// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.plugin.stats;

import io.quickscorer.plugin.model.ModelId;
import io.quickscorer.plugin.model.ModelState;
import io.quickscorer.scorer.Accelerators;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.opensearch.test.OpenSearchTestCase;

/** The metrics of a node on which everything has happened that can. */
public class NodeMetricsTests extends OpenSearchTestCase {
  private static final ModelId ID = new ModelId("m", "v");

  private static String metrics() {
    RescoreStats rescore = new RescoreStats();
    rescore.bound(List.of(ID), 2_000_000_000);
    rescore.scored(ID, 10, 1_500, 1);
    rescore.pipelines().of("shop").ignoredFailure();
    RescoreStats.Counts counts = rescore.counts();
    VerifyStats verify = new VerifyStats();
    verify.verified(ID, 10, 3);
    return new NodeStats(
            false,
            List.of(
                new ModelState(
                    ID, ModelState.Phase.FAILED, 0, true, "", 0, 0, List.of("qs"), "why")),
            new JvmStats("25", List.of("JDK-1", "JDK-2")),
            new NodeStats.Vectors(512, ""),
            new DeviceStats(
                new Accelerators(
                    List.of(
                        new Accelerators.Device("gpu", 1, 2, 3, 4, "lost"),
                        new Accelerators.Device("gpu", 1, 2, 3, 4, "")),
                    "")),
            new NodeStats.Memory(-1, 5, 6),
            new RescoreStats.Counts(
                counts.counts(),
                counts.times(),
                counts.models(),
                Map.of(ID, new DriftWindows.Alarms(0.25, 2)),
                counts.pipelines(),
                counts.comparisons()),
            verify.counts(),
            List.of(),
            List.of())
        .metrics();
  }

  public void testEachAlarmIsAMetric() {
    String model = "{model=\"m\",version=\"v\"} ";
    Set<String> lines = Set.of(metrics().split("\n"));
    for (String line :
        List.of(
            "quickscorer_ready 0",
            "quickscorer_jvm_known_defects 2",
            "quickscorer_memory_limit_bytes -1",
            "quickscorer_verify_mismatches_total 3",
            "quickscorer_model_verified_mismatches_total" + model + 3,
            "quickscorer_model_quarantined_engines" + model + 1,
            "quickscorer_model_drifting_features" + model + 2,
            "quickscorer_model_max_psi" + model + 0.25,
            "quickscorer_model_state{model=\"m\",state=\"failed\",version=\"v\"} 1",
            "quickscorer_pipeline_ignored_failures_total{pipeline=\"shop\"} 1",
            "quickscorer_gpu_lost{device=\"0\",name=\"gpu\"} 1",
            "quickscorer_gpu_lost{device=\"1\",name=\"gpu\"} 0",
            "quickscorer_rescore_bind_seconds_sum 2",
            "quickscorer_model_extract_seconds_sum" + model + "0.0000015",
            "quickscorer_model_score_seconds_sum" + model + "1E-9")) {
      assertTrue(line + " in " + lines, lines.contains(line));
    }
  }

  /** Prometheus refuses a metric that begins twice, and a sample that is there twice. */
  public void testEachLineIsThereOnce() {
    List<String> samples = metrics().lines().map(line -> line.replaceFirst(" \\S+$", "")).toList();
    assertEquals(samples.size(), new TreeSet<>(samples).size());
  }

  public void testSampleAlertsUseMetricsThatAreThere() throws Exception {
    Set<String> used =
        Pattern.compile("quickscorer_\\w+")
            .matcher(Files.readString(Path.of("docs", "alerts.yml")))
            .results()
            .map(match -> match.group())
            .collect(Collectors.toCollection(TreeSet::new));
    assertTrue(used.toString(), used.size() > 10);
    String metrics = metrics();
    for (String name : used) {
      assertTrue(name, Pattern.compile("(?m)^" + name + "[{ ]").matcher(metrics).find());
    }
  }
}
