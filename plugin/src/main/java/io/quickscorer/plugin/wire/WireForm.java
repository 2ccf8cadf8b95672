// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.plugin.wire;

import io.quickscorer.compile.Engines;
import io.quickscorer.scorer.Algorithm;
import java.io.IOException;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.lang.reflect.AnnotatedParameterizedType;
import java.lang.reflect.AnnotatedType;
import java.lang.reflect.ParameterizedType;
import java.lang.reflect.RecordComponent;
import java.lang.reflect.Type;
import java.util.Arrays;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.opensearch.common.unit.TimeValue;
import org.opensearch.core.common.io.stream.NamedWriteable;
import org.opensearch.core.common.io.stream.StreamInput;
import org.opensearch.core.common.io.stream.StreamOutput;
import org.opensearch.core.common.io.stream.Writeable;

/**
 * The wire format of a type: writes and reads its values.
 *
 * @param writer writes a value, which must not be null
 * @param reader reads a value
 */
record WireForm(Writeable.Writer<Object> writer, Writeable.Reader<Object> reader) {
  private static final ClassValue<WireForm> FORMS =
      new ClassValue<>() {
        @Override
        protected WireForm computeValue(Class<?> type) {
          try {
            // The class of an enum is sealed too, if its constants have bodies.
            return type.isSealed() && !type.isEnum()
                ? ofSealed(type)
                : type.isRecord() && !hasReader(type) ? ofRecord(type, Map.of()) : ofObject(type);
          } catch (ReflectiveOperationException | IllegalArgumentException e) {
            throw new IllegalStateException(
                "internal error: "
                    + type
                    + " cannot be sent to other nodes, because it has no wire form; report this as"
                    + " a bug",
                e);
          }
        }
      };

  static WireForm of(Class<?> type) {
    return FORMS.get(type);
  }

  void write(StreamOutput out, Object value) throws IOException {
    writer.write(out, value);
  }

  Object read(StreamInput in) throws IOException {
    return reader.read(in);
  }

  @SuppressWarnings("unchecked") // the form was created for this type
  private static <T> WireForm form(Writeable.Writer<T> writer, Writeable.Reader<T> reader) {
    return new WireForm((Writeable.Writer<Object>) writer, (Writeable.Reader<Object>) reader);
  }

  /**
   * Returns the wire format of a sealed type: the name of the value's class is written first, then
   * the value's fields.
   */
  private static WireForm ofSealed(Class<?> type) {
    return new WireForm(
        (out, value) -> {
          out.writeString(value.getClass().getSimpleName());
          of(value.getClass()).write(out, value);
        },
        in -> {
          String name = in.readString();
          for (Class<?> kind : type.getPermittedSubclasses()) {
            if (kind.getSimpleName().equals(name)) {
              return of(kind).read(in);
            }
          }
          throw unknown(type, name);
        });
  }

  /**
   * Returns the wire format of a record: its components, one after the other.
   *
   * @param arguments the types that replace the type variables of a generic record
   */
  private static WireForm ofRecord(Class<?> type, Map<Type, AnnotatedType> arguments)
      throws ReflectiveOperationException {
    MethodHandles.Lookup lookup = MethodHandles.privateLookupIn(type, MethodHandles.lookup());
    RecordComponent[] components = type.getRecordComponents();
    Class<?>[] types =
        Arrays.stream(components).map(RecordComponent::getType).toArray(Class<?>[]::new);
    MethodHandle constructor =
        lookup
            .findConstructor(type, MethodType.methodType(void.class, types))
            .asSpreader(Object[].class, types.length)
            .asType(MethodType.methodType(Object.class, Object.class));
    MethodHandle[] accessors = new MethodHandle[types.length];
    WireForm[] forms = new WireForm[types.length];
    for (int c = 0; c < types.length; c++) {
      accessors[c] =
          lookup
              .unreflect(components[c].getAccessor())
              .asType(MethodType.methodType(Object.class, Object.class));
      forms[c] = of(components[c].getAnnotatedType(), arguments);
    }
    return new WireForm(
        (out, value) -> {
          for (int c = 0; c < forms.length; c++) {
            forms[c].write(out, call(accessors[c], value));
          }
        },
        in -> {
          Object[] values = new Object[forms.length];
          for (int c = 0; c < forms.length; c++) {
            values[c] = forms[c].read(in);
          }
          return call(constructor, values);
        });
  }

  private static Object call(MethodHandle handle, Object argument) throws IOException {
    try {
      return (Object) handle.invokeExact(argument);
    } catch (IOException | RuntimeException | Error e) {
      throw e;
    } catch (Throwable e) {
      throw new IllegalStateException(e);
    }
  }

  private static WireForm of(AnnotatedType annotated, Map<Type, AnnotatedType> variables)
      throws ReflectiveOperationException {
    WireForm form = ofPresent(annotated, variables);
    if (!annotated.isAnnotationPresent(Nullable.class)) {
      return form;
    }
    return new WireForm(
        (out, value) -> {
          out.writeBoolean(value != null);
          if (value != null) {
            form.write(out, value);
          }
        },
        in -> in.readBoolean() ? form.read(in) : null);
  }

  private static WireForm ofPresent(AnnotatedType annotated, Map<Type, AnnotatedType> variables)
      throws ReflectiveOperationException {
    AnnotatedType argument = variables.get(annotated.getType());
    if (argument != null) {
      return of(argument, Map.of());
    }
    if (!(annotated instanceof AnnotatedParameterizedType parameterized)) {
      return of((Class<?>) annotated.getType());
    }
    AnnotatedType[] arguments = parameterized.getAnnotatedActualTypeArguments();
    Class<?> raw = (Class<?>) ((ParameterizedType) annotated.getType()).getRawType();
    if (raw == List.class) {
      WireForm item = of(arguments[0], variables);
      return WireForm.<List<Object>>form(
          (out, list) -> out.writeCollection(list, item.writer), in -> in.readList(item.reader));
    }
    if (raw == Map.class) {
      if (arguments[1].getType() == Object.class) {
        return WireForm.<Map<String, Object>>form(StreamOutput::writeMap, StreamInput::readMap);
      }
      WireForm key = of(arguments[0], variables);
      WireForm value = of(arguments[1], variables);
      return WireForm.<Map<Object, Object>>form(
          (out, map) -> out.writeMap(map, key.writer, value.writer),
          in -> {
            Map<Object, Object> map = new LinkedHashMap<>();
            for (int left = in.readVInt(); left > 0; left--) {
              map.put(key.read(in), value.read(in));
            }
            return map;
          });
    }
    if (raw.isRecord()) {
      Map<Type, AnnotatedType> given = new HashMap<>();
      for (int v = 0; v < arguments.length; v++) {
        given.put(raw.getTypeParameters()[v], arguments[v]);
      }
      return ofRecord(raw, given);
    }
    throw new IllegalStateException(
        "internal error: "
            + annotated
            + " cannot be sent to other nodes, because it has no wire form; report this as a bug");
  }

  private static boolean hasReader(Class<?> type) {
    return Arrays.stream(type.getDeclaredConstructors())
        .anyMatch(c -> Arrays.equals(c.getParameterTypes(), new Class<?>[] {StreamInput.class}));
  }

  private static WireForm ofObject(Class<?> type) throws ReflectiveOperationException {
    if (type == boolean.class) {
      return form(StreamOutput::writeBoolean, StreamInput::readBoolean);
    } else if (type == int.class || type == Integer.class) {
      return WireForm.<Integer>form(
          (out, value) -> out.writeZLong(value), in -> Math.toIntExact(in.readZLong()));
    } else if (type == long.class || type == Long.class) {
      return form(StreamOutput::writeZLong, StreamInput::readZLong);
    } else if (type == float.class || type == Float.class) {
      return form(StreamOutput::writeFloat, StreamInput::readFloat);
    } else if (type == double.class || type == Double.class) {
      return form(StreamOutput::writeDouble, StreamInput::readDouble);
    } else if (type == String.class) {
      return form(StreamOutput::writeString, StreamInput::readString);
    } else if (type == TimeValue.class) {
      return form(StreamOutput::writeTimeValue, StreamInput::readTimeValue);
    } else if (type == Algorithm.class) {
      return WireForm.<Algorithm>form(
          (out, engine) -> out.writeString(engine.label()), in -> Engines.named(in.readString()));
    } else if (type == float[].class) {
      return form(StreamOutput::writeFloatArray, StreamInput::readFloatArray);
    } else if (type == long[].class) {
      return form(StreamOutput::writeVLongArray, StreamInput::readVLongArray);
    } else if (type.isEnum()) {
      return form(
          (out, constant) -> out.writeString(((Enum<?>) constant).name()),
          in -> constant(type, in.readString()));
    } else if (NamedWriteable.class.isAssignableFrom(type) && type.isInterface()) {
      Class<? extends NamedWriteable> named = type.asSubclass(NamedWriteable.class);
      return WireForm.<NamedWriteable>form(
          StreamOutput::writeNamedWriteable, in -> in.readNamedWriteable(named));
    }
    MethodHandles.Lookup lookup = MethodHandles.privateLookupIn(type, MethodHandles.lookup());
    MethodHandle reader =
        (hasReader(type)
                ? lookup.findConstructor(type, MethodType.methodType(void.class, StreamInput.class))
                : lookup.findStatic(type, "read", MethodType.methodType(type, StreamInput.class)))
            .asType(MethodType.methodType(Object.class, Object.class));
    return WireForm.<Writeable>form(
        (out, value) -> value.writeTo(out), in -> (Writeable) call(reader, in));
  }

  private static Object constant(Class<?> type, String name) throws IOException {
    for (Object constant : type.getEnumConstants()) {
      if (((Enum<?>) constant).name().equals(name)) {
        return constant;
      }
    }
    throw unknown(type, name);
  }

  private static IOException unknown(Class<?> type, String name) {
    return new IOException("unknown " + type.getSimpleName() + " [" + name + "]");
  }
}
