// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.plugin.rescore.shard;

import java.util.ArrayList;
import java.util.List;
import java.util.TreeSet;
import org.opensearch.test.OpenSearchTestCase;

public class DocSetTests extends OpenSearchTestCase {
  public void testItGrowsAsAnySet() {
    DocSet set = new DocSet();
    TreeSet<Integer> expected = new TreeSet<>();
    for (int i = 0; i < 200; i++) {
      int[] docs = random().ints(random().nextInt(9), -300, 300).sorted().distinct().toArray();
      for (int doc : docs) {
        expected.add(doc);
      }
      set.add(docs);
      int asked = random().nextInt(600) - 300;
      assertEquals(expected.contains(asked), set.contains(asked));
      if (random().nextInt(10) == 0) {
        assertEquals(expected.size(), set.size());
        List<Integer> all = new ArrayList<>(set);
        assertEquals(new ArrayList<>(expected), all);
      }
    }
  }
}
