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

/** The modules that add scorers, looked for once. One that does not load is left out. */
final class Providers {
  private static final Logger LOG = System.getLogger(Providers.class.getName());

  /** More failures than modules have providers. */
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
        LOG.log(Level.WARNING, "a module that adds scorers does not load", e);
        FAILURES.add(e.getClass().getSimpleName());
      }
    }
    return List.copyOf(all);
  }

  static List<ScorerProvider> all() {
    return ALL;
  }

  /**
   * The provider of an algorithm.
   *
   * @throws UnsupportedEnsembleException if there is none, or it cannot be used in this JVM
   */
  static ScorerProvider of(Algorithm algorithm) {
    String why =
        FAILURES.isEmpty() ? "no module provides it" : "a module does not load: " + FAILURES;
    for (ScorerProvider provider : ALL) {
      if (provider.algorithms().contains(algorithm)) {
        why = unavailable(provider);
        if (why.isEmpty()) {
          return provider;
        }
      }
    }
    throw new UnsupportedEnsembleException(algorithm + ": " + why);
  }

  /**
   * Compiles for an algorithm of another module.
   *
   * @throws UnsupportedEnsembleException if there is none, if it cannot take the ensemble, or if a
   *     class of its module does not load
   */
  static EnsembleScorer compile(
      TreeEnsemble ensemble,
      Algorithm algorithm,
      Set<Algorithm> excluded,
      CompileProgress progress) {
    try {
      return of(algorithm).compile(ensemble, algorithm, excluded, progress);
    } catch (LinkageError e) {
      LOG.log(Level.WARNING, "a module that adds scorers does not load", e);
      throw new UnsupportedEnsembleException(
          algorithm + ": its module does not load: " + e.getClass().getSimpleName());
    }
  }

  /** Why a provider's algorithms cannot be used in this JVM; empty if they can. */
  static String unavailable(ScorerProvider provider) {
    try {
      return provider.unavailable();
    } catch (LinkageError e) {
      return "its module does not load: " + e.getClass().getSimpleName();
    }
  }

  /**
   * Returns the result of a provider, or the other value if a class of its module does not load.
   */
  static <T> T loaded(Supplier<T> given, T other) {
    try {
      return given.get();
    } catch (LinkageError e) {
      LOG.log(Level.WARNING, "a module that adds scorers does not load", e);
      return other;
    }
  }

  /**
   * Returns the answer of a provider to {@link ScorerProvider#independent}; null if no provider has
   * an engine.
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
