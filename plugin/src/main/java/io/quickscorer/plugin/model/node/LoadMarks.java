// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.plugin.model.node;

import io.quickscorer.plugin.guard.CaughtError;
import io.quickscorer.plugin.model.ModelId;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Duration;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Predicate;
import java.util.stream.Stream;
import org.apache.logging.log4j.LogManager;
import org.apache.logging.log4j.Logger;
import org.jspecify.annotations.Nullable;
import org.opensearch.ExceptionsHelper;
import org.opensearch.OpenSearchStatusException;
import org.opensearch.common.lease.Releasable;
import org.opensearch.common.lease.Releasables;
import org.opensearch.core.rest.RestStatus;

/**
 * Writes a mark file for a model while this node loads it or runs its warm-up (test searches before
 * real ones). If a starting node finds a mark, the node died during this work. If it dies again
 * within an hour, the model is quarantined: it is not loaded, so that it cannot end the node again.
 * One death is not enough, because an outside kill or a power loss also ends nodes. A model is also
 * quarantined after {@value #MAX_FAILURES} failures. Only two kinds of failures count: a {@link
 * CaughtError} that is not caused by a lack of memory, and a stored model that this build rejects
 * as not valid. A new upload ends the quarantine. Safe for use by several threads.
 */
public final class LoadMarks {
  private static final Logger LOGGER = LogManager.getLogger(LoadMarks.class);
  private static final int MAX_FAILURES = 2;
  private static final String DIED = "the node died ";

  /** Two deaths count together if the loads began within this time of each other. */
  private static final Duration DEATHS = Duration.ofHours(1);

  /** The last part of the names of two kinds of files; other files are marks of unfinished work. */
  private static final String DEATH = "death";

  private static final String FAILURES = "failures";

  private final @Nullable Path folder;

  /** The number of loads or warm-ups in progress, for each mark file. */
  private final Map<Path, Integer> open = new HashMap<>();

  private final Map<ModelId, Integer> failures = new HashMap<>();
  private final Map<ModelId, String> quarantined = new HashMap<>();

  /** The models during whose loading or warm-up the node has died before. */
  private final Set<ModelId> died = new HashSet<>();

  private boolean closed;

  /**
   * Reads the mark files that are left from an earlier run of the node, and quarantines models.
   *
   * @param data the data folders of the node; if there is none, no marks are written
   */
  LoadMarks(Path... data) {
    folder = data.length == 0 ? null : data[0].resolve("quickscorer").resolve("loading");
    if (folder == null || !Files.isDirectory(folder)) {
      return;
    }
    try (DirectoryStream<Path> marks = Files.newDirectoryStream(folder)) {
      Set<ModelId> counted = new HashSet<>();
      marks.forEach(mark -> read(mark, counted));
    } catch (IOException | RuntimeException e) {
      LOGGER.warn("could not read which models were being loaded when the node stopped", e);
    }
  }

  /**
   * Reads a file of an earlier run.
   *
   * @param counted the models whose death in the last run was counted; a model can have two marks
   */
  private void read(Path mark, Set<ModelId> counted) {
    try {
      List<String> lines = Files.readAllLines(mark, StandardCharsets.UTF_8);
      if (lines.size() != 3) {
        delete(mark);
        return;
      }
      ModelId id = new ModelId(lines.get(0), lines.get(1));
      Path death = mark.resolveSibling(prefix(id) + DEATH);
      if (mark.equals(death)) {
        died.add(id);
      } else if (mark.equals(mark.resolveSibling(prefix(id) + FAILURES))) {
        quarantine(id, lines.get(2));
      } else if (!counted.add(id)) {
        delete(mark);
      } else if (isAgain(mark, death)) {
        String why =
            lines.get(2) + ", for the second time within " + DEATHS.toMinutes() + " minutes";
        write(mark.resolveSibling(prefix(id) + FAILURES), id, why);
        delete(mark);
        quarantine(id, why);
      } else {
        Files.move(mark, death, StandardCopyOption.REPLACE_EXISTING);
        died.add(id);
        LOGGER.warn(
            "model [{}]: {}; the model is loaded again, but not if the node dies so again within {}"
                + " minutes",
            id,
            lines.get(2),
            DEATHS.toMinutes());
      }
    } catch (IOException | RuntimeException e) {
      LOGGER.warn(
          "could not read file ["
              + mark
              + "], which records that a model was being loaded or warmed up",
          e);
    }
  }

  private static boolean isAgain(Path mark, Path death) throws IOException {
    return Files.exists(death)
        && Duration.between(
                    Files.getLastModifiedTime(death).toInstant(),
                    Files.getLastModifiedTime(mark).toInstant())
                .abs()
                .compareTo(DEATHS)
            <= 0;
  }

  private void quarantine(ModelId id, String why) {
    quarantined.put(id, why);
    LOGGER.error("model [{}] is not loaded: {}", id, reason(id));
  }

  /**
   * Returns the reason why a model is quarantined (must not be loaded), and what users can do; null
   * if it may be loaded.
   */
  synchronized @Nullable String reason(ModelId id) {
    String why = quarantined.get(id);
    return why == null
        ? null
        : "quarantined, because "
            + why
            + "; upload the model again to retry, or set an alias to it, or delete it";
  }

  /** Returns the exception (503) for a model that must not be loaded; null if it may be loaded. */
  @Nullable OpenSearchStatusException refusal(ModelId id) {
    String reason = reason(id);
    return reason == null
        ? null
        : new OpenSearchStatusException(
            "model [{}] is {}", RestStatus.SERVICE_UNAVAILABLE, id, reason);
  }

  /**
   * Writes a mark file for a model. The file is deleted when the returned object is closed.
   *
   * @param work the work that begins, as a text: {@code its load} or {@code its warm-up}
   */
  public synchronized Releasable begin(ModelId id, String work) {
    Path mark = path(id, work.replace(' ', '-'));
    if (mark == null || closed) {
      return () -> {};
    }
    if (open.merge(mark, 1, Integer::sum) == 1) {
      write(
          mark,
          id,
          DIED
              + (work.equals("its load")
                  ? "while it loaded the model"
                  : "during the model's warm-up"));
    }
    return Releasables.releaseOnce(() -> end(mark));
  }

  private synchronized void end(Path mark) {
    if (open.computeIfPresent(mark, (key, others) -> others == 1 ? null : others - 1) == null) {
      delete(mark);
    }
  }

  /**
   * Records that the load or the warm-up of a model failed. After too many failures, the model is
   * not loaded any more.
   */
  public synchronized void failed(ModelId id, Exception failure) {
    Throwable cause =
        ExceptionsHelper.unwrap(failure, CaughtError.class, IllegalArgumentException.class);
    if (cause instanceof CaughtError error && error.status() == RestStatus.TOO_MANY_REQUESTS) {
      // A lack of memory is not caused by the model.
      return;
    }
    if (cause != null && failures.merge(id, 1, Integer::sum) >= MAX_FAILURES) {
      String why =
          "the loading or warm-up of the model failed "
              + MAX_FAILURES
              + " times: "
              + cause.getMessage();
      if (!quarantined.containsKey(id)) {
        quarantine(id, why.lines().findFirst().orElse(why));
        Path mark = path(id, FAILURES);
        // Only an error is written to disk, because a later build may accept a refused definition.
        if (mark != null && cause instanceof CaughtError) {
          write(mark, id, quarantined.getOrDefault(id, why));
        }
      }
    }
  }

  /** Records that a model was loaded, and resets its number of failures. */
  synchronized void loaded(ModelId id) {
    failures.remove(id);
  }

  /** Allows the node to load a model again after its quarantine. */
  synchronized void retry(ModelId id) {
    failures.remove(id);
    if ((quarantined.remove(id) != null | died.remove(id)) && folder != null) {
      try (DirectoryStream<Path> marks = Files.newDirectoryStream(folder, prefix(id) + "*")) {
        for (Path mark : marks) {
          if (!open.containsKey(mark)) {
            delete(mark);
          }
        }
      } catch (IOException | RuntimeException e) {
        LOGGER.warn(
            "could not delete the files that record that model ["
                + id
                + "] was being loaded or warmed up",
            e);
      }
    }
  }

  /** Deletes the records about models that no longer exist; {@code known} says which exist. */
  synchronized void retain(Predicate<ModelId> known) {
    Stream.concat(quarantined.keySet().stream(), died.stream())
        .filter(known.negate())
        .toList()
        .forEach(this::retry);
    failures.keySet().retainAll(failures.keySet().stream().filter(known).toList());
  }

  /** Deletes all mark files. The node stops normally, so no model has crashed it. */
  synchronized void close() {
    closed = true;
    open.keySet().forEach(LoadMarks::delete);
    open.clear();
  }

  private @Nullable Path path(ModelId id, String work) {
    return folder == null ? null : folder.resolve(prefix(id) + work);
  }

  private static String prefix(ModelId id) {
    return id.version() + "-" + Integer.toHexString(id.name().hashCode()) + "-";
  }

  private void write(Path mark, ModelId id, String why) {
    try {
      Files.createDirectories(mark.getParent());
      Files.write(mark, List.of(id.name(), id.version(), why), StandardCharsets.UTF_8);
    } catch (IOException | RuntimeException e) {
      LOGGER.warn(
          "could not write the file ["
              + mark
              + "], which records the loading, warm-up or quarantine of model ["
              + id
              + "]",
          e);
    }
  }

  private static void delete(Path mark) {
    try {
      Files.deleteIfExists(mark);
    } catch (IOException | RuntimeException e) {
      LOGGER.warn(
          "could not delete file ["
              + mark
              + "], which records that a model was being loaded or warmed up",
          e);
    }
  }
}
