// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.plugin.door;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.BiConsumer;
import java.util.function.BiFunction;
import java.util.function.ObjDoubleConsumer;
import java.util.function.ObjLongConsumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.opensearch.core.xcontent.XContentParser.Token;

/**
 * Declares the fields of a JSON object, and reads their values into a Java object. Undeclared
 * fields are errors, unless the shape is {@link #lenient}. One thread declares the fields; then
 * several threads can read objects.
 *
 * @param <B> the type of the Java object
 */
public final class Shape<B> {
  /** The JSON types that a declared field's value can have. */
  public enum Kind {
    TEXT(Token.VALUE_STRING),
    NUMBER(Token.VALUE_NUMBER),
    WHOLE(Token.VALUE_NUMBER),
    BOOLEAN(Token.VALUE_BOOLEAN),
    OBJECT(Token.START_OBJECT),
    LIST(Token.START_ARRAY),
    /** Any type. The code that reads the value checks the type. */
    ANY(null);

    private final @Nullable Token token;

    Kind(@Nullable Token token) {
      this.token = token;
    }
  }

  /** Reads the value of a field, and stores it in a Java object. */
  @FunctionalInterface
  public interface Reading<B> {
    void read(B into, Input value) throws IOException;
  }

  /**
   * A declared field of a JSON object.
   *
   * @param min the minimum of a whole number
   * @param max the maximum of a whole number. For an object or array, the maximum number of its
   *     fields or items
   * @param inner the declared fields of the object, or of the objects in the array; null if no
   *     fields are declared
   */
  public record Field<B>(
      String name,
      Kind kind,
      boolean required,
      long min,
      long max,
      @Nullable Shape<?> inner,
      Reading<B> reading) {}

  private final Map<String, Field<B>> fields = new LinkedHashMap<>();
  private boolean lenient;

  /** Returns all fields, in the order of their declaration. */
  public Collection<Field<B>> fields() {
    return Collections.unmodifiableCollection(fields.values());
  }

  private Shape<B> add(
      String name, Kind kind, long min, long max, @Nullable Shape<?> inner, Reading<B> reading) {
    fields.put(name, new Field<>(name, kind, false, min, max, inner, reading));
    return this;
  }

  public Shape<B> text(String name, BiConsumer<B, String> set) {
    return add(name, Kind.TEXT, 0, 0, null, (into, in) -> set.accept(into, in.text()));
  }

  public Shape<B> number(String name, ObjDoubleConsumer<B> set) {
    return add(name, Kind.NUMBER, 0, 0, null, (into, in) -> set.accept(into, in.number()));
  }

  /**
   * Declares a field with a number that is read as a float.
   *
   * @param set stores the value
   */
  public Shape<B> single(String name, BiConsumer<B, Float> set) {
    return add(name, Kind.NUMBER, 0, 0, null, (into, in) -> set.accept(into, in.single()));
  }

  public Shape<B> whole(String name, long min, long max, ObjLongConsumer<B> set) {
    return add(
        name, Kind.WHOLE, min, max, null, (into, in) -> set.accept(into, in.whole(min, max)));
  }

  public Shape<B> bool(String name, BiConsumer<B, Boolean> set) {
    return add(name, Kind.BOOLEAN, 0, 0, null, (into, in) -> set.accept(into, in.bool()));
  }

  /**
   * Declares a field with an object that may contain any fields.
   *
   * @param set stores the object as a map
   */
  public Shape<B> map(String name, BiConsumer<B, Map<String, Object>> set) {
    return add(
        name, Kind.OBJECT, 0, Input.MAX_ITEMS, null, (into, in) -> set.accept(into, in.map()));
  }

  /**
   * Declares a field with an array of strings.
   *
   * @param max the maximum number of strings
   * @param set stores the strings
   */
  public Shape<B> texts(String name, int max, BiConsumer<B, List<String>> set) {
    return add(name, Kind.LIST, 0, max, null, (into, in) -> set.accept(into, in.texts(max)));
  }

  /**
   * Declares a field with an object whose field names the user chooses.
   *
   * @param max the maximum number of fields
   * @param reading reads the object
   */
  public Shape<B> object(String name, int max, Reading<B> reading) {
    return add(name, Kind.OBJECT, 0, max, null, reading);
  }

  /**
   * Declares a field with an object whose fields another shape declares.
   *
   * @param reading reads the object
   */
  public Shape<B> object(String name, Shape<?> inner, Reading<B> reading) {
    return add(name, Kind.OBJECT, 0, inner.fields.size(), inner, reading);
  }

  /**
   * Declares a field with an array of objects.
   *
   * @param max the maximum number of objects
   * @param inner declares the fields of each object
   * @param fresh creates the Java object for each JSON object
   * @param set stores the Java objects
   */
  public <C> Shape<B> objects(
      String name, int max, Shape<C> inner, Supplier<C> fresh, BiConsumer<B, List<C>> set) {
    return add(
        name,
        Kind.LIST,
        0,
        max,
        inner,
        (into, in) -> {
          List<C> objects = new ArrayList<>();
          in.list(
              max,
              () -> {
                in.take(HeapBudget.MAP_BYTES);
                objects.add(inner.read(in, fresh.get()));
              });
          set.accept(into, objects);
        });
  }

  /**
   * Declares a field with an array.
   *
   * @param max the maximum number of items
   * @param item reads one item
   */
  public Shape<B> list(String name, int max, Reading<B> item) {
    return add(
        name, Kind.LIST, 0, max, null, (into, in) -> in.list(max, () -> item.read(into, in)));
  }

  /**
   * Declares a field with a value of any type.
   *
   * @param reading reads the value, and checks its type
   */
  public Shape<B> any(String name, Reading<B> reading) {
    return add(name, Kind.ANY, 0, Input.MAX_ITEMS, null, reading);
  }

  /**
   * Adds all fields that another shape declares. The value of such a field is stored in an object
   * inside of this shape's Java object.
   *
   * @param part returns this inner object, for this shape's Java object and the field's name
   */
  public <C> Shape<B> all(Shape<C> other, BiFunction<B, String, C> part) {
    for (Field<C> field : other.fields.values()) {
      add(
          field.name,
          field.kind,
          field.min,
          field.max,
          field.inner,
          (into, in) -> field.reading.read(part.apply(into, field.name), in));
    }
    return this;
  }

  /**
   * Declares that each JSON object of this shape must contain the given fields. Returns this shape.
   */
  public Shape<B> required(String... names) {
    for (String name : names) {
      fields.computeIfPresent(
          name, (key, f) -> new Field<>(key, f.kind, true, f.min, f.max, f.inner, f.reading));
    }
    return this;
  }

  /**
   * Allows unknown fields, which are skipped: another build may have written them. Returns this
   * shape.
   */
  public Shape<B> lenient() {
    lenient = true;
    return this;
  }

  /**
   * Reads a JSON object into a Java object, and returns the Java object.
   *
   * @param into the Java object
   * @throws IllegalArgumentException (400) if a field is unknown, missing or not valid
   */
  public B read(Input in, B into) throws IOException {
    Set<String> missing = new HashSet<>();
    fields
        .values()
        .forEach(
            field -> {
              if (field.required) {
                missing.add(field.name);
              }
            });
    in.declared(
        name -> {
          Field<B> field = fields.get(name);
          if (field == null && lenient) {
            in.skip();
            return;
          }
          if (field == null) {
            throw in.unknown(name);
          }
          if (field.kind.token != null) {
            in.expect(field.kind.token);
          }
          missing.remove(name);
          try {
            field.reading.read(into, in);
          } catch (IllegalArgumentException e) {
            throw in.placed(e);
          }
        });
    String first = fields.keySet().stream().filter(missing::contains).findFirst().orElse(null);
    if (first != null) {
      throw in.wrong("[" + first + "] is missing");
    }
    return into;
  }
}
