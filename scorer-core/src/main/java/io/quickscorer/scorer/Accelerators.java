// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.scorer;

import java.util.ArrayList;
import java.util.List;

/**
 * The devices other than the CPU that score models in this process, for statistics. Immutable.
 *
 * @param devices the devices in use, and those that are no longer used after a failure
 * @param unavailable the reason why there is no device; empty if there are devices, or if the
 *     process has not yet searched for any
 */
public record Accelerators(List<Device> devices, String unavailable) {
  /** The value for a process that has not searched for devices yet. */
  public static final Accelerators NONE = new Accelerators(List.of(), "");

  public Accelerators {
    devices = List.copyOf(devices);
  }

  /**
   * A device and its counts since the process started.
   *
   * @param bytes the bytes of the device's memory that models and batches occupy
   * @param pinnedBytes the bytes of page-locked host memory, which are outside the heap
   * @param calls the number of calls that the device scored
   * @param failures the number of calls that failed on the device, and that the CPU scored instead
   * @param lost why the device is no longer used; empty while it is used
   */
  public record Device(
      String name, long bytes, long pinnedBytes, long calls, long failures, String lost) {}

  /**
   * Returns the devices of both objects in one list. If there is no device, the result has this
   * object's reason or, if that is empty, the reason of {@code other}.
   */
  public Accelerators and(Accelerators other) {
    List<Device> all = new ArrayList<>(devices);
    all.addAll(other.devices);
    String reason = unavailable.isEmpty() ? other.unavailable : unavailable;
    return new Accelerators(all, all.isEmpty() ? reason : "");
  }
}
