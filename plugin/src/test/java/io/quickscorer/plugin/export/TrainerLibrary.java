// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.plugin.export;

import java.io.IOException;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.lang.reflect.Constructor;
import java.lang.reflect.Executable;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;

/**
 * The trainers' own libraries, from the folder into which the build copies their jars. They are
 * called by name: nothing else of the plugin's tests shall see their classes.
 */
final class TrainerLibrary implements AutoCloseable {
  private static final Map<Class<?>, Class<?>> BOXES =
      Map.of(int.class, Integer.class, boolean.class, Boolean.class, float.class, Float.class);

  private final URLClassLoader loader;

  private TrainerLibrary(URLClassLoader loader) {
    this.loader = loader;
  }

  static TrainerLibrary open() throws IOException {
    List<URL> jars = new ArrayList<>();
    Path folder = Path.of(System.getProperty("trainers"));
    try (DirectoryStream<Path> files = Files.newDirectoryStream(folder, "*.jar")) {
      for (Path file : files) {
        jars.add(file.toUri().toURL());
      }
    }
    return new TrainerLibrary(
        new URLClassLoader(jars.toArray(URL[]::new), TrainerLibrary.class.getClassLoader()));
  }

  Class<?> type(String name) throws ReflectiveOperationException {
    return loader.loadClass(name);
  }

  Object constant(String type, String name) throws ReflectiveOperationException {
    return type(type).getField(name).get(null);
  }

  Object create(String type, Object... arguments) throws Exception {
    for (Constructor<?> constructor : type(type).getConstructors()) {
      if (takes(constructor, arguments)) {
        return invoke(() -> constructor.newInstance(arguments));
      }
    }
    throw new NoSuchMethodException(type + Arrays.toString(arguments));
  }

  /** Calls a static method. */
  Object call(String type, String method, Object... arguments) throws Exception {
    return call(type(type), null, method, arguments);
  }

  /**
   * Calls a static method of a class some of whose other methods name classes that are not there,
   * so that its methods cannot be listed.
   *
   * @param types what it returns, then what it takes
   */
  Object callLinked(String type, String method, List<Class<?>> types, Object... arguments)
      throws Exception {
    MethodType of = MethodType.methodType(types.getFirst(), types.subList(1, types.size()));
    MethodHandle handle = MethodHandles.publicLookup().findStatic(type(type), method, of);
    try {
      return handle.invokeWithArguments(arguments);
    } catch (Exception e) {
      throw e;
    } catch (Throwable e) {
      throw new AssertionError(e);
    }
  }

  static Object call(Object target, String method, Object... arguments) throws Exception {
    return call(target.getClass(), target, method, arguments);
  }

  private static Object call(Class<?> type, Object target, String name, Object... arguments)
      throws Exception {
    for (Method method : type.getMethods()) {
      if (method.getName().equals(name) && takes(method, arguments)) {
        return invoke(() -> method.invoke(target, arguments));
      }
    }
    throw new NoSuchMethodException(type + "." + name + Arrays.toString(arguments));
  }

  private interface Call {
    Object run() throws ReflectiveOperationException;
  }

  private static Object invoke(Call call) throws Exception {
    try {
      return call.run();
    } catch (InvocationTargetException e) {
      throw e.getCause() instanceof Exception cause ? cause : e;
    }
  }

  private static boolean takes(Executable executable, Object... arguments) {
    Class<?>[] types = executable.getParameterTypes();
    if (types.length != arguments.length) {
      return false;
    }
    for (int i = 0; i < types.length; i++) {
      if (arguments[i] == null
          ? types[i].isPrimitive()
          : !BOXES.getOrDefault(types[i], types[i]).isInstance(arguments[i])) {
        return false;
      }
    }
    return true;
  }

  @Override
  public void close() throws IOException {
    loader.close();
  }
}
