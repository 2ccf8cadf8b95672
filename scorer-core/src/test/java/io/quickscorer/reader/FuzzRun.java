// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.reader;

import io.quickscorer.ensemble.ModelFormat;
import java.io.BufferedReader;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * One run of Jazzer over one reader, in a JVM of its own.
 *
 * @param executions inputs offered
 * @param edges branches of the reader and the ensemble that were reached
 * @param corpus inputs kept because each reaches something new
 * @param findings what the oracle or the JVM said of an input, with the input's file
 */
record FuzzRun(long executions, long edges, long corpus, List<String> findings) {
  private static final Pattern EXECUTIONS =
      Pattern.compile("stat::number_of_executed_units: (\\d+)");
  private static final Pattern COVERAGE = Pattern.compile("cov: (\\d+) .*corp: (\\d+)");
  private static final Pattern FINDING =
      Pattern.compile("== (?:Java Exception: (.*)|.*(ERROR: libFuzzer: .*))");
  private static final Pattern WRITTEN = Pattern.compile("Test unit written to (\\S+)");

  /**
   * Seconds of the clock after which a single input counts as a hang. Many, for the machine may be
   * busy; slow inputs are found by the oracle, which counts the thread's own time.
   */
  private static final int HANG_SECONDS = 300;

  /**
   * Runs Jazzer until one of the bounds is met.
   *
   * @param folder keeps the corpus and the findings from run to run, one subfolder per format
   * @param seconds bound of time; the JVM's start comes on top
   * @param executions bound of executions
   */
  static FuzzRun of(Path folder, ModelFormat format, int seconds, long executions, int seed)
      throws IOException, InterruptedException {
    Path own = folder.resolve(format.label()).toAbsolutePath();
    Files.createDirectories(own.resolve("corpus"));
    Files.createDirectories(own.resolve("findings"));
    FuzzSeeds.writeTo(own.resolve("seeds"), format);
    FuzzSeeds.writeDictionary(own.resolve("dictionary"), format);
    Process process =
        new ProcessBuilder(command(own, format, seconds, executions, seed))
            .directory(own.toFile())
            .redirectErrorStream(true)
            .start();
    List<String> lines = new ArrayList<>();
    try (BufferedReader output = process.inputReader()) {
      output.lines().forEach(lines::add);
    }
    int status = process.waitFor();
    Files.write(own.resolve("log"), lines);
    FuzzRun run = parse(lines);
    if (run.executions == 0 || (status != 0 && run.findings.isEmpty())) {
      throw new IllegalStateException(
          format.label() + ": Jazzer ended with " + status + ", see " + own.resolve("log"));
    }
    return run;
  }

  private static List<String> command(
      Path own, ModelFormat format, int seconds, long executions, int seed) {
    return List.of(
        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
        "-XX:+EnableDynamicAgentLoading",
        "--enable-native-access=ALL-UNNAMED",
        "--sun-misc-unsafe-memory-access=allow",
        "-XX:+UseSerialGC",
        // C2 costs a short run more than it gives.
        "-XX:TieredStopAtLevel=" + (seconds < 30 ? 1 : 4),
        "-Xmx512m",
        "-cp",
        System.getProperty("java.class.path"),
        "com.code_intelligence.jazzer.Jazzer",
        "--target_class=" + FuzzTarget.class.getName(),
        "--target_args=" + format.label(),
        "--instrumentation_includes=io.quickscorer.reader.**:io.quickscorer.ensemble.**",
        "--custom_hook_includes=io.quickscorer.reader.**",
        "--reproducer_path=" + own.resolve("findings"),
        "-artifact_prefix=" + own.resolve("findings") + "/",
        "-dict=" + own.resolve("dictionary"),
        "-max_len=" + FuzzSeeds.MAX_LENGTH,
        "-max_total_time=" + seconds,
        "-runs=" + executions,
        "-seed=" + seed,
        "-timeout=" + HANG_SECONDS,
        "-rss_limit_mb=0",
        "-print_final_stats=1",
        own.resolve("corpus").toString(),
        own.resolve("seeds").toString());
  }

  static FuzzRun parse(List<String> lines) {
    long executions = 0;
    long edges = 0;
    long corpus = 0;
    List<String> findings = new ArrayList<>();
    for (String line : lines) {
      Matcher executed = EXECUTIONS.matcher(line);
      if (executed.find()) {
        executions = Long.parseLong(executed.group(1));
      }
      Matcher coverage = COVERAGE.matcher(line);
      if (coverage.find()) {
        edges = Long.parseLong(coverage.group(1));
        corpus = Long.parseLong(coverage.group(2));
      }
      Matcher finding = FINDING.matcher(line);
      if (finding.find()) {
        findings.add(finding.group(1) == null ? finding.group(2) : finding.group(1));
      }
      Matcher written = WRITTEN.matcher(line);
      if (written.find() && !findings.isEmpty()) {
        findings.add(findings.removeLast() + " on " + written.group(1));
      }
    }
    return new FuzzRun(executions, edges, corpus, findings);
  }
}
