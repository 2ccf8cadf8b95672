// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.bench;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.regex.Pattern;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/**
 * Times everything that is claimed of the engine, each group of shapes in a JVM of its own, and
 * writes {@code target/bench/bars.md} and {@code bars.json}. A group that fails is named and does
 * not stop the others.
 *
 * <p>Models are trained by LightGBM when they are first wanted, minutes for all of them, and kept.
 * Peers come from {@code target/peers}.
 */
@Command(
    name = "Bars",
    mixinStandardHelpOptions = true,
    description = "Times everything that is claimed of the engine.")
public final class Bars implements Callable<Integer> {
  /** Documents in all. */
  static final int POOL = 10_000;

  static final Path PEERS = Path.of("target", "peers");

  private static final Path FOLDER = Path.of("target", "bench");

  @Option(names = "--only", description = "times groups whose names contain this pattern only")
  private String only = "";

  @Option(names = "--warmup", description = "seconds per scorer (default: 2)")
  private double warmUp = 2;

  @Option(names = "--rounds", description = "turns per scorer (default: 15)")
  private int rounds = 15;

  @Option(names = "--turn", description = "milliseconds per turn at least (default: 20)")
  private int turn = 20;

  @Option(names = "--heap", description = "of each JVM (default: 3g)")
  private String heap = "3g";

  @Option(names = "--group", hidden = true, description = "times this group in this JVM")
  private String group = "";

  public static void main(String[] args) {
    System.exit(new CommandLine(new Bars()).execute(args));
  }

  @Override
  public Integer call() throws IOException, InterruptedException {
    if (!group.isEmpty()) {
      BarGroup one =
          BarGroup.ALL.stream().filter(g -> g.name().equals(group)).findFirst().orElseThrow();
      BarRun.run(one, new Rounds(rounds, (long) (warmUp * 1e9), turn * 1_000_000L), FOLDER);
      return 0;
    }
    Pattern pattern = Pattern.compile(only);
    List<BarGroup> groups =
        BarGroup.ALL.stream().filter(g -> pattern.matcher(g.name()).find()).toList();
    List<String> missed = new ArrayList<>(Peers.in(PEERS).missed());
    System.err.println(missed.isEmpty() ? "all peers are there" : "peers missed: " + missed);
    boolean allRan = true;
    for (BarGroup each : groups) {
      TrainedModel.of(each.trees(), each.leaves());
      allRan &= fork(each);
      write(groups);
    }
    System.out.println(Files.readString(FOLDER.resolve("bars.md")));
    return allRan ? 0 : 1;
  }

  private boolean fork(BarGroup each) throws IOException, InterruptedException {
    for (Path file : results(each)) {
      Files.deleteIfExists(file);
    }
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(each.jvm().arguments());
    command.addAll(List.of("-Xms1g", "-Xmx" + heap, "--enable-native-access=ALL-UNNAMED"));
    command.add("-Djava.io.tmpdir=" + System.getProperty("java.io.tmpdir"));
    command.addAll(List.of("-cp", System.getProperty("java.class.path"), Bars.class.getName()));
    command.addAll(List.of("--group", each.name(), "--warmup", Double.toString(warmUp)));
    command.addAll(List.of("--rounds", "" + rounds, "--turn", "" + turn));
    System.err.print(each.name() + " ... ");
    long start = System.nanoTime();
    int status = new ProcessBuilder(command).inheritIO().start().waitFor();
    long seconds = Duration.ofNanos(System.nanoTime() - start).toSeconds();
    System.err.println(each.name() + (status == 0 ? ": " : " failed: ") + seconds + " s");
    return status == 0;
  }

  private static List<Path> results(BarGroup group) {
    return List.of(
        BarRun.rows(FOLDER, group), BarRun.table(FOLDER, group), BarRun.bars(FOLDER, group));
  }

  /** What there is so far. */
  private static void write(List<BarGroup> groups) throws IOException {
    StringBuilder bars = new StringBuilder();
    StringBuilder rows = new StringBuilder();
    StringBuilder json = new StringBuilder();
    for (BarGroup each : groups) {
      if (Files.exists(BarRun.rows(FOLDER, each))) {
        bars.append(Files.readString(BarRun.bars(FOLDER, each)));
        rows.append(Files.readString(BarRun.table(FOLDER, each)));
        String array = Files.readString(BarRun.rows(FOLDER, each)).strip();
        json.append(json.isEmpty() ? "[" : ",").append(array, 1, array.length() - 2);
      }
    }
    Files.writeString(FOLDER.resolve("bars.json"), json.isEmpty() ? "[]\n" : json + "\n]\n");
    Files.writeString(
        FOLDER.resolve("bars.md"),
        """
        | trees | leaves | documents | engine | is faster than | bar | measured | met |
        |---|---|---|---|---|---|---|---|
        %s
        | trees | leaves | documents | scorer | threads | ns per document and tree | p10–p90 | \
        bytes per tree | bytes allocated per document | plan |
        |---|---|---|---|---|---|---|---|---|---|
        %s\
        """
            .formatted(bars, rows));
  }
}
