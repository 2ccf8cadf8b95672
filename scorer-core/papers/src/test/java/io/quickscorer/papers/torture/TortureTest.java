// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.papers.torture;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.quickscorer.engine.traversal.ReferenceScorer;
import io.quickscorer.ensemble.TreeEnsemble;
import io.quickscorer.reader.Fingerprint;
import io.quickscorer.testing.Seeds;
import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** That the torture bites: it must find what is planted, write it down, and see it again. */
final class TortureTest {
  private static final String HOUR_MILLIS = "3600000";
  private static final int MAX_JVMS = 50;

  @TempDir private Path folder;

  @ParameterizedTest
  @EnumSource(names = "NONE", mode = EnumSource.Mode.EXCLUDE)
  void findsWhatIsPlantedAndReplaysIt(PlantedDefect planted)
      throws IOException, InterruptedException {
    SplittableRandom random = Seeds.random("torture " + planted);
    for (int i = 0; i < MAX_JVMS && findings().isEmpty(); i++) {
      worker(random.nextLong() >>> 1, planted);
    }
    Finding finding = Finding.read(findings().getFirst());
    assertNotEquals(bits(finding.expected()), bits(finding.actual()));
    double[] right = new PlainWalker(finding.ensemble()).score(finding.matrix());
    assertEquals(bits(finding.expected()), bits(right[finding.document()]));
    assertEquals(planted.label(), finding.planted());
    assertTrue(Replay.of(findings().getFirst()));
  }

  private String worker(long seed, PlantedDefect planted) throws IOException, InterruptedException {
    String number = Long.toString(seed);
    List<String> arguments = List.of(number, HOUR_MILLIS, "3", folder.toString(), planted.label());
    JavaProcess process = JavaProcess.run(List.of("-Xmx256m"), Worker.class, arguments);
    assertEquals(0, process.exit(), process::output);
    return process.output();
  }

  private List<Path> findings() throws IOException {
    try (DirectoryStream<Path> files = Files.newDirectoryStream(folder, "*.properties")) {
      List<Path> found = new ArrayList<>();
      files.forEach(found::add);
      return found.stream().sorted().toList();
    }
  }

  @Test
  void findsNothingWhereNothingIs() throws IOException, InterruptedException {
    String output = worker(Seeds.random("torture").nextLong() >>> 1, PlantedDefect.NONE);
    assertTrue(output.lines().anyMatch(line -> line.equals("done 0")), output);
    assertEquals(List.of(), findings());
  }

  /** Findings are replayed from what was written of them. */
  @Test
  void ensemblesComeBackFromTheirBytes() throws IOException {
    SplittableRandom random = Seeds.random("bytes");
    for (int i = 0; i < 200 * Seeds.iterations(); i++) {
      TreeEnsemble ensemble = Ensembles.any(random);
      assertEquals(
          Fingerprint.of(ensemble), Fingerprint.of(EnsembleBytes.read(EnsembleBytes.of(ensemble))));
    }
  }

  /** The two right answers, which share no code. */
  @Test
  void walkerAndReferenceAgree() {
    SplittableRandom random = Seeds.random("walker");
    for (int i = 0; i < 50 * Seeds.iterations(); i++) {
      TreeEnsemble ensemble = Ensembles.any(random);
      Documents.Maker maker = new Documents.Maker(ensemble);
      Documents documents = maker.mixed(random, 64, maker.kinds());
      double[] scores = new double[documents.size()];
      ReferenceScorer reference = ReferenceScorer.compile(ensemble);
      reference.score(documents.matrix(), reference.newScratch(), scores);
      assertArrayEquals(longs(documents.expected()), longs(scores));
    }
  }

  private static long[] longs(double[] scores) {
    long[] longs = new long[scores.length];
    for (int i = 0; i < longs.length; i++) {
      longs[i] = Double.doubleToLongBits(scores[i]);
    }
    return longs;
  }

  private static long bits(double score) {
    return Double.doubleToRawLongBits(score);
  }

  @Test
  void plainDocumentsHaveNothingSpecial() {
    SplittableRandom random = Seeds.random("plain");
    for (FeatureEdges edges :
        FeatureEdges.of(Ensembles.trees(random, Ensembles.Rules.CATEGORIES))) {
      for (int i = 0; i < 1000; i++) {
        float value = edges.plain(random);
        assertTrue(Math.abs(value) > 1e-3 && Math.abs(value) < 1e6);
        if (edges.isCategorical()) {
          assertEquals(value, (int) value);
        } else {
          assertFalse(edges.isThreshold(value));
        }
      }
    }
  }

  @Test
  void theJvmTakesEverySetting() throws IOException, InterruptedException {
    SplittableRandom random = Seeds.random("settings");
    JitSettings settings = JitSettings.probe();
    for (int i = 0; i < 5 * Seeds.iterations(); i++) {
      List<String> flags = i % 2 == 0 ? settings.drawPlain(random) : settings.draw(random);
      flags.add("-version");
      JavaProcess process = JavaProcess.run(flags);
      assertEquals(0, process.exit(), () -> flags + "\n" + process.output());
    }
  }

  @Test
  void result() throws IOException {
    Tally tally = new Tally();
    assertFalse(tally.isClean(), "no JVM, no proof");
    tally.add(Tally.End.REFUSED, 0, Map.of());
    tally.add(Tally.End.KILLED, 0, Map.of("qs", 1L));
    tally.add(Tally.End.DONE, 0, Map.of("qs", 2L, "pred", 5L));
    assertTrue(tally.isClean());
    tally.add(Tally.End.DONE, 3, Map.of());
    assertFalse(tally.isClean());
    tally.write(folder.resolve("result.json"), 7, 0.5);
    String json = Files.readString(folder.resolve("result.json"));
    String counts =
        """
        {"seed":7,"minutes":0.5,"jvms":3,"scores":8,"mismatches":3,"crashed":0,"killed":1,"refused":1,\
        """;
    assertTrue(json.startsWith(counts), json);
    assertTrue(json.contains("\"engines\":{\"pred\":5,\"qs\":3}"), json);
  }
}
