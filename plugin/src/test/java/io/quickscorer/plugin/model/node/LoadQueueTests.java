// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.plugin.model.node;

import io.quickscorer.plugin.model.ModelAlias;
import io.quickscorer.plugin.model.ModelId;
import io.quickscorer.plugin.model.ModelManifest;
import io.quickscorer.plugin.model.ModelsMetadata;
import io.quickscorer.plugin.model.node.LoadQueue.Place;
import io.quickscorer.plugin.model.node.ModelRegistry.Purpose;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.opensearch.common.unit.TimeValue;
import org.opensearch.test.OpenSearchTestCase;

public class LoadQueueTests extends OpenSearchTestCase {
  private final Set<String> awaited = new HashSet<>();
  private final Map<String, Place> places = new HashMap<>();
  private final List<String> begun = new ArrayList<>();
  private final AtomicBoolean readable = new AtomicBoolean(true);
  private final AtomicLong now = new AtomicLong(1_000);
  private final AtomicLong searches = new AtomicLong();
  private final List<TimeValue> rests = new ArrayList<>();
  private final Deque<Runnable> rested = new ArrayDeque<>();

  private static ModelManifest manifest(String name, long created) {
    return new ModelManifest(
        new ModelId(name, "1"), "key", "", 1, 1, 1, 1, created, ModelManifest.Checksums.NONE);
  }

  private LoadQueue queue(int at) {
    return new LoadQueue(
        at,
        Runnable::run,
        Runnable::run,
        readable::get,
        id -> awaited.contains(id.name()),
        new LoadOrder(name -> 0),
        new LoadPace(now::get, searches::get, this::schedule));
  }

  private void schedule(Runnable task, TimeValue delay) {
    rests.add(delay);
    rested.add(task);
  }

  private void add(LoadQueue queue, String name, Purpose purpose) {
    queue.add(
        manifest(name, 1),
        purpose,
        place -> {
          begun.add(name);
          places.put(name, place);
        });
  }

  private void end(String name) {
    places.get(name).close();
    places.get(name).close();
  }

  public void testWhatASearchWaitsForIsLoadedBeforeOthers() {
    LoadQueue queue = queue(1);
    for (String name : List.of("a", "b", "c", "d", "e")) {
      add(queue, name, Purpose.CURRENT);
    }
    add(queue, "upload", Purpose.AHEAD);
    assertEquals(List.of("a"), begun);
    awaited.add("d");
    queue.next();
    // Beside the one that is under way, and only one.
    assertEquals(List.of("a", "d"), begun);
    awaited.add("e");
    queue.next();
    assertEquals(List.of("a", "d"), begun);
    end("a");
    assertEquals(List.of("a", "d", "e"), begun);
    end("e");
    assertEquals(List.of("a", "d", "e", "upload"), begun);
    end("d");
    assertEquals(4, begun.size());
    end("upload");
    end("b");
    end("c");
    assertEquals(List.of("a", "d", "e", "upload", "b", "c"), begun);
  }

  public void testNothingBeginsBeforeItCanBeRead() {
    readable.set(false);
    LoadQueue queue = queue(2);
    add(queue, "a", Purpose.CURRENT);
    add(queue, "b", Purpose.PINNED);
    assertEquals(List.of(), begun);
    readable.set(true);
    queue.next();
    assertEquals(List.of("a", "b"), begun);
  }

  public void testANodeThatSearchesRestsAfterALoadThatNobodyWaitsFor() {
    LoadQueue queue = queue(1);
    for (String name : List.of("a", "b", "c", "d")) {
      add(queue, name, Purpose.CURRENT);
    }
    now.addAndGet(70);
    end("a");
    assertEquals("no rest where nobody searches", List.of("a", "b"), begun);
    searches.incrementAndGet();
    now.addAndGet(30);
    end("b");
    assertEquals(List.of("a", "b"), begun);
    assertEquals(List.of(new TimeValue(30, TimeUnit.NANOSECONDS)), rests);
    // What somebody waits for does not wait for the rest.
    add(queue, "upload", Purpose.AHEAD);
    awaited.add("d");
    queue.next();
    assertEquals(List.of("a", "b", "upload", "d"), begun);
    end("upload");
    end("d");
    assertEquals(4, begun.size());
    rested.remove().run();
    assertEquals("c", begun.getLast());
    searches.incrementAndGet();
    end("c");
    rested.remove().run();
    assertEquals(5, begun.size());
  }

  public void testClosedQueueBeginsNothing() {
    LoadQueue queue = queue(1);
    add(queue, "a", Purpose.CURRENT);
    add(queue, "b", Purpose.CURRENT);
    assertEquals("b", queue.close().getFirst().id().name());
    end("a");
    add(queue, "c", Purpose.CURRENT);
    assertEquals(List.of("a"), begun);
  }

  public void testLoadsAtATimeAreBounded() throws Exception {
    int most = randomIntBetween(1, 3);
    int loads = 200;
    AtomicInteger running = new AtomicInteger();
    AtomicInteger highest = new AtomicInteger();
    CountDownLatch done = new CountDownLatch(loads);
    try (ExecutorService pool = Executors.newFixedThreadPool(8)) {
      LoadQueue queue =
          new LoadQueue(
              most,
              pool,
              pool,
              () -> true,
              id -> true,
              new LoadOrder(name -> 0),
              new LoadPace(() -> 0, () -> 0, this::schedule));
      for (int i = 0; i < loads; i++) {
        queue.add(
            manifest("m" + i, i),
            Purpose.CURRENT,
            place ->
                place
                    .executor()
                    .execute(
                        () -> {
                          highest.accumulateAndGet(running.incrementAndGet(), Math::max);
                          running.decrementAndGet();
                          place.close();
                          done.countDown();
                        }));
      }
      done.await();
    }
    assertTrue(highest + " of " + most, highest.get() <= most + 1);
  }

  public void testOrder() {
    ModelsMetadata models = ModelsMetadata.EMPTY.with(new ModelAlias("live", "aliased", ""));
    Map<String, Long> uses = Map.of("used", 9L, "used-before", 5L);
    LoadOrder order = new LoadOrder(name -> uses.getOrDefault(name, 0L));
    order.update(models);
    List<ModelManifest> manifests = new ArrayList<>();
    List<String> expected = List.of("aliased", "used", "used-before", "new", "old", "older");
    List<Long> created = List.of(1L, 1L, 8L, 7L, 6L, 6L);
    for (int i = 0; i < created.size(); i++) {
      manifests.add(manifest(expected.get(i), created.get(i)));
    }
    Collections.shuffle(manifests, random());
    manifests.sort(order);
    assertEquals(expected, manifests.stream().map(m -> m.id().name()).toList());
  }

  public void testSearchesDoNotChangeTheOrderWhileItIsSorted() {
    Map<String, ModelManifest> models = new LinkedHashMap<>();
    for (int i = 0; i < 100; i++) {
      models.put("m" + i, manifest("m" + i, 1));
    }
    // Whenever it is looked at, the model was used a moment ago.
    List<ModelManifest> sorted = new LoadOrder(name -> now.incrementAndGet()).sorted(models);
    assertEquals(List.copyOf(models.values()).reversed(), sorted);
  }

  public void testUsesAreKept() {
    Path data = createTempDir();
    RecentUses uses = new RecentUses(now::get, data);
    assertEquals(0, uses.lastUse("a"));
    uses.use("a");
    now.set(2_000);
    uses.use("b");
    uses.use("gone");
    uses.write(Set.of("a", "b"));
    RecentUses again = new RecentUses(now::get, data);
    assertEquals(1_000, again.lastUse("a"));
    assertEquals(2_000, again.lastUse("b"));
    assertEquals(0, again.lastUse("gone"));
  }
}
