// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.demo;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.WebSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

/** A Chromium or Chrome process without a window, controlled by the DevTools protocol. */
final class HeadlessBrowser implements AutoCloseable {
  private static final List<String> PROGRAMS =
      List.of("chromium", "chromium-browser", "google-chrome");
  private static final Duration POLL = Duration.ofMillis(100);
  private static final Duration DEADLINE = Duration.ofMinutes(2);
  private static final JsonMapper JSON = new JsonMapper();

  private final Process process;
  private final HttpClient http = HttpClient.newHttpClient();
  private final BlockingQueue<String> messages = new LinkedBlockingQueue<>();
  private final WebSocket socket;
  private int commands;

  /**
   * Starts a browser with one empty page.
   *
   * @param profile a new folder for the browser's data
   * @param width the width of the page in pixels
   * @throws IOException if no browser is installed, or the browser does not start
   */
  HeadlessBrowser(Path profile, int width) throws IOException, InterruptedException {
    List<String> command = new ArrayList<>(List.of(program(), "--headless", "--disable-gpu"));
    // The browser's sandbox does not work for root in a container, and the pages can be trusted.
    command.addAll(List.of("--no-sandbox", "--disable-dev-shm-usage", "--hide-scrollbars"));
    command.addAll(List.of("--remote-debugging-port=0", "--blink-settings=preferredColorScheme=1"));
    command.addAll(List.of("--user-data-dir=" + profile, "--window-size=" + width + ",1000"));
    command.add("about:blank");
    process =
        new ProcessBuilder(command)
            .redirectErrorStream(true)
            .redirectOutput(ProcessBuilder.Redirect.DISCARD)
            .start();
    try {
      String pages = "http://127.0.0.1:" + port(profile.resolve("DevToolsActivePort")) + "/json";
      String list =
          http.send(
                  HttpRequest.newBuilder(URI.create(pages)).build(),
                  HttpResponse.BodyHandlers.ofString())
              .body();
      JsonNode page =
          JSON.readTree(list)
              .valueStream()
              .filter(target -> target.path("type").asString("").equals("page"))
              .findFirst()
              .orElseThrow(() -> new IOException("found no page in the browser: " + list));
      URI address = URI.create(page.get("webSocketDebuggerUrl").asString());
      socket = http.newWebSocketBuilder().buildAsync(address, new Received()).join();
    } catch (IOException | InterruptedException | RuntimeException e) {
      process.destroy();
      http.close();
      throw e;
    }
  }

  private static String program() throws IOException {
    List<String> folders = List.of(System.getenv("PATH").split(":"));
    return PROGRAMS.stream()
        .filter(name -> folders.stream().anyMatch(f -> Files.isExecutable(Path.of(f, name))))
        .findFirst()
        .orElseThrow(
            () -> new IOException("none of " + PROGRAMS + " is on the PATH; install Chromium"));
  }

  /**
   * Waits until the browser has written a file that begins with the port of the DevTools protocol,
   * and returns the port.
   */
  private String port(Path file) throws IOException, InterruptedException {
    long end = System.nanoTime() + DEADLINE.toNanos();
    while (System.nanoTime() < end && !process.waitFor(POLL.toMillis(), TimeUnit.MILLISECONDS)) {
      try (Stream<String> lines = Files.exists(file) ? Files.lines(file) : Stream.empty()) {
        List<String> written = lines.toList();
        if (written.size() > 1) {
          return written.getFirst();
        }
      }
    }
    throw new IOException("the browser did not start within " + DEADLINE);
  }

  /** Opens a page in the browser, and waits until it is loaded. */
  void open(URI address) throws IOException, InterruptedException {
    send("Page.navigate", JSON.createObjectNode().put("url", address.toString()));
    await("location.href !== 'about:blank' && document.readyState === 'complete'");
  }

  /** Waits until a JavaScript expression is true in the page. */
  void await(String condition) throws IOException, InterruptedException {
    long end = System.nanoTime() + DEADLINE.toNanos();
    while (!evaluate(condition).asBoolean(false)) {
      if (System.nanoTime() > end) {
        throw new IOException("the page did not reach [" + condition + "] within " + DEADLINE);
      }
      process.waitFor(POLL.toMillis(), TimeUnit.MILLISECONDS);
    }
  }

  /** Returns the value of a JavaScript expression in the page. */
  JsonNode evaluate(String expression) throws IOException, InterruptedException {
    JsonNode result =
        send(
            "Runtime.evaluate",
            JSON.createObjectNode().put("expression", expression).put("returnByValue", true));
    if (result.has("exceptionDetails")) {
      throw new IOException(expression + " failed: " + result.get("exceptionDetails"));
    }
    return result.at("/result/value");
  }

  /** Writes a PNG picture of the page from {@code top} to {@code bottom}, in pixels. */
  void takePicture(double top, double bottom, Path file) throws IOException, InterruptedException {
    ObjectNode arguments =
        JSON.createObjectNode().put("format", "png").put("captureBeyondViewport", true);
    ObjectNode clip = arguments.putObject("clip").put("x", 0).put("y", top).put("scale", 1);
    clip.put("width", evaluate("innerWidth").asDouble()).put("height", bottom - top);
    String picture = send("Page.captureScreenshot", arguments).get("data").asString();
    Files.write(file, Base64.getDecoder().decode(picture));
  }

  /** Sends a command of the DevTools protocol to the browser, and returns its result. */
  private JsonNode send(String method, ObjectNode arguments)
      throws IOException, InterruptedException {
    commands++;
    ObjectNode command = JSON.createObjectNode().put("id", commands).put("method", method);
    command.set("params", arguments);
    socket.sendText(command.toString(), true).join();
    while (true) {
      String message = messages.poll(DEADLINE.toMillis(), TimeUnit.MILLISECONDS);
      if (message == null) {
        throw new IOException("no response to " + method + " within " + DEADLINE);
      }
      JsonNode response = JSON.readTree(message);
      if (response.path("id").asInt(0) == commands) {
        if (response.has("error")) {
          throw new IOException(method + " failed: " + response.get("error"));
        }
        return response.get("result");
      }
    }
  }

  @Override
  public void close() {
    socket.abort();
    http.close();
    process.destroy();
  }

  /** Receives the browser's messages, which may arrive in several parts, and joins the parts. */
  private final class Received implements WebSocket.Listener {
    private final StringBuilder message = new StringBuilder();

    @Override
    public @Nullable CompletionStage<?> onText(WebSocket from, CharSequence part, boolean last) {
      message.append(part);
      if (last) {
        messages.add(message.toString());
        message.setLength(0);
      }
      from.request(1);
      return null;
    }
  }
}
