// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.plugin.simulation;

import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.function.Consumer;
import org.opensearch.core.common.transport.TransportAddress;
import org.opensearch.test.disruption.DisruptableMockTransport.ConnectionStatus;

/**
 * The network between the processes: each message takes its own time, each direction can be cut.
 */
final class Network {
  private final Random random;
  private final Consumer<String> trace;
  private final Map<TransportAddress, SimulatedTransport> transports = new HashMap<>();
  private final Map<String, ConnectionStatus> links = new HashMap<>();
  private int maxDelay = 5;
  private double breaks;
  private String breaking = "";
  private int times;
  private int late;

  Network(Random random, Consumer<String> trace) {
    this.random = random;
    this.trace = trace;
  }

  void note(String event) {
    trace.accept(event);
  }

  void open(TransportAddress address, SimulatedTransport transport) {
    transports.put(address, transport);
  }

  void close(TransportAddress address) {
    transports.remove(address);
  }

  Optional<SimulatedTransport> transport(TransportAddress address) {
    return Optional.ofNullable(transports.get(address));
  }

  ConnectionStatus status(String from, String to) {
    return links.getOrDefault(from + ">" + to, ConnectionStatus.CONNECTED);
  }

  /** Cuts one direction. */
  void cut(String from, String to, ConnectionStatus how) {
    links.put(from + ">" + to, how);
  }

  /** Makes the network whole, and as fast and reliable as it was in the beginning. */
  void heal() {
    links.clear();
    maxDelay = 5;
    breaks = 0;
  }

  /**
   * Makes messages slower and connections less reliable.
   *
   * @param delay milliseconds that a message takes at most
   * @param share of the messages whose connection breaks
   */
  void disturb(int delay, double share) {
    maxDelay = delay;
    breaks = share;
  }

  /** Milliseconds that the next message takes; few take long. */
  int delay() {
    return 1 + (random.nextInt(10) == 0 ? random.nextInt(maxDelay * 4) : random.nextInt(maxDelay));
  }

  /**
   * Whether the connection of the next message breaks after it was sent; ours break more often, as
   * they are few.
   */
  boolean breaksConnection(String action) {
    if (times > 0 && action.equals(breaking)) {
      return true;
    }
    double share = action.startsWith("cluster:admin/quickscorer") ? 10 * breaks : breaks;
    return breaks > 0 && random.nextDouble() < share;
  }

  /**
   * Breaks the connections of the next messages of an action after they were sent.
   *
   * @param count of the messages
   * @param lateness milliseconds after which each arrives, though its sender has given it up
   */
  void breakNext(String action, int count, int lateness) {
    breaking = action;
    times = count;
    late = lateness;
  }

  /** Milliseconds by which a message is late whose connection has broken. */
  int lateness(String action) {
    if (times > 0 && action.equals(breaking)) {
      times--;
      return late;
    }
    return lateness();
  }

  /** Milliseconds by which a message is late that the sender has given up. */
  int lateness() {
    return 1 + random.nextInt(random.nextBoolean() ? 2_000 : 60_000);
  }

  /** Milliseconds after which a message is sent again that the network dropped. */
  int repetition() {
    return 500 + random.nextInt(3_000);
  }
}
