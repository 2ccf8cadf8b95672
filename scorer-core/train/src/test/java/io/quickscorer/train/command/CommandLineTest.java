// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.train.command;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.quickscorer.cli.input.Failure;
import io.quickscorer.train.data.FeatureLog;
import java.io.BufferedReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;
import tools.jackson.databind.JsonNode;

/** The program as a user starts it, in a JVM of its own. */
final class CommandLineTest {
  @TempDir private Path temp;
  private ClusterStub cluster;

  @BeforeEach
  void start() throws Exception {
    cluster = new ClusterStub();
  }

  @AfterEach
  void stop() {
    cluster.close();
  }

  private Process quickscorer(String... arguments) throws Exception {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(List.of("-Xmx128m", "-XX:TieredStopAtLevel=1"));
    command.addAll(List.of("-cp", System.getProperty("java.class.path")));
    command.add("io.quickscorer.cli.QuickScorerCommand");
    command.addAll(List.of(arguments));
    return new ProcessBuilder(command).redirectErrorStream(true).start();
  }

  private Path judgments() throws Exception {
    return Files.writeString(temp.resolve("judgments.tsv"), "red shoe\td1\t2\nhat\td0\t1\n");
  }

  /** What a program has written is there before it ends, though it writes into a pipe. */
  @Test
  @Timeout(600)
  void progressIsSeenMeanwhile() throws Exception {
    cluster.gate = new CountDownLatch(1);
    Process process =
        quickscorer(
            "train",
            "--cluster=" + cluster.address(),
            "--index=shop",
            "--feature-set=shop",
            "--query={\"match_all\": {}}",
            "--judgments=" + judgments(),
            "--output=" + temp.resolve("training"));
    try {
      BufferedReader out = process.inputReader(StandardCharsets.UTF_8);
      assertEquals("[1] Look up the judged documents", out.readLine());
      String line = out.readLine();
      while (line != null && !line.startsWith("[2] Log features")) {
        line = out.readLine();
      }
      assertTrue(process.isAlive());
      cluster.gate.countDown();
      String rest = String.join("\n", out.lines().toList());
      assertTrue(rest.contains("[3] Train"), rest);
    } finally {
      process.destroyForcibly();
    }
  }

  /** Nothing is sent under a name for which another request would be refused. */
  @Test
  @Timeout(600)
  void namesAreCheckedFirst() throws Exception {
    for (String[] wrong :
        new String[][] {
          {"fine", "BAD", "--alias"}, {"a..b", "live", "--upload"}, {"same", "same", "--alias"}
        }) {
      Process process =
          quickscorer(
              "upload",
              temp.toString(),
              "--cluster=" + cluster.address(),
              "--feature-set=shop",
              "--upload=" + wrong[0],
              "--alias=" + wrong[1]);
      String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
      assertEquals(2, process.waitFor(), said);
      assertTrue(said.startsWith(wrong[2] + ": expected a name"), said);
    }
  }

  /** Events of some shards, or of none, are no comparison and no judgments. */
  @Test
  void aClusterThatDoesNotAnswerIsNamed() throws Exception {
    cluster.page = "{\"_shards\": {\"failed\": 1}, \"hits\": {\"hits\": []}}";
    refused("some shards did not respond");
    cluster.page = "{\"hits\": ";
    refused("did not return JSON");
    cluster.close();
    refused("connection refused");
  }

  /** UBI's mappings do not accept a date without a time, unless the search has a format. */
  @Test
  void timesMayBeDates() {
    CompareCommand command = new CompareCommand();
    new CommandLine(command)
        .parseArgs("--cluster", cluster.address(), "--from", "2026-10-01", "--to", "now-7d");
    assertThrows(Failure.class, command::call);
    JsonNode range = cluster.searched.getFirst().at("/query/bool/filter/0/range/timestamp");
    assertEquals("2026-10-01", range.path("gte").asString());
    assertEquals("now-7d", range.path("lt").asString());
    assertEquals("strict_date_optional_time||epoch_millis", range.path("format").asString());
  }

  /** Before a long reading, not after it. */
  @Test
  void aFileInPlaceOfTheOutputIsNamed() throws Exception {
    Files.createFile(temp.resolve("clicks"));
    refused("clicks: cannot be written: a file with this name exists");
  }

  /** A trainer that cannot learn the bias of positions would take it for relevance. */
  @Test
  void clicksNeedATrainerThatCorrectsThem() throws Exception {
    TrainCommand command = new TrainCommand();
    new CommandLine(command)
        .parseArgs("--trainer", "CATBOOST", "--clicks", "x", "--judgments", judgments().toString());
    Failure failure = assertThrows(Failure.class, command::call);
    assertEquals(
        "--clicks: expected --trainer LIGHTGBM or XGBOOST, not CATBOOST", failure.getMessage());
  }

  @Test
  void tablesHaveNoSegments() throws Exception {
    CompareCommand command = new CompareCommand();
    new CommandLine(command).parseArgs("--table", "t.tsv", "--segment", "browser");
    Failure failure = assertThrows(Failure.class, command::call);
    assertTrue(failure.getMessage().startsWith("--segment: a table"), failure.getMessage());
  }

  private void refused(String reason) {
    String output = temp.resolve("clicks").toString();
    for (Callable<Integer> command : List.of(new CompareCommand(), new JudgeCommand())) {
      new CommandLine(command).parseArgs("--cluster", cluster.address(), "-o", output);
      Failure failure = assertThrows(Failure.class, command::call);
      assertEquals(Failure.USAGE, failure.status());
      assertTrue(failure.getMessage().contains(reason), failure.getMessage());
    }
  }

  @Test
  @Timeout(600)
  void optionsAreReadFromFiles() throws Exception {
    Path query = Files.writeString(temp.resolve("query.json"), "{\"match\": {\"title\": \"x\"}}\n");
    Path params = Files.writeString(temp.resolve("params.json"), "{\n  \"country\": \"pt\"\n}\n");
    Path file = temp.resolve("features.ndjson");
    Process process =
        quickscorer(
            "log",
            "--cluster",
            cluster.address(),
            "--index",
            "shop",
            "--feature-set",
            "shop",
            "--query",
            "@" + query,
            "--params",
            "@" + params,
            "--judgments",
            judgments().toString(),
            "-o",
            file.toString());
    String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertEquals(0, process.waitFor(), said);
    assertEquals("x", cluster.logged.getFirst().at("/query/match/title").asString());
    assertEquals("pt", cluster.logged.getFirst().at("/queries/0/params/country").asString());
    assertEquals(2, FeatureLog.read(file).queries().size());
  }
}
