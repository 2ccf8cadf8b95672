// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.scorer;

import java.util.ArrayList;
import java.util.List;

/**
 * The devices beside the CPU that score in this process, for statistics. Immutable.
 *
 * @param devices those in use, lost ones included
 * @param unavailable why there are none; empty if there are some, or if none were looked for
 */
public record Accelerators(List<Device> devices, String unavailable) {
  /** Nothing was looked for. */
  public static final Accelerators NONE = new Accelerators(List.of(), "");

  public Accelerators {
    devices = List.copyOf(devices);
  }

  /**
   * One device.
   *
   * @param bytes of its memory that models and batches take
   * @param pinnedBytes of page-locked host memory, outside the heap
   * @param calls scored by it
   * @param failures calls it failed, which the CPU scored
   * @param lost why it is no longer used; empty while it is
   */
  public record Device(
      String name, long bytes, long pinnedBytes, long calls, long failures, String lost) {}

  /** Both lists in one, with the first reason that either gives. */
  public Accelerators and(Accelerators other) {
    List<Device> all = new ArrayList<>(devices);
    all.addAll(other.devices);
    String reason = unavailable.isEmpty() ? other.unavailable : unavailable;
    return new Accelerators(all, all.isEmpty() ? reason : "");
  }
}
