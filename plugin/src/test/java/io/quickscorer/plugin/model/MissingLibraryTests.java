// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.plugin.model;

import static org.hamcrest.Matchers.containsString;

import io.quickscorer.ensemble.EnsembleLimits;
import io.quickscorer.ensemble.ModelFormat;
import io.quickscorer.ensemble.ReadOptions;
import io.quickscorer.plugin.testing.TestModel;
import java.io.File;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.net.URL;
import java.net.URLClassLoader;
import java.util.ArrayList;
import java.util.List;
import org.opensearch.test.OpenSearchTestCase;

/** A server that does not bring the library for JSON refuses such models, and lives on. */
public class MissingLibraryTests extends OpenSearchTestCase {
  private static final String MISSING = "tools.jackson.";

  /** All classes anew, but those of the library. */
  private static final class ServerWithout extends URLClassLoader {
    ServerWithout(List<URL> classPath) {
      super(classPath.toArray(URL[]::new), ClassLoader.getPlatformClassLoader());
    }

    @Override
    protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
      if (name.startsWith(MISSING)) {
        throw new ClassNotFoundException(name);
      }
      return super.loadClass(name, resolve);
    }
  }

  private static ServerWithout server() throws Exception {
    List<URL> classPath = new ArrayList<>();
    for (String entry : System.getProperty("java.class.path").split(File.pathSeparator)) {
      classPath.add(new File(entry).toURI().toURL());
    }
    return new ServerWithout(classPath);
  }

  public void testModelsInJsonAreRefused() throws Exception {
    try (ServerWithout server = server()) {
      Class<?> files = server.loadClass(ModelFile.class.getName());
      Class<?> formats = server.loadClass(ModelFormat.class.getName());
      Class<?> limits = server.loadClass(EnsembleLimits.class.getName());
      Class<?> options = server.loadClass(ReadOptions.class.getName());
      Method read = files.getDeclaredMethod("read", byte[].class, formats, limits, options);
      read.setAccessible(true);
      Object auto = formats.getField("AUTO").get(null);
      Object most = limits.getField("DEFAULT").get(null);
      Object none = options.getField("NONE").get(null);
      InvocationTargetException refused =
          expectThrows(
              InvocationTargetException.class,
              () -> read.invoke(null, TestModel.XGBOOST.file(), auto, most, none));
      for (Throwable t = refused.getCause(); t != null; t = t.getCause()) {
        assertFalse("would end the process: " + t, t instanceof Error);
      }
      assertThat(refused.getCause().getMessage(), containsString("this server lacks a library"));
      assertNotNull(read.invoke(null, TestModel.LIGHTGBM.file(), auto, most, none));

      Method missing = files.getDeclaredMethod("missingLibrary");
      missing.setAccessible(true);
      assertThat((String) missing.invoke(null), containsString("[" + MISSING));
      assertNull(ModelFile.missingLibrary());
    }
  }
}
