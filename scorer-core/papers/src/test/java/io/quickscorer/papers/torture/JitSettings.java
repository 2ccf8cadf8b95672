// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.papers.torture;

import java.io.IOException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.SplittableRandom;

/**
 * Random settings of a JVM, of those that this machine's java has: what is compiled when, by which
 * compiler, with what trust in profiles, for which vectors, under which collector.
 */
final class JitSettings {
  private static final List<String> COLLECTORS =
      List.of("Serial", "Parallel", "G1", "Z", "Shenandoah");

  /** Each is set in one JVM in seven of those under stress; C2 draws its choices at random then. */
  private static final List<String> STRESS =
      List.of(
          "+StressIGVN",
          "+StressCCP",
          "+StressLCM",
          "+StressGCM",
          "+StressIncrementalInlining",
          "+StressMacroExpansion",
          "+StressUnstableIfTraps",
          "+StressSecondarySupers",
          "+DeoptimizeNMethodBarriersALot");

  /** Each is set in one JVM in twelve of the same. */
  private static final List<String> OTHERS =
      List.of(
          "-OptimizeUnstableIf",
          "-UseSuperWord",
          "-UseLoopPredicate",
          "-UseProfiledLoopPredicate",
          "-RangeCheckElimination",
          "-SplitIfBlocks",
          "-PartialPeelLoop",
          "-DoEscapeAnalysis",
          "-EliminateAllocations",
          "-IncrementalInline",
          "-UseTypeProfile",
          "-UseOnlyInlinedBimorphic",
          "-BlockLayoutByFrequency",
          "-UseCountedLoopSafepoints",
          "-SegmentedCodeCache",
          "+UseCMoveUnconditionally",
          "+UseVectorCmov",
          "-Inline",
          "-C1ProfileInlinedCalls",
          "-UseCompressedOops",
          "PerMethodTrapLimit=0",
          "PerMethodTrapLimit=5",
          "PerMethodTrapLimit=1000",
          "PerBytecodeTrapLimit=0",
          "PerBytecodeTrapLimit=50",
          "PerMethodRecompilationCutoff=4",
          "TypeProfileLevel=0",
          "TypeProfileLevel=222",
          "TypeProfileWidth=0",
          "TypeProfileWidth=4",
          "MaxInlineLevel=3",
          "MaxInlineSize=6",
          "FreqInlineSize=60",
          "FreqInlineSize=2000",
          "InlineSmallCode=300",
          "LiveNodeCountInliningCutoff=8000",
          "LoopUnrollLimit=0",
          "LoopUnrollLimit=200",
          "LoopStripMiningIter=0",
          "ConditionalMoveLimit=0",
          "ConditionalMoveLimit=10",
          "ReservedCodeCacheSize=16m");

  private static final double[] SCALES = {0.003, 0.01, 0.03, 0.1, 0.1, 0.3, 0.3, 3};
  private static final int[] HEAPS = {192, 256, 512};

  /** All flags of the JVM, and for each collector that there is its flag. */
  private final Set<String> known;

  private final List<String> collectors;

  private JitSettings(Set<String> known, List<String> collectors) {
    this.known = known;
    this.collectors = collectors;
  }

  /** What the java of this process has; starts it a few times. */
  static JitSettings probe() throws IOException, InterruptedException {
    Set<String> known = new HashSet<>();
    List<String> unlocked =
        List.of("-XX:+UnlockDiagnosticVMOptions", "-XX:+PrintFlagsFinal", "-version");
    for (String line : JavaProcess.run(unlocked).output().lines().toList()) {
      String[] words = line.strip().split("\\s+", 4);
      if (words.length == 4 && words[2].equals("=")) {
        known.add(words[1]);
      }
    }
    List<String> collectors = new ArrayList<>();
    for (String collector : COLLECTORS) {
      String flag = "-XX:+Use" + collector + "GC";
      if (JavaProcess.run(List.of(flag, "-version")).exit() == 0) {
        collectors.add(flag);
      }
    }
    if (known.isEmpty() || collectors.isEmpty()) {
      throw new IllegalStateException("java tells none of its flags: " + JavaProcess.JAVA);
    }
    return new JitSettings(known, collectors);
  }

  /**
   * Settings of a JVM that optimises as a server's does. Compilation in the background is part of
   * that: the known defect shows in most JVMs so, and in none (of 8) whose callers wait for C2.
   */
  List<String> drawPlain(SplittableRandom random) {
    List<String> flags = start(random, 1);
    if (random.nextBoolean()) {
      add(flags, "CompileThresholdScaling=0.5");
    }
    return flags;
  }

  /**
   * @param vectors in how many of five JVMs there are any
   */
  private List<String> start(SplittableRandom random, int vectors) {
    List<String> flags = new ArrayList<>();
    flags.add("-XX:+UnlockDiagnosticVMOptions");
    flags.add("-Xmx" + HEAPS[random.nextInt(HEAPS.length)] + "m");
    flags.add(collectors.get(random.nextInt(collectors.size())));
    if (random.nextInt(5) < vectors) {
      flags.add("--add-modules=jdk.incubator.vector");
    }
    return flags;
  }

  /** Settings of one JVM. */
  List<String> draw(SplittableRandom random) {
    List<String> flags = start(random, 3);
    add(flags, "UseAVX=" + random.nextInt(1, 4));
    compilers(flags, random);
    thresholds(flags, random);
    if (random.nextInt(5) < 3) {
      add(flags, "-BackgroundCompilation");
    }
    if (random.nextInt(4) == 0) {
      add(flags, "-UseOnStackReplacement");
    }
    // Half of the JVMs optimise as a server's does: many of these flags forbid what may be wrong.
    if (random.nextBoolean()) {
      stress(flags, random);
    }
    return flags;
  }

  private void stress(List<String> flags, SplittableRandom random) {
    for (String flag : STRESS) {
      if (random.nextInt(7) == 0) {
        add(flags, flag);
      }
    }
    add(flags, "StressSeed=" + random.nextInt(1, Integer.MAX_VALUE));
    for (String flag : OTHERS) {
      if (random.nextInt(12) == 0) {
        add(flags, flag);
      }
    }
  }

  private void compilers(List<String> flags, SplittableRandom random) {
    switch (random.nextInt(8)) {
      case 0 -> add(flags, "TieredStopAtLevel=1");
      case 1, 2 -> add(flags, "-TieredCompilation");
      default -> {}
    }
  }

  private void thresholds(List<String> flags, SplittableRandom random) {
    switch (random.nextInt(4)) {
      case 0, 1 -> {
        double scale = SCALES[random.nextInt(SCALES.length)];
        add(flags, "CompileThresholdScaling=" + String.format(Locale.ROOT, "%.3f", scale));
      }
      case 2 -> {
        int invocations = Ensembles.logarithmic(random, 10, 1000);
        add(flags, "Tier3InvocationThreshold=" + invocations);
        add(flags, "Tier3MinInvocationThreshold=" + invocations / 2);
        add(flags, "Tier3CompileThreshold=" + 10 * invocations);
        add(flags, "Tier4InvocationThreshold=" + 20 * invocations);
        add(flags, "Tier4MinInvocationThreshold=" + 2 * invocations);
        add(flags, "Tier4CompileThreshold=" + 50 * invocations);
        add(flags, "Tier4BackEdgeThreshold=" + 100 * invocations);
      }
      default -> {}
    }
  }

  /** Adds {@code +NAME}, {@code -NAME} or {@code NAME=VALUE} where the JVM has that flag. */
  private void add(List<String> flags, String flag) {
    String name = flag.replaceAll("^[+-]|=.*$", "");
    if (known.contains(name) && flags.stream().noneMatch(f -> f.matches("-XX:" + name + "=.*"))) {
      flags.add("-XX:" + flag);
    }
  }
}
