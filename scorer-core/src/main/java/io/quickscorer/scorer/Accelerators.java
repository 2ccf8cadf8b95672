// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.scorer;

import java.util.ArrayList;
import java.util.List;

/**
 * The devices other than the CPU that score in this process, for statistics. Immutable.
 *
 * @param devices devices in use, lost ones included
 * @param unavailable why there are none; empty if there are some, or if none were searched for
 */
public record Accelerators(List<Device> devices, String unavailable) {
  /** No devices, and none were searched for. */
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

  /** Returns the devices of both, with the first reason that either has. */
  public Accelerators and(Accelerators other) {
    List<Device> all = new ArrayList<>(devices);
    all.addAll(other.devices);
    String reason = unavailable.isEmpty() ? other.unavailable : unavailable;
    return new Accelerators(all, all.isEmpty() ? reason : "");
  }
}
