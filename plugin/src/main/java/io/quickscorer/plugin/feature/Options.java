// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.plugin.feature;

import io.quickscorer.plugin.guard.StepLimit;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The fields of a JSON object that a user wrote. A method that reads a field removes it; {@link
 * #checkAllRead} then rejects the fields that remain. Each method throws {@link
 * IllegalArgumentException} naming the field that is wrong.
 */
final class Options {
  private final Map<String, Object> rest;

  private Options(Map<String, Object> rest) {
    this.rest = rest;
  }

  public static Options of(String key, @Nullable Object value) {
    return new Options(object(key, value));
  }

  public static Map<String, Object> object(String key, @Nullable Object value) {
    if (!(value instanceof Map<?, ?> map)) {
      throw new IllegalArgumentException("[" + key + "] must be an object");
    }
    Map<String, Object> object = new LinkedHashMap<>();
    map.forEach(
        (k, v) -> {
          StepLimit.step();
          object.put(String.valueOf(k), v);
        });
    return object;
  }

  public boolean has(String key) {
    return rest.containsKey(key);
  }

  public @Nullable Object take(String key) {
    return rest.remove(key);
  }

  public String string(String key) {
    return string(key, rest.remove(key));
  }

  private static String string(String key, @Nullable Object value) {
    if (!(value instanceof String string) || string.isEmpty()) {
      throw new IllegalArgumentException("[" + key + "] must be a string that is not empty");
    }
    return string;
  }

  public double number(String key) {
    return number(key, rest.remove(key));
  }

  public double number(String key, double absent) {
    return has(key) ? number(key) : absent;
  }

  private static double number(String key, @Nullable Object value) {
    double number = value instanceof Number n ? n.doubleValue() : Double.NaN;
    if (!Double.isFinite(number)) {
      throw new IllegalArgumentException("[" + key + "] must be a finite number");
    }
    return number;
  }

  /** Reads a field with a whole number from 1 to {@code max}. */
  public int count(String key, int max) {
    Object value = rest.remove(key);
    if (!(value instanceof Integer count) || count < 1 || count > max) {
      throw new IllegalArgumentException("[" + key + "] must be a whole number from 1 to " + max);
    }
    return count;
  }

  public List<String> strings(String key, int max) {
    List<String> strings = new ArrayList<>();
    for (Object item : list(key, max)) {
      strings.add(string(key, item));
    }
    return strings;
  }

  private List<?> list(String key, int max) {
    if (!(rest.remove(key) instanceof List<?> list) || list.isEmpty() || list.size() > max) {
      throw new IllegalArgumentException("[" + key + "] must be a list of 1 to " + max + " items");
    }
    return list;
  }

  /**
   * Reads a field with a list of strings, which may be empty strings.
   *
   * @param max the maximum number of strings
   */
  public List<String> texts(String key, int max) {
    List<String> texts = new ArrayList<>();
    for (Object item : list(key, max)) {
      if (!(item instanceof String text)) {
        throw new IllegalArgumentException("[" + key + "] must be a list of strings");
      }
      texts.add(text);
    }
    return texts;
  }

  /** Returns whether the object has a field {@code key} with exactly this value. */
  public boolean is(String key, Object value) {
    return value.equals(rest.get(key));
  }

  /** Returns whether the field {@code key} of the object is a list that begins with a number. */
  public boolean hasNumbers(String key) {
    return rest.get(key) instanceof List<?> list
        && !list.isEmpty()
        && list.getFirst() instanceof Number;
  }

  /**
   * Reads a field with a list of numbers that a double represents exactly: integers with more than
   * 53 bits are rejected.
   *
   * @param max the maximum number of elements
   */
  public double[] numbers(String key, int max) {
    List<?> list = list(key, max);
    double[] numbers = new double[list.size()];
    for (int i = 0; i < numbers.length; i++) {
      numbers[i] = number(key, list.get(i));
      if (Math.abs(numbers[i]) >= 1L << 53) {
        throw new IllegalArgumentException(
            "[" + key + "] contains " + numbers[i] + ", expected numbers of at most 53 bits");
      }
    }
    return numbers;
  }

  public <E extends Enum<E>> E choice(String key, Class<E> type, @Nullable E absent) {
    Object value = rest.remove(key);
    if (value == null && absent != null) {
      return absent;
    }
    E constant = EnumNames.find(type, value);
    if (constant == null) {
      throw new IllegalArgumentException("[" + key + "] must be one of " + EnumNames.all(type));
    }
    return constant;
  }

  public void checkAllRead() {
    if (!rest.isEmpty()) {
      throw new IllegalArgumentException("unknown field " + rest.keySet());
    }
  }
}
