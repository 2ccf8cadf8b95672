// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.cli;

import static io.quickscorer.cli.ScoreCommandTest.fixture;
import static io.quickscorer.cli.ScoreCommandTest.gzip;
import static io.quickscorer.cli.ScoreCommandTest.lines;
import static io.quickscorer.cli.ScoreCommandTest.table;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.quickscorer.fixtures.Fixture;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Runs the script {@code bin/quickscorer} as a user does. */
final class ScoreCommandIT {
  @TempDir private Path folder;

  private Run run(String... arguments) throws Exception {
    return Run.of(folder, arguments);
  }

  private String write(String name, String content) throws IOException {
    return Files.writeString(folder.resolve(name), content).toString();
  }

  private String write(String name, byte[] content) throws IOException {
    return Files.write(folder.resolve(name), content).toString();
  }

  @Test
  void tablesGiveTheTrainersScores() throws Exception {
    Fixture lightGbm = fixture("lightgbm-4.3.0", "lambdarank_categorical");
    String header = "alpha beta gamma delta epsilon category";
    String model = write("model.txt", lightGbm.model("txt"));
    String data = write("rows.tsv.gz", gzip(table(lightGbm.cases(), header, '\t')));
    Run run = run("score", model, data);
    assertEquals(new Run(0, lines(lightGbm.cases().raw(), false), ""), run);
    run = run("score", model, data, "--plan", "bwqs tau=2 SDSD d=16 s=2; from 9: object tau=1 DS");
    assertEquals(2, run.status(), run.err());
    assertTrue(
        run.err().startsWith("--plan: plan [object tau=1 DS] is not for engine [object]"),
        run.err());
    run = run("score", model, data, "--plan", "bwqs tau=2 SDSD d=16 s=2");
    assertEquals(new Run(0, lines(lightGbm.cases().raw(), false), ""), run);

    Fixture xgBoost = fixture("xgboost-3.4.0", "ndcg_dart");
    model = write("model.json", gzip(new String(xgBoost.model("json"), StandardCharsets.UTF_8)));
    data = write("rows.csv", table(xgBoost.cases(), "f0 f1 f2 f3 f4 f5", ','));
    run = run("score", model, data, "--output", "transformed", "--engine", "object");
    assertEquals(new Run(0, lines(xgBoost.cases().transformed(), true), ""), run);
  }

  @Test
  void pipesAreReadWhole() throws Exception {
    Fixture fixture = fixture("lightgbm-4.3.0", "lambdarank_categorical");
    String model = write("model.txt", fixture.model("txt"));
    String table = table(fixture.cases(), "alpha beta gamma delta epsilon category", ',');
    String program = System.getProperty("command");
    Run expected = new Run(0, lines(fixture.cases().raw(), false), "");
    assertEquals(expected, Run.piped(folder, program, table, "score", model, "-"));
    if (Files.exists(Path.of("/dev/stdin"))) {
      assertEquals(expected, Run.piped(folder, program, table, "score", model, "/dev/stdin"));
    }
    Path link = Files.createSymbolicLink(folder.resolve("link"), Path.of(program));
    assertEquals(expected, Run.piped(folder, link.toString(), table, "score", model, "-"));
  }

  /** A file that others write to has one offset for all of them. */
  @Test
  void messagesOverwriteNothing() throws Exception {
    String command = "echo before; " + System.getProperty("command") + " inspect nowhere";
    Run run =
        Run.piped(
            folder,
            "/bin/sh",
            "",
            "-c",
            "cd " + folder + "; { " + command + "; echo after; } >log 2>&1; cat log");
    assertEquals("before\nnowhere: no such file\nafter\n", run.out());
  }

  @Test
  void aReaderThatGoesEndsTheProgramWithoutAWord() throws Exception {
    Fixture fixture = fixture("lightgbm-4.3.0", "lambdarank_categorical");
    write("model", fixture.model("txt"));
    String header = "alpha beta gamma delta epsilon category";
    String rows = table(fixture.cases(), header, '\t').substring(header.length() + 1);
    write("rows.tsv", header.replace(' ', '\t') + "\n" + rows.repeat(200));
    String command = System.getProperty("command") + " score model rows.tsv; echo $? >status";
    Run run =
        Run.piped(
            folder, "/bin/sh", "", "-c", "cd " + folder + "; { " + command + "; } | head -n 1");
    assertEquals("", run.err());
    assertEquals(1, run.out().lines().count());
    assertEquals("141\n", Files.readString(folder.resolve("status")));
  }
}
