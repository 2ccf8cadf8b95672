// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.plugin.docs;

import static java.util.stream.Collectors.joining;
import static org.junit.jupiter.api.Assertions.assertAll;
import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** All pages of the repository, as LanguageTool reads them. */
final class ProseTest {
  private static List<String> rules(Prose prose, String text) throws Exception {
    MarkdownPage page =
        MarkdownPage.of(MarkdownPage.REPOSITORY.resolve("planted.md"), List.of("# X", "", text));
    return prose.problems(page).stream()
        .map(problem -> problem.line() + " " + problem.rule())
        .toList();
  }

  @Test
  void pagesHaveNoMistakes() throws Exception {
    Prose prose = Prose.read();
    List<Prose.Problem> problems = new ArrayList<>();
    for (MarkdownPage page : MarkdownPage.all()) {
      problems.addAll(prose.problems(page));
    }
    assertAll(
        () -> assertEquals("", problems.stream().map(Object::toString).collect(joining("\n"))),
        () -> assertEquals(Set.of(), prose.unused(), "exceptions that no page needs"));
  }

  @Test
  void plantedMistakesAreFound() throws Exception {
    Prose prose = Prose.read();
    assertEquals(List.of("3 IT_VBZ"), rules(prose, "It score all hits."));
    assertEquals(List.of("3 ENGLISH_WORD_REPEAT_RULE"), rules(prose, "- The the model is fast."));
    assertEquals(
        List.of("3 MORFOLOGIK_RULE_EN_GB"), rules(prose, "| `a` | a [modle](x.md) of trees |"));
    assertEquals(List.of("3 EN_A_VS_AN"), rules(prose, "It is a index."));
    assertEquals(List.of(), rules(prose, "The `modle` is an `model` of `a a` **LightGBM**."));
  }
}
