package io.quickscorer.plugin.model;

import org.opensearch.common.settings.Settings;
import org.opensearch.core.common.breaker.CircuitBreaker;
import org.opensearch.indices.breaker.BreakerSettings;
import org.opensearch.monitor.jvm.JvmInfo;

/**
 * The memory that models may take on this node: bytes are reserved before they are taken. Safe for
 * use by several threads.
 */
public final class ModelBreaker {
  /** The breaker's name: its limit is {@code breaker.quickscorer.limit}. */
  public static final String NAME = "quickscorer";

  private static final double HEAP_SHARE = 0.25;

  private final CircuitBreaker breaker;

  public ModelBreaker(CircuitBreaker breaker) {
    this.breaker = breaker;
  }

  /** A quarter of the heap, unless the node's settings say otherwise. */
  public static BreakerSettings settings(Settings settings) {
    long heap = JvmInfo.jvmInfo().getMem().getHeapMax().getBytes();
    BreakerSettings byDefault = new BreakerSettings(NAME, (long) (heap * HEAP_SHARE), 1.0);
    return BreakerSettings.updateFromSettings(byDefault, settings);
  }

  /**
   * Reserves bytes until the reservation is closed.
   *
   * @param label what they are for; stands in the message of a refusal
   * @throws org.opensearch.core.common.breaker.CircuitBreakingException (429) if that is too much
   */
  public Reservation reserve(long bytes, String label) {
    breaker.addEstimateBytesAndMaybeBreak(bytes, label);
    return new Reservation(bytes, label);
  }

  public CircuitBreaker breaker() {
    return breaker;
  }

  /** Bytes held until closed. Safe for use by several threads. */
  public final class Reservation implements AutoCloseable {
    private final String label;
    private long bytes;

    private Reservation(long bytes, String label) {
      this.bytes = bytes;
      this.label = label;
    }

    /** Makes it that many bytes; only growing can be refused, and then nothing changes. */
    public synchronized void resize(long newBytes) {
      if (newBytes > bytes) {
        breaker.addEstimateBytesAndMaybeBreak(newBytes - bytes, label);
      } else {
        breaker.addWithoutBreaking(newBytes - bytes);
      }
      bytes = newBytes;
    }

    public synchronized long bytes() {
      return bytes;
    }

    /** Gives the bytes back, once. */
    @Override
    public synchronized void close() {
      breaker.addWithoutBreaking(-bytes);
      bytes = 0;
    }
  }
}
