// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.reader;

import io.quickscorer.ensemble.ModelFormat;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.stream.Stream;

/**
 * Fuzzes all readers in turn, for hours: {@code mvn -Pfuzz -pl scorer-core -am verify -DskipTests}.
 *
 * <p>{@code -Dfuzz.seconds} and {@code -Dfuzz.runs} bound each reader, {@code -Dfuzz.slice} is how
 * long one reader runs before the next, {@code -Dfuzz.readers} names some of the formats, {@code
 * -Dfuzz.seed} is the seed of the first slice. {@code -Dfuzz.folder} keeps what was found and the
 * counts, so that a campaign goes on where it stopped.
 */
public final class FuzzCampaign {
  /** What was done with one reader over all slices. */
  private record Tally(long seconds, long executions, long edges, long corpus, int findings) {}

  private final Path folder;
  private final Map<ModelFormat, Tally> tallies = new LinkedHashMap<>();

  private FuzzCampaign(Path folder) {
    this.folder = folder;
  }

  public static void main(String[] arguments) throws IOException, InterruptedException {
    long seconds = Long.getLong("fuzz.seconds", 600);
    long runs = Long.getLong("fuzz.runs", Integer.MAX_VALUE);
    int slice = Integer.getInteger("fuzz.slice", 120);
    Path folder = Path.of(System.getProperty("fuzz.folder", "target/fuzz"));
    new FuzzCampaign(folder).run(readers(), seconds, runs, slice);
  }

  /** The formats to fuzz. */
  static List<ModelFormat> readers() {
    String names = System.getProperty("fuzz.readers", "");
    return names.isEmpty()
        ? Stream.concat(Stream.of(ModelFormat.AUTO), ModelFormats.all().stream()).toList()
        : Arrays.stream(names.split(",", -1)).map(ModelFormats::of).toList();
  }

  /** The seed of a campaign: the one given, or a new one, which is printed. */
  static int seed() {
    int seed = Integer.getInteger("fuzz.seed", (int) (System.nanoTime() >>> 8 & 0xffffff));
    System.out.println("fuzz.seed=" + seed + " (replay with -Dfuzz.seed=" + seed + ")");
    return seed;
  }

  private void run(List<ModelFormat> readers, long seconds, long runs, int slice)
      throws IOException, InterruptedException {
    SplittableRandom seeds = new SplittableRandom(seed());
    Files.createDirectories(folder);
    readTallies();
    List<ModelFormat> left = new ArrayList<>(readers);
    while (!left.isEmpty()) {
      for (ModelFormat format : List.copyOf(left)) {
        Tally before = tallies.getOrDefault(format, new Tally(0, 0, 0, 0, 0));
        if (before.seconds >= seconds || before.executions >= runs) {
          left.remove(format);
          continue;
        }
        int most = (int) Math.min(slice, seconds - before.seconds);
        int seed = seeds.nextInt(1, Integer.MAX_VALUE);
        FuzzRun run = FuzzRun.of(folder, format, most, runs - before.executions, seed);
        tallies.put(
            format,
            new Tally(
                before.seconds + most,
                before.executions + run.executions(),
                run.edges(),
                run.corpus(),
                before.findings + run.findings().size()));
        report(format, seed, run);
        writeTallies();
      }
    }
    System.out.print(Files.readString(tallyFile()));
  }

  private void report(ModelFormat format, int seed, FuzzRun run) {
    System.out.printf(
        Locale.ROOT,
        "%s, seed %d: %d executions, %d edges, %d inputs kept, %d findings%n",
        format.label(),
        seed,
        run.executions(),
        run.edges(),
        run.corpus(),
        run.findings().size());
    run.findings().forEach(finding -> System.out.println("  FINDING " + finding));
  }

  private Path tallyFile() {
    return folder.resolve("tally.tsv");
  }

  private void readTallies() throws IOException {
    if (!Files.exists(tallyFile())) {
      return;
    }
    for (String line : Files.readAllLines(tallyFile()).stream().skip(1).toList()) {
      String[] columns = line.split("\t", -1);
      tallies.put(
          ModelFormats.of(columns[0]),
          new Tally(
              Long.parseLong(columns[1]),
              Long.parseLong(columns[2]),
              Long.parseLong(columns[3]),
              Long.parseLong(columns[4]),
              Integer.parseInt(columns[5])));
    }
  }

  private void writeTallies() throws IOException {
    StringBuilder lines = new StringBuilder("reader\tseconds\texecutions\tedges\tkept\tfindings\n");
    tallies.forEach(
        (format, tally) ->
            lines
                .append(format.label())
                .append('\t')
                .append(tally.seconds)
                .append('\t')
                .append(tally.executions)
                .append('\t')
                .append(tally.edges)
                .append('\t')
                .append(tally.corpus)
                .append('\t')
                .append(tally.findings)
                .append('\n'));
    Files.writeString(tallyFile(), lines);
  }
}
