// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.testing;

import java.lang.reflect.Array;
import java.lang.reflect.Field;
import java.lang.reflect.Modifier;
import java.util.ArrayDeque;
import java.util.Collection;
import java.util.Collections;
import java.util.Deque;
import java.util.IdentityHashMap;
import java.util.Map;
import java.util.Set;

/**
 * Adds up the objects that can be reached from one, as a JVM with compressed references lays them
 * out. An object is counted once, in the first call that reaches it. Of the JDK's own objects,
 * which cannot be looked into, collections count as what they contain.
 */
public final class HeapWalk {
  private static final int HEADER = 12;
  private static final int ARRAY_HEADER = 16;
  private static final int REFERENCE = 4;
  private static final int ALIGNMENT = 8;

  private final Set<Object> seen = Collections.newSetFromMap(new IdentityHashMap<>());
  private final Deque<Object> open = new ArrayDeque<>();

  /** Bytes of what is reached from here and from no object before. */
  public long bytes(Object root) {
    long bytes = 0;
    reach(root);
    while (!open.isEmpty()) {
      bytes += Math.ceilDiv(size(open.pop()), ALIGNMENT) * ALIGNMENT;
    }
    return bytes;
  }

  private void reach(Object object) {
    boolean ofTheJvm = object instanceof Class || object instanceof Enum;
    if (object != null && !ofTheJvm && seen.add(object)) {
      open.push(object);
    }
  }

  /** Bytes of one object; reaches those it refers to. */
  private long size(Object object) {
    if (object.getClass().isArray()) {
      return ARRAY_HEADER + elements(object);
    }
    if (object instanceof Map<?, ?> map) {
      map.forEach(
          (key, value) -> {
            reach(key);
            reach(value);
          });
      return 2L * REFERENCE * map.size();
    }
    if (object instanceof Collection<?> collection) {
      collection.forEach(this::reach);
      return (long) REFERENCE * collection.size();
    }
    return object.getClass().getName().startsWith("java.") ? 0 : HEADER + fields(object);
  }

  private long elements(Object array) {
    Class<?> type = array.getClass().getComponentType();
    int length = Array.getLength(array);
    for (int i = 0; !type.isPrimitive() && i < length; i++) {
      reach(Array.get(array, i));
    }
    return (long) size(type) * length;
  }

  private long fields(Object object) {
    long bytes = 0;
    for (Class<?> type = object.getClass(); type != Object.class; type = type.getSuperclass()) {
      for (Field field : type.getDeclaredFields()) {
        if (!Modifier.isStatic(field.getModifiers())) {
          bytes += size(field.getType());
          if (!field.getType().isPrimitive()) {
            reach(value(field, object));
          }
        }
      }
    }
    return bytes;
  }

  private static Object value(Field field, Object object) {
    try {
      field.setAccessible(true);
      return field.get(object);
    } catch (ReflectiveOperationException e) {
      throw new IllegalStateException(e);
    }
  }

  private static int size(Class<?> type) {
    if (!type.isPrimitive()) {
      return REFERENCE;
    }
    if (type == long.class || type == double.class) {
      return Long.BYTES;
    }
    if (type == int.class || type == float.class) {
      return Integer.BYTES;
    }
    return type == short.class || type == char.class ? Short.BYTES : Byte.BYTES;
  }
}
