// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.node;

import java.io.IOException;
import java.net.URI;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;

/**
 * An OpenSearch node in a separate process, on free loopback ports. It runs until {@link #close} is
 * called or this JVM ends. The file {@code node.log} in the data folder contains the node's output.
 * Safe for use by several threads.
 */
public final class RunningNode implements AutoCloseable {
  private static final Duration POLL = Duration.ofMillis(100);
  private static final Duration STOP = Duration.ofSeconds(30);
  private static final Pattern COMPILER = Pattern.compile("C[12] ");

  private final Process process;
  private final Thread stopOnExit;
  private final Path log;
  private final URI address;
  private final NodeClient client;

  private RunningNode(Process process, Thread stopOnExit, Path log, URI address) {
    this.process = process;
    this.stopOnExit = stopOnExit;
    this.log = log;
    this.address = address;
    this.client = new NodeClient(address);
  }

  /** Returns the OpenSearch folder of the Maven build, the system property {@code node.home}. */
  public static Path home() {
    String home = System.getProperty("node.home");
    if (home == null) {
      throw new IllegalStateException(
          "the system property node.home is not set; run with mvn verify");
    }
    return Path.of(home).toAbsolutePath().normalize();
  }

  /**
   * Starts a node, and returns when it answers HTTP requests.
   *
   * @param home an OpenSearch folder with {@code bin/start}
   * @param data an existing folder for the node's data, logs and settings
   * @param arguments further arguments of {@code bin/start}, which may set other ports
   * @param environment further environment variables of the node
   * @throws IOException with the end of the log, if the node ends or does not answer in time
   */
  public static RunningNode start(
      Path home,
      Path data,
      List<String> arguments,
      Map<String, String> environment,
      Duration deadline)
      throws IOException, InterruptedException {
    List<String> command =
        new ArrayList<>(
            List.of(home.resolve("bin/start").toString(), "--path-data", data.toString()));
    command.addAll(List.of("--http-port", "0", "--transport-port", "0"));
    command.addAll(arguments);
    Path log = data.resolve("node.log");
    Path ports = data.resolve("logs/http.ports");
    // The file of an earlier node contains a port that is not used any more.
    Files.deleteIfExists(ports);
    ProcessBuilder builder =
        new ProcessBuilder(command).redirectErrorStream(true).redirectOutput(log.toFile());
    builder.environment().put("JAVA_HOME", System.getProperty("java.home"));
    builder.environment().putAll(environment);
    Process process = builder.start();
    Thread stopOnExit = Thread.ofPlatform().unstarted(() -> stop(process));
    Runtime.getRuntime().addShutdownHook(stopOnExit);
    try {
      URI address = awaitAddress(process, ports, log, deadline);
      return new RunningNode(process, stopOnExit, log, address);
    } catch (IOException | InterruptedException | RuntimeException e) {
      stop(process);
      Runtime.getRuntime().removeShutdownHook(stopOnExit);
      throw e;
    }
  }

  /**
   * Waits until the node has written its address to the file {@code ports}, whose first line is
   * {@code host:port}. Returns the address.
   */
  private static URI awaitAddress(Process process, Path ports, Path log, Duration deadline)
      throws IOException, InterruptedException {
    long end = System.nanoTime() + deadline.toNanos();
    while (System.nanoTime() < end) {
      if (process.waitFor(POLL.toMillis(), TimeUnit.MILLISECONDS)) {
        throw new IOException(
            "the node ended with exit code "
                + process.exitValue()
                + "; its log ends:\n"
                + tail(log));
      }
      List<String> lines = Files.exists(ports) ? Files.readAllLines(ports) : List.of();
      if (!lines.isEmpty()) {
        return URI.create("http://" + lines.getFirst());
      }
    }
    throw new IOException(
        "the node did not answer within " + deadline + "; its log ends:\n" + tail(log));
  }

  private static String tail(Path log) throws IOException {
    List<String> lines = Files.readAllLines(log);
    return String.join("\n", lines.subList(Math.max(0, lines.size() - 30), lines.size()));
  }

  /** Returns the node's address without a path, such as {@code http://127.0.0.1:40123}. */
  public URI address() {
    return address;
  }

  /** Returns the client of this node. Safe for use by several threads. */
  public NodeClient client() {
    return client;
  }

  /**
   * Returns the processor time of the node's threads since its start, without the JIT compiler's
   * threads.
   *
   * @throws UnsupportedOperationException if the operating system does not report times of threads
   *     as Linux does
   */
  public Duration processorTime() {
    long nanos = 0;
    try (DirectoryStream<Path> threads =
        Files.newDirectoryStream(Path.of("/proc", Long.toString(process.pid()), "task"))) {
      for (Path thread : threads) {
        nanos += processorNanos(thread);
      }
    } catch (IOException e) {
      throw new UnsupportedOperationException(
          "the system does not provide processor times of threads", e);
    }
    return Duration.ofNanos(nanos);
  }

  private static long processorNanos(Path thread) throws IOException {
    try {
      return COMPILER.matcher(Files.readString(thread.resolve("comm"))).lookingAt()
          ? 0
          : Long.parseLong(Files.readString(thread.resolve("schedstat")).split(" ", 2)[0]);
    } catch (IOException e) {
      if (Files.exists(thread)) {
        throw e;
      }
      return 0; // The thread has just ended.
    }
  }

  /** Returns the path of the file with the node's output. */
  public Path log() {
    return log;
  }

  /** Returns the process id of the node. */
  public long pid() {
    return process.pid();
  }

  public boolean isAlive() {
    return process.isAlive();
  }

  /** Waits until the node ends by itself or is stopped. */
  public void await() throws InterruptedException {
    process.waitFor();
  }

  /** Kills the node's process, without a regular shutdown. */
  public void kill() throws InterruptedException {
    process.destroyForcibly().waitFor();
    forgetHook();
  }

  @Override
  public void close() {
    stop(process);
    forgetHook();
  }

  private void forgetHook() {
    try {
      Runtime.getRuntime().removeShutdownHook(stopOnExit);
    } catch (IllegalStateException e) {
      // This JVM is ending, and its shutdown hook stops the node.
    }
  }

  private static void stop(Process process) {
    process.destroy();
    try {
      if (!process.waitFor(STOP.toMillis(), TimeUnit.MILLISECONDS)) {
        process.destroyForcibly();
      }
    } catch (InterruptedException e) {
      process.destroyForcibly();
      Thread.currentThread().interrupt();
    }
  }
}
