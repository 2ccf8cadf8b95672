// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.plugin.docs;

import java.io.IOException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.opensearch.test.OpenSearchTestCase;

/** All pages of the repository: their links, their code blocks and their English. */
public class DocumentationRulesTests extends OpenSearchTestCase {
  private static final Pattern LINK = Pattern.compile("\\[[^\\]]*]\\(([^)\\s]+)\\)");
  private static final Pattern CODE = Pattern.compile("`[^`]*`");

  /** The tests that run code blocks, by page and language. */
  private static final Map<String, String> RUNNERS =
      Map.of(
          "plugin/docs/tutorial.md sh", "TutorialIT",
          "scorer-core/docs/library.md java", "LibraryExampleTest");

  private static final Pattern PURPOSE =
      Pattern.compile("\\*(Tutorial|How-to|Reference|Explanation)\\.\\* .+");

  private static final Set<String> WITHOUT_PURPOSE =
      Set.of("README.md", "CHANGELOG.md", ".github/pull_request_template.md");

  /** Of pages whose requests {@link DocumentedRequestsTests} sends. */
  private static final String PLUGIN = "plugin/docs/";

  private static void assertEmpty(List<?> problems) {
    assertEquals(
        problems.stream().map(Object::toString).collect(Collectors.joining("\n", "\n", "\n")),
        0,
        problems.size());
  }

  private static List<String> brokenLinks(MarkdownPage page, Map<Path, MarkdownPage> pages) {
    List<String> broken = new ArrayList<>();
    for (int i = 0; i < page.text().size(); i++) {
      Matcher link = LINK.matcher(CODE.matcher(page.text().get(i)).replaceAll("`x`"));
      while (link.find()) {
        String target = link.group(1);
        if (!target.matches("(https?|mailto):.*") && !resolves(page, target, pages)) {
          broken.add(page.name() + ":" + (i + 1) + ": " + target);
        }
      }
    }
    return broken;
  }

  private static boolean resolves(MarkdownPage page, String link, Map<Path, MarkdownPage> pages) {
    String[] parts = link.split("#", 2);
    Path file = parts[0].isEmpty() ? page.file() : page.file().resolveSibling(parts[0]).normalize();
    if (parts.length == 1) {
      return Files.exists(file);
    }
    MarkdownPage target = file.equals(page.file()) ? page : pages.get(file);
    return target != null && target.anchors().contains(parts[1]);
  }

  public void testLinksAndAnchorsResolve() throws Exception {
    List<MarkdownPage> all = MarkdownPage.all();
    Map<Path, MarkdownPage> pages = new HashMap<>();
    all.forEach(page -> pages.put(page.file(), page));
    assertEmpty(all.stream().flatMap(page -> brokenLinks(page, pages).stream()).toList());
    assertTrue(all.size() + " pages", all.size() > 40);
  }

  /** Why a block of code is neither run nor marked; empty if it is. */
  private static String unrun(MarkdownPage page, int number) {
    MarkdownPage.Fence fence = page.fences().get(number);
    boolean sent = page.name().startsWith(PLUGIN);
    boolean run =
        fence.reason() != null
            || Set.of("text", "").contains(fence.language())
            || RUNNERS.containsKey(page.name() + " " + fence.language())
            || sent && fence.language().equals("http")
            || sent && fence.language().equals("json") && isResponse(page, number);
    return run
        ? ""
        : page.name()
            + ":"
            + fence.line()
            + ": no test runs this block, and no"
            + " comment <!-- not run: reason --> is above it";
  }

  private static boolean isResponse(MarkdownPage page, int number) {
    return number > 0
        && DocumentedRequestsTests.follows(
            page.fences().get(number - 1), page.fences().get(number));
  }

  public void testCodeIsRunOrSaysWhyNot() throws Exception {
    List<String> problems = new ArrayList<>();
    for (MarkdownPage page : MarkdownPage.all()) {
      for (int i = 0; i < page.fences().size(); i++) {
        problems.add(unrun(page, i));
      }
      for (int i = 1; i < page.text().size(); i++) {
        if (page.text().get(i).startsWith("    ") && page.text().get(i - 1).isBlank()) {
          problems.add(page.name() + ":" + (i + 1) + ": a block of code without fences");
        }
      }
    }
    problems.removeIf(String::isEmpty);
    assertEmpty(problems);
  }

  public void testTheRunnersOfCodeExist() throws Exception {
    Set<String> classes = new TreeSet<>();
    for (Path source : sources("test")) {
      classes.add(source.getFileName().toString().replace(".java", ""));
    }
    assertTrue(classes.toString(), classes.containsAll(RUNNERS.values()));
  }

  public void testPagesAreInPlainEnglish() throws Exception {
    PlainEnglish rules = PlainEnglish.read();
    Set<String> used = new TreeSet<>();
    List<PlainEnglish.Problem> problems = new ArrayList<>();
    for (MarkdownPage page : MarkdownPage.all()) {
      problems.addAll(rules.problems(page, used));
    }
    assertEmpty(problems);
    assertEquals("exceptions that no line needs", rules.allowed(), used);
  }

  /** A tutorial, a how-to, a reference or an explanation. */
  public void testPagesSayTheirPurposeFirst() throws Exception {
    List<String> problems = new ArrayList<>();
    for (MarkdownPage page : MarkdownPage.all()) {
      boolean first = page.lines().stream().limit(4).anyMatch(PURPOSE.asMatchPredicate());
      if (!first && !WITHOUT_PURPOSE.contains(page.name())) {
        problems.add(page.name());
      }
    }
    assertEmpty(problems);
  }

  public void testMainCodeHasNoMoreOfOurIdiom() throws Exception {
    List<Path> sources = sources("main");
    List<String> problems = new ArrayList<>();
    for (Map.Entry<Pattern, Integer> rule : PlainEnglish.read().code().entrySet()) {
      List<String> found = PlainEnglish.occurrences(rule.getKey(), sources);
      if (found.size() > rule.getValue()) {
        problems.add(rule.getKey() + ": " + found.size() + ", at most " + rule.getValue());
        problems.addAll(found);
      }
    }
    assertEmpty(problems);
    assertTrue(sources.size() + " sources", sources.size() > 700);
  }

  /**
   * Returns the Java files of one half of all modules. Folders of builds are not entered: other
   * modules may be running their tests there.
   */
  private static List<Path> sources(String half) throws IOException {
    List<Path> sources = new ArrayList<>();
    for (String module : List.of("plugin", "scorer-core", "gpu")) {
      Files.walkFileTree(
          MarkdownPage.REPOSITORY.resolve(module),
          new SimpleFileVisitor<>() {
            @Override
            public FileVisitResult preVisitDirectory(Path folder, BasicFileAttributes attributes) {
              return folder.endsWith("target")
                  ? FileVisitResult.SKIP_SUBTREE
                  : FileVisitResult.CONTINUE;
            }

            @Override
            public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) {
              String name = file.toString().replace('\\', '/');
              if (name.endsWith(".java") && name.contains("/src/" + half + "/java/")) {
                sources.add(file);
              }
              return FileVisitResult.CONTINUE;
            }
          });
    }
    return sources;
  }

  /** Sentences that were in our pages, and what they became. */
  public void testPlantedSentencesAreFound() throws Exception {
    PlainEnglish rules = PlainEnglish.read();
    for (String bad :
        List.of(
            "Mended: an alias moved.",
            "Nobody reads it.",
            "Going back to it then is a 404.",
            "It is stored anew.",
            "The value stands there once.",
            "It is in the Java registry.",
            "What no request could use returns 400.",
            "That the model has ranked is seen in the response.",
            "Of distances, less is closer.",
            "Where it has no value, the score stays as it is.",
            "a b c d e f g h i j k l m n o p q r s t u v w x y z")) {
      assertFalse(bad, rules.broken(bad, true).isEmpty());
      MarkdownPage page =
          MarkdownPage.of(MarkdownPage.REPOSITORY.resolve("x.md"), List.of("# X", "", "- " + bad));
      assertEquals(bad, 1, rules.problems(page, new TreeSet<>()).size());
    }
    MarkdownPage wrapped =
        MarkdownPage.of(
            MarkdownPage.REPOSITORY.resolve("x.md"),
            List.of("A sentence that", "goes on.", "- An item.", "- Another", "", "Last"));
    assertEquals(
        List.of(1),
        rules.problems(wrapped, new TreeSet<>()).stream().map(PlainEnglish.Problem::line).toList());
    for (String good :
        List.of(
            "Fixed: an alias moved.",
            "`_rollback` then returns 404.",
            "What does an upload do?",
            "That is the next query.",
            "For distances, smaller is closer.")) {
      assertEquals(good, "", rules.broken(good, true));
    }
  }

  public void testPlantedLinksAndBlocksAreFound() {
    Path file = MarkdownPage.REPOSITORY.resolve("plugin/docs/planted.md");
    MarkdownPage page =
        MarkdownPage.of(
            file,
            List.of(
                "# A page: `x`",
                "[a](#a-page-x), [b](#b), [c](none.md), [d](rest-api.md), `[e](none.md)`",
                "```sh",
                "true",
                "```",
                "<!-- not run: planted -->",
                "```json",
                "{}",
                "```"));
    assertEquals(
        List.of("plugin/docs/planted.md:2: #b", "plugin/docs/planted.md:2: none.md"),
        brokenLinks(page, Map.of()));
    assertTrue(unrun(page, 0), unrun(page, 0).startsWith("plugin/docs/planted.md:3: "));
    assertEquals("", unrun(page, 1));
    expectThrows(AssertionError.class, () -> MarkdownPage.of(file, List.of("```")));
  }
}
