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
 * The parameters of LightGBM, as its library lists them. LightGBM itself only warns of an unknown
 * name, and uses the first if a parameter is given by two of its names.
 */
final class LightGbmParameters {
  private static final long LISTING = 1 << 20;

  /**
   * Parameters of LightGBM's own training loop, which is not used here, and the options to use
   * instead.
   */
  private static final Map<String, String> OPTIONS =
      Map.of("num_iterations", "--trees", "early_stopping_round", "--patience");

  private static final JsonMapper JSON = new JsonMapper();

  private LightGbmParameters() {}

  /**
   * Returns parameters by their first names. The library must have been loaded.
   *
   * @throws IllegalStateException that names a parameter that is unknown to LightGBM, is given by
   *     two names, or is an option of the command
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
                "-P " + name + ": LightGBM's " + first + " is given by two names");
          }
        });
    return canonical;
  }

  /** Returns the first name of each parameter, by all of its names. */
  private static Map<String, String> names() {
    Map<String, String> names = new LinkedHashMap<>();
    for (Map.Entry<String, JsonNode> parameter : JSON.readTree(listing()).properties()) {
      parameter.getValue().forEach(alias -> names.put(alias.asString(), parameter.getKey()));
      names.put(parameter.getKey(), parameter.getKey());
    }
    return names;
  }

  /**
   * Returns {@code {"learning_rate": ["shrinkage_rate", "eta"], …}}, which the library's classes
   * lack.
   */
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
      MemorySegment text = arena.allocate(LISTING);
      int status = (int) dump.invokeExact(LISTING, length, text);
      if (status != 0) {
        throw new IllegalStateException("LightGBM does not list its parameters: " + status);
      }
      return text.getString(0);
    } catch (RuntimeException | Error e) {
      throw e;
    } catch (Throwable e) {
      throw new IllegalStateException("LightGBM does not list its parameters", e);
    }
  }
}
