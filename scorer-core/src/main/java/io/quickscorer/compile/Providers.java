// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.compile;

import io.quickscorer.ensemble.TreeEnsemble;
import io.quickscorer.scorer.Algorithm;
import io.quickscorer.scorer.CompileProgress;
import io.quickscorer.scorer.EnsembleScorer;
import io.quickscorer.scorer.ScorerProvider;
import io.quickscorer.scorer.UnsupportedEnsembleException;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Optional;
import java.util.ServiceConfigurationError;
import java.util.ServiceLoader;
import java.util.Set;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The optional modules that add scorers, found once per JVM. Modules that do not load are left out.
 */
final class Providers {
  private static final Logger LOG = System.getLogger(Providers.class.getName());

  /** The search for providers ends after this many of them failed to load. */
  private static final int MAX_FAILURES = 100;

  private static final List<String> FAILURES = new ArrayList<>();
  private static final List<ScorerProvider> ALL = load();

  private Providers() {}

  private static List<ScorerProvider> load() {
    List<ScorerProvider> all = new ArrayList<>();
    Iterator<ScorerProvider> found =
        ServiceLoader.load(ScorerProvider.class, ScorerProvider.class.getClassLoader()).iterator();
    boolean more = true;
    while (more && FAILURES.size() < MAX_FAILURES) {
      try {
        more = found.hasNext();
        if (more) {
          all.add(found.next());
        }
      } catch (ServiceConfigurationError | LinkageError e) {
        LOG.log(Level.WARNING, "could not load an optional scorer module; it is not used", e);
        FAILURES.add(e.getClass().getSimpleName());
      }
    }
    return List.copyOf(all);
  }

  static List<ScorerProvider> all() {
    return ALL;
  }

  /**
   * Returns the provider of an algorithm.
   *
   * @throws UnsupportedEnsembleException if there is no provider, or it cannot be used in this JVM
   */
  static ScorerProvider of(Algorithm algorithm) {
    String reason =
        FAILURES.isEmpty()
            ? "no module provides it"
            : "an optional module could not be loaded: " + FAILURES;
    for (ScorerProvider provider : ALL) {
      if (provider.algorithms().contains(algorithm)) {
        reason = unavailable(provider);
        if (reason.isEmpty()) {
          return provider;
        }
      }
    }
    throw new UnsupportedEnsembleException(algorithm + ": " + reason);
  }

  /**
   * Compiles an ensemble for an algorithm of another module.
   *
   * @throws UnsupportedEnsembleException if no provider has the algorithm, the algorithm does not
   *     support the ensemble, or a class of the provider cannot be loaded
   */
  static EnsembleScorer compile(
      TreeEnsemble ensemble,
      Algorithm algorithm,
      Set<Algorithm> excluded,
      CompileProgress progress) {
    try {
      return of(algorithm).compile(ensemble, algorithm, excluded, progress);
    } catch (LinkageError e) {
      LOG.log(Level.WARNING, "could not load an optional scorer module; it is not used", e);
      throw new UnsupportedEnsembleException(
          algorithm + ": its module could not be loaded: " + e.getClass().getSimpleName());
    }
  }

  /** Returns why a provider's algorithms cannot be used in this JVM; empty if they can. */
  static String unavailable(ScorerProvider provider) {
    try {
      return provider.unavailable();
    } catch (LinkageError e) {
      return "its module could not be loaded: " + e.getClass().getSimpleName();
    }
  }

  /** Returns a provider's value; {@code fallback} if a class of the provider does not load. */
  static <T> T loaded(Supplier<T> value, T fallback) {
    try {
      return value.get();
    } catch (LinkageError e) {
      LOG.log(Level.WARNING, "could not load an optional scorer module; it is not used", e);
      return fallback;
    }
  }

  /**
   * Returns a provider's engine that shares no code with the engine {@code other}; null if there is
   * none.
   */
  static @Nullable Algorithm independent(TreeEnsemble ensemble, Algorithm other) {
    for (ScorerProvider provider : ALL) {
      Optional<Algorithm> engine =
          loaded(
              () -> Optional.ofNullable(provider.independent(ensemble, other)), Optional.empty());
      if (engine.isPresent()) {
        return engine.get();
      }
    }
    return null;
  }
}
