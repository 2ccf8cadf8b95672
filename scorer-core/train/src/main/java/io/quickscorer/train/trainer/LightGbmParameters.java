// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.train.trainer;

import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.SymbolLookup;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;
import java.util.LinkedHashMap;
import java.util.Map;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * Checks parameters of LightGBM against the list of names in its library, because LightGBM only
 * warns about unknown names.
 */
final class LightGbmParameters {
  /** Size of the buffer into which the library writes its list of parameters, in bytes. */
  private static final long LISTING_BYTES = 1 << 20;

  /** LightGBM parameters without effect here, each with the command-line option to use instead. */
  private static final Map<String, String> OPTIONS =
      Map.of("num_iterations", "--trees", "early_stopping_round", "--patience");

  private static final JsonMapper JSON = new JsonMapper();

  private LightGbmParameters() {}

  /**
   * Returns a copy of parameters in which each name is LightGBM's main name of the parameter. The
   * library must be loaded.
   *
   * @throws IllegalStateException if a parameter is unknown, is set twice, or must be set by
   *     another command-line option
   */
  static Map<String, String> canonical(Map<String, String> given) {
    if (given.isEmpty()) {
      return given;
    }
    Map<String, String> known = names();
    Map<String, String> canonical = new LinkedHashMap<>();
    given.forEach(
        (name, value) -> {
          String first = known.get(name);
          if (first == null) {
            throw new IllegalStateException(
                "-P " + name + ": LightGBM has no such parameter" + NearNames.of(name, known));
          }
          if (OPTIONS.containsKey(first)) {
            throw new IllegalStateException(
                "-P " + name + ": has no effect here, use " + OPTIONS.get(first));
          }
          if (canonical.put(first, value) != null) {
            throw new IllegalStateException(
                "-P " + name + ": parameter " + first + " is set twice, under two names");
          }
        });
    return canonical;
  }

  /**
   * Returns a map from each name of a parameter, such as {@code shrinkage_rate}, to its main name.
   */
  private static Map<String, String> names() {
    Map<String, String> names = new LinkedHashMap<>();
    for (Map.Entry<String, JsonNode> parameter : JSON.readTree(listing()).properties()) {
      parameter.getValue().forEach(alias -> names.put(alias.asString(), parameter.getKey()));
      names.put(parameter.getKey(), parameter.getKey());
    }
    return names;
  }

  /** Returns the library's list of parameters: {@code {"learning_rate": ["shrinkage_rate"], …}}. */
  @SuppressWarnings("restricted")
  private static String listing() {
    MethodHandle dump =
        Linker.nativeLinker()
            .downcallHandle(
                SymbolLookup.loaderLookup().find("LGBM_DumpParamAliases").orElseThrow(),
                FunctionDescriptor.of(
                    ValueLayout.JAVA_INT,
                    ValueLayout.JAVA_LONG,
                    ValueLayout.ADDRESS,
                    ValueLayout.ADDRESS));
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment length = arena.allocate(ValueLayout.JAVA_LONG);
      MemorySegment text = arena.allocate(LISTING_BYTES);
      int status = (int) dump.invokeExact(LISTING_BYTES, length, text);
      if (status != 0) {
        throw new IllegalStateException("LightGBM could not list its parameters: status " + status);
      }
      return text.getString(0);
    } catch (RuntimeException | Error e) {
      throw e;
    } catch (Throwable e) {
      throw new IllegalStateException("LightGBM could not list its parameters", e);
    }
  }
}
