package io.quickscorer.scorer.vector;

import java.util.List;
import java.util.stream.Stream;

/**
 * What this JVM offers of vectors, probed once: a missing module is a normal case, and so is a JVM
 * whose module does not fit.
 */
public final class VectorSupport {
  private static final String MODULE = "jdk.incubator.vector";
  private static final List<Integer> WIDTHS = probe();

  private VectorSupport() {}

  /** Usable vector widths in bits, ascending, of 128, 256 and 512; empty without the module. */
  public static List<Integer> widths() {
    return WIDTHS;
  }

  /** Why a width cannot be used here; empty if it can. */
  public static String unavailable(int bits) {
    if (WIDTHS.contains(bits)) {
      return "";
    }
    return WIDTHS.isEmpty()
        ? "module " + MODULE + " is not in this JVM"
        : "this CPU's vectors have " + WIDTHS.getLast() + " bits";
  }

  private static List<Integer> probe() {
    if (ModuleLayer.boot().findModule(MODULE).isEmpty()) {
      return List.of();
    }
    try {
      int widest = Species.widestBits();
      return Stream.of(128, 256, 512).filter(bits -> bits <= widest).toList();
    } catch (LinkageError e) {
      return List.of();
    }
  }
}
