// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.train.command;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.quickscorer.cli.input.Failure;
import io.quickscorer.train.data.FeatureLog;
import io.quickscorer.train.data.JudgedQuery;
import io.quickscorer.train.data.LogOrigin;
import io.quickscorer.train.data.TrainerFormat;
import io.quickscorer.train.trainer.LightGbmTrainer;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;

/** Rows in a file are taken again only if nothing that decided them has changed. */
final class FeatureLoggingTest {
  private static final List<String> OPTIONS =
      List.of(
          "--index=shop",
          "--feature-set=shop",
          "--size=3",
          "--query={\"match\": {\"title\": \"{{keywords}}\"}}",
          "--params={\"a\": 1}");

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

  private static List<JudgedQuery> queries(int count, int grade) {
    List<JudgedQuery> queries = new ArrayList<>();
    for (int q = 0; q < count; q++) {
      queries.add(JudgedQuery.of("q" + q, "words " + q, Map.of("d1", grade)));
    }
    return queries;
  }

  private Path file() {
    return temp.resolve("features.ndjson");
  }

  /** Logs, and returns which queries the cluster was asked. */
  private List<String> log(List<JudgedQuery> queries, String... changed) throws Exception {
    List<String> options = new ArrayList<>(OPTIONS);
    for (String option : changed) {
      options.removeIf(o -> o.startsWith(option.substring(0, option.indexOf('=') + 1)));
    }
    options.addAll(Arrays.asList(changed));
    LogOptions log = CommandLine.populateCommand(new LogOptions(), options.toArray(String[]::new));
    ClusterOptions address =
        CommandLine.populateCommand(new ClusterOptions(), "--cluster", cluster.address());
    cluster.logged.clear();
    new FeatureLogging(log, address).write(queries, new LightGbmTrainer()::check, file());
    return cluster.queries();
  }

  private static List<String> ids(int from, int to) {
    return queries(to, 1).subList(from, to).stream().map(JudgedQuery::id).toList();
  }

  @Test
  void goesOnWhereItWasStopped() throws Exception {
    assertEquals(ids(0, 60), log(queries(60, 1)));
    String whole = Files.readString(file());
    assertEquals(ids(59, 60), log(queries(60, 1)), "the last query may be incomplete");
    assertEquals(whole, Files.readString(file()));
    Files.writeString(file(), whole.substring(0, whole.indexOf("\"qid\":\"q41\"") + 90));
    assertEquals(ids(41, 60), log(queries(60, 1)));
    assertEquals(whole, Files.readString(file()));
  }

  /** A program may be stopped before it has rows, or within the file's first line. */
  @Test
  void beginsAnewWhereNothingWasLogged() throws Exception {
    List<Boolean> begun = new ArrayList<>();
    cluster.meanwhile = () -> begun.add(hasFirstLine());
    log(queries(3, 1));
    assertEquals(List.of(true), begun, "the first line is there before the first answer");
    String whole = Files.readString(file());
    for (int length : List.of(0, 5, 40, whole.indexOf('\n'), whole.indexOf('\n') + 1)) {
      Files.writeString(file(), whole.substring(0, length));
      assertEquals(ids(0, 3), log(queries(3, 1)), "cut after " + length);
      assertEquals(whole, Files.readString(file()));
    }
  }

  private boolean hasFirstLine() {
    try {
      return Files.readString(file()).endsWith("\n");
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** An option mistyped once, and its correction, leave what was logged before. */
  @Test
  void formerRowsAreNotOverwritten() throws Exception {
    log(queries(3, 1));
    String first = Files.readString(file());
    log(queries(3, 1), "--size=2");
    String second = Files.readString(file());
    Files.writeString(file(), second.substring(0, second.indexOf('\n') + 1));
    log(queries(3, 1), "--size=4");
    assertFalse(Files.exists(temp.resolve("features.ndjson.former-2")), "there was no row");
    second = Files.readString(file());
    log(queries(3, 1));
    assertEquals(first, Files.readString(file()));
    assertEquals(first, Files.readString(temp.resolve("features.ndjson.former")));
    assertEquals(second, Files.readString(temp.resolve("features.ndjson.former-2")));
  }

  private FeatureLogging logging() throws Failure {
    LogOptions options =
        CommandLine.populateCommand(new LogOptions(), OPTIONS.toArray(String[]::new));
    ClusterOptions address =
        CommandLine.populateCommand(new ClusterOptions(), "--cluster", cluster.address());
    return new FeatureLogging(options, address);
  }

  @Test
  void linksAndPipesAreNotReplaced() throws Exception {
    FeatureLogging logging = logging();
    Path target = Files.writeString(temp.resolve("target.csv"), "former");
    Path link = Files.createSymbolicLink(temp.resolve("link.csv"), target);
    logging.write(queries(2, 1), TrainerFormat.CSV, link);
    assertTrue(Files.isSymbolicLink(link));
    assertEquals(1 + 2 * 3, Files.readAllLines(target).size());
    Path pipe = temp.resolve("pipe");
    assertEquals(0, new ProcessBuilder("mkfifo", pipe.toString()).start().waitFor());
    CompletableFuture<List<String>> read =
        CompletableFuture.supplyAsync(
            () -> {
              try {
                return Files.readAllLines(pipe);
              } catch (IOException e) {
                throw new UncheckedIOException(e);
              }
            });
    logging.write(queries(2, 1), TrainerFormat.CSV, pipe);
    assertEquals(Files.readAllLines(target), read.get());
    assertTrue(Files.exists(pipe) && !Files.isRegularFile(pipe));
  }

  @Test
  void aFileWithoutRowsIsReported() throws Exception {
    cluster.withoutHits = true;
    PrintStream before = System.out;
    ByteArrayOutputStream printed = new ByteArrayOutputStream();
    System.setOut(new PrintStream(printed, true, StandardCharsets.UTF_8));
    try {
      logging().write(queries(2, 1), TrainerFormat.CSV, temp.resolve("rows.csv"));
    } finally {
      System.setOut(before);
    }
    String said = printed.toString(StandardCharsets.UTF_8);
    assertTrue(said.contains("no query has hits; check that the fields in --query"), said);
  }

  /** They would train on, with the former files beside the new one. */
  @Test
  void filesForTrainersStayUntilAllIsLogged() throws Exception {
    Path rows = Files.writeString(temp.resolve("rows.csv"), "former");
    Path sizes = Files.writeString(temp.resolve("rows.csv.query"), "former");
    FeatureLogging logging = logging();
    cluster.meanwhile = () -> cluster.status = cluster.logged.size() > 2 ? 503 : 200;
    assertThrows(
        IllegalStateException.class, () -> logging.write(queries(60, 1), TrainerFormat.CSV, rows));
    assertEquals(3, cluster.logged.size(), "a sample, and two batches");
    assertEquals("former", Files.readString(rows));
    assertEquals("former", Files.readString(sizes));
    try (Stream<Path> left = Files.list(temp)) {
      assertEquals(2, left.count(), "nothing half-written is left");
    }
    cluster.meanwhile = () -> {};
    cluster.status = 200;
    logging.write(queries(60, 1), TrainerFormat.CSV, rows);
    assertEquals(1 + 60 * 3, Files.readAllLines(rows).size());
  }

  /** Else hours of logging would end with LightGBM's refusal, or a model without its features. */
  @Test
  void namesThatTheTrainerDoesNotKeep() {
    for (String name : List.of("title match", "a,b", "a:b", "[a]", "{a}")) {
      cluster.feature = name;
      IllegalStateException failure =
          assertThrows(IllegalStateException.class, () -> log(queries(3, 1)));
      assertTrue(failure.getMessage().startsWith("feature [" + name + "]"), failure.getMessage());
    }
    assertEquals(List.of(), cluster.logged);
  }

  @Test
  void theScopeIsSent() throws Exception {
    log(queries(3, 1));
    assertFalse(cluster.logged.getFirst().has("scope"));
    log(queries(3, 1), "--scope=GLOBAL");
    assertEquals("global", cluster.logged.getFirst().get("scope").asString());
    assertEquals(3, cluster.queries().size(), "logged anew");
  }

  /** As of a proxy that sends all to its login. */
  @Test
  void anotherServerIsSaid() {
    cluster.elsewhere = "https://login.example";
    IllegalStateException failure =
        assertThrows(IllegalStateException.class, () -> log(queries(3, 1)));
    assertTrue(
        failure.getMessage().contains("returned 302: redirected to https://login.example"),
        failure.getMessage());
    cluster.elsewhere = "";
    cluster.page = "<html>";
    failure = assertThrows(IllegalStateException.class, () -> log(queries(3, 1)));
    assertTrue(failure.getMessage().contains("did not return JSON"), failure.getMessage());
  }

  @Test
  void anotherFileIsNotOverwritten() throws Exception {
    Files.writeString(file(), "notes");
    Failure failure = assertThrows(Failure.class, () -> log(queries(3, 1)));
    assertTrue(failure.getMessage().contains("expected {\"feature_names\""), failure.getMessage());
    assertEquals("notes", Files.readString(file()));
  }

  /** A query as JSON with other blanks is the same query. */
  @Test
  void blanksChangeNothing() throws Exception {
    log(queries(3, 1));
    assertEquals(ids(2, 3), log(queries(3, 1), "--query={\"match\":{\"title\":\"{{keywords}}\"}}"));
  }

  @Test
  void otherOptionsAreLoggedAnew() throws Exception {
    changed("--index was \"shop\", is \"other\"", queries(3, 1), "--index=other");
    changed("--size was 3, is 2", queries(3, 1), "--size=2");
    changed(
        "--query was {\"match\":{\"title\":\"{{keywords}}\"}}, is {\"match_all\":{}}",
        queries(3, 1),
        "--query={\"match_all\": {}}");
    changed("--params was {\"a\":1}, is {}", queries(3, 1), "--params={}");
    changed("--param was \"keywords\", is \"words\"", queries(3, 1), "--param=words");
  }

  @Test
  void otherJudgmentsAreLoggedAnew() throws Exception {
    changed("--judgments was {\"queries\":3,", queries(4, 1));
    changed("--judgments was {\"queries\":3,", queries(3, 2));
  }

  /** The same names, and other values. */
  @Test
  void redefinedFeaturesAreLoggedAnew() throws Exception {
    log(queries(3, 1));
    cluster.script = "2";
    assertLoggedAnew("feature worth was {\"name\":\"worth\",\"script\":\"1\"}, is", queries(3, 1));
  }

  @Test
  void rowsOfUnknownOriginAreLoggedAnew() throws Exception {
    log(queries(3, 1));
    String whole = Files.readString(file());
    Files.writeString(
        file(), "{\"feature_names\":[\"worth\"]}" + whole.substring(whole.indexOf('\n')));
    assertLoggedAnew("does not contain the options", queries(3, 1));
  }

  private void changed(String difference, List<JudgedQuery> queries, String... options)
      throws Exception {
    Files.deleteIfExists(file());
    Files.deleteIfExists(temp.resolve("features.ndjson.former"));
    log(queries(3, 1));
    assertLoggedAnew(difference, queries, options);
  }

  private void assertLoggedAnew(String difference, List<JudgedQuery> queries, String... options)
      throws Exception {
    byte[] before = Files.readAllBytes(file());
    FeatureLog former = FeatureLog.read(file());
    assertEquals(ids(0, queries.size()), log(queries, options));
    FeatureLog now = FeatureLog.read(file());
    List<String> differences = LogOrigin.differences(former.origin(), now.origin());
    assertEquals(1, differences.size(), differences.toString());
    assertTrue(differences.getFirst().contains(difference), differences.toString());
    assertEquals(queries.size(), now.queries().size());
    assertEquals(
        new String(before, StandardCharsets.UTF_8),
        Files.readString(temp.resolve("features.ndjson.former")),
        "nothing is lost");
  }

  @Test
  void aRefusalHasItsStatus() {
    cluster.status = 403;
    IllegalStateException failure =
        assertThrows(IllegalStateException.class, () -> log(queries(3, 1)));
    assertTrue(failure.getMessage().contains("returned 403: "), failure.getMessage());
  }
}
