// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.gpu;

/** A call of the driver that failed. */
public final class CudaException extends RuntimeException {
  private static final long serialVersionUID = 1L;
  private static final int OUT_OF_MEMORY = 2;
  private static final int NOT_READY = 600;
  private static final int TIMEOUT = 702;

  private final int code;

  /**
   * @param call the driver's function
   * @param code its result, e.g. 719
   * @param name the result's name, e.g. {@code CUDA_ERROR_LAUNCH_FAILED}
   */
  public CudaException(String call, int code, String name) {
    super(call + ": " + name + " (" + code + ")");
    this.code = code;
  }

  /** Creates the exception for a device on which no stream became free. */
  static CudaException busy(String device) {
    return new CudaException(device, NOT_READY, "all streams are busy");
  }

  /** Creates the exception for a device that did not finish its work in time. */
  static CudaException hangs(String deadline) {
    return new CudaException("cuStreamQuery", TIMEOUT, "the work did not end within " + deadline);
  }

  /**
   * Returns whether the device still works: it had too little memory, or all its streams are busy.
   */
  public boolean passes() {
    return code == OUT_OF_MEMORY || code == NOT_READY;
  }
}
