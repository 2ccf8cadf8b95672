// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.gpu;

/** A call of the driver that failed. */
public final class CudaException extends RuntimeException {
  private static final long serialVersionUID = 1L;
  private static final int OUT_OF_MEMORY = 2;

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

  /** Whether the device had too little memory, after which it works as before. */
  public boolean outOfMemory() {
    return code == OUT_OF_MEMORY;
  }
}
