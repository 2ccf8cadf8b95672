// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.gpu;

import java.time.Duration;

/** Thrown if a call of the CUDA driver failed. */
public final class CudaException extends RuntimeException {
  private static final long serialVersionUID = 1L;
  private static final int OUT_OF_MEMORY = 2;
  private static final int NOT_READY = 600;
  private static final int TIMEOUT = 702;

  private final int code;

  /**
   * Creates the exception for a failed call.
   *
   * @param call the driver's function
   * @param code the driver's result code, such as 719
   * @param name the name of the result code, such as {@code CUDA_ERROR_LAUNCH_FAILED}
   */
  public CudaException(String call, int code, String name) {
    super(call + ": " + name + " (" + code + ")");
    this.code = code;
  }

  static CudaException busy(String device) {
    return new CudaException(device, NOT_READY, "all streams of the device are busy");
  }

  /** Creates the exception for a device that did not finish its work in time. */
  static CudaException hangs(String call, Duration limit) {
    String name = "the work did not end within " + limit.toMillis() + " ms";
    return new CudaException(call, TIMEOUT, name);
  }

  boolean timedOut() {
    return code == TIMEOUT;
  }

  /** Returns whether the failure may pass: too little memory, or no free stream. */
  public boolean passes() {
    return code == OUT_OF_MEMORY || code == NOT_READY;
  }
}
