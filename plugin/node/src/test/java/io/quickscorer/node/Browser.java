// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.node;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Assumptions;

/**
 * A browser without a window.
 *
 * @param program what it is called here
 * @param folder of its profile
 */
record Browser(String program, Path folder) {
  /** Widths in pixels of a desk, of a tablet and of a hand. */
  static final List<Integer> WIDTHS = List.of(1280, 820, 390);

  /**
   * Function {@code measure()} for a page's script; it adds a paragraph that says which texts of
   * plots are not wholly within their plot, which are tiny, which lie over another, and whether the
   * page is wider than the window.
   */
  static final String RULER =
      """
      function measure() {
        const cut = [], tiny = [], over = [];
        for (const svg of document.querySelectorAll("svg")) {
          const box = svg.getBoundingClientRect(), seen = [];
          for (const text of svg.querySelectorAll("text")) {
            const at = text.getBoundingClientRect();
            if (at.left < box.left - 0.5 || at.right > box.right + 0.5
                || at.top < box.top - 0.5 || at.bottom > box.bottom + 0.5) cut.push(text.textContent);
            if (at.height < 9) tiny.push(text.textContent);
            if (seen.some(of => at.left < of.right && of.left < at.right
                && at.top < of.bottom - 1 && of.top < at.bottom - 1)) over.push(text.textContent);
            seen.push(at);
          }
        }
        const wide = document.documentElement.scrollWidth > innerWidth;
        document.body.insertAdjacentHTML("beforeend", "<p id=measured></p>");
        document.getElementById("measured").textContent =
          "cut [" + cut + "] tiny [" + tiny + "] over [" + over + "] wide " + wide;
      }
      """;

  private static final int HEIGHT = 6000;

  /** The one that is installed; skips the calling test, saying why, where none is. */
  static Browser orSkip(Path folder) {
    String program =
        List.of("chromium", "chromium-browser", "google-chrome").stream()
            .filter(Program::isInstalled)
            .findFirst()
            .orElseGet(
                () ->
                    Assumptions.abort(
                        "no chromium, chromium-browser or google-chrome is installed"));
    return new Browser(program, folder);
  }

  /** A page as it stands once its script has run. */
  String page(String address, int width) throws IOException, InterruptedException {
    return run(address, width, List.of("--dump-dom"));
  }

  /** Fails unless a page that has been measured has nothing that cannot be read. */
  static void checkMeasured(String page, int width) {
    int at = page.indexOf("<p id=\"measured\">");
    assertTrue(at > 0, page);
    assertEquals(
        "<p id=\"measured\">cut [] tiny [] over [] wide false",
        page.substring(at, page.indexOf("</p>", at)),
        width + " pixels");
  }

  /** Pictures of a page, to be looked at: {@code target/screenshots/NAME-WIDTH-THEME.png}. */
  void takeScreenshots(String address, String name) throws IOException, InterruptedException {
    Path target = Files.createDirectories(Path.of("target", "screenshots")).toAbsolutePath();
    for (int width : WIDTHS) {
      for (boolean dark : List.of(false, true)) {
        Path picture = target.resolve(name + "-" + width + (dark ? "-dark.png" : "-light.png"));
        run(
            address,
            width,
            List.of(
                "--hide-scrollbars",
                "--screenshot=" + picture,
                "--blink-settings=preferredColorScheme=" + (dark ? 0 : 1)));
      }
    }
  }

  private String run(String address, int width, List<String> options)
      throws IOException, InterruptedException {
    List<String> command = new ArrayList<>();
    command.add(program);
    command.addAll(List.of("--headless", "--no-sandbox", "--disable-gpu"));
    command.addAll(List.of("--disable-dev-shm-usage", "--virtual-time-budget=8000"));
    command.add("--window-size=" + width + "," + HEIGHT);
    command.add("--user-data-dir=" + folder.resolve("profile"));
    command.addAll(options);
    command.add(address);
    return Program.run(folder, "", command.toArray(String[]::new));
  }
}
