// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.plugin.rescore;

import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.IntStream;
import org.opensearch.test.OpenSearchTestCase;

public class TeamDraftTests extends OpenSearchTestCase {
  private static List<String> ranking(int size) {
    List<String> keys = new ArrayList<>(IntStream.range(0, 40).mapToObj(i -> "d" + i).toList());
    Collections.shuffle(keys, random());
    return keys.subList(0, size);
  }

  public void testEachTeamPicksItsBestThatIsLeftAndTeamsKeepPace() {
    for (int round = 0; round < 200; round++) {
      List<List<String>> rankings =
          List.of(ranking(randomIntBetween(0, 40)), ranking(randomIntBetween(0, 40)));
      int size = randomIntBetween(0, 50);
      List<TeamDraft.Pick> picks =
          TeamDraft.draft(rankings.get(0), rankings.get(1), size, randomLong());
      Set<String> taken = new HashSet<>();
      int[] picked = new int[2];
      for (TeamDraft.Pick pick : picks) {
        assertEquals(best(rankings.get(pick.team()), taken), pick.rank());
        boolean otherHasNone =
            best(rankings.get(1 - pick.team()), taken) == rankings.get(1 - pick.team()).size();
        assertTrue(otherHasNone || picked[pick.team()] <= picked[1 - pick.team()]);
        picked[pick.team()]++;
        assertTrue(taken.add(rankings.get(pick.team()).get(pick.rank())));
      }
      Set<String> all = new HashSet<>(rankings.get(0));
      all.addAll(rankings.get(1));
      assertEquals(Math.min(size, all.size()), picks.size());
    }
  }

  private static int best(List<String> ranking, Set<String> taken) {
    int rank = 0;
    while (rank < ranking.size() && taken.contains(ranking.get(rank))) {
      rank++;
    }
    return rank;
  }

  public void testSeedAloneDecidesAndPagesFitTogether() {
    List<String> a = ranking(30);
    List<String> b = ranking(30);
    long seed = randomLong();
    List<TeamDraft.Pick> whole = TeamDraft.draft(a, b, 30, seed);
    for (int size = 0; size < 30; size++) {
      assertEquals(
          whole.subList(0, size),
          TeamDraft.draft(a.subList(0, size), b.subList(0, size), size, seed));
    }
  }

  public void testEitherModelIsFirstAboutHalfTheTime() {
    List<String> a = List.of("x", "y");
    List<String> b = List.of("y", "x");
    long first =
        IntStream.range(0, 1_000)
            .filter(seed -> TeamDraft.draft(a, b, 1, seed).getFirst().team() == 0)
            .count();
    assertTrue("of 1000: " + first, first > 400 && first < 600);
  }
}
