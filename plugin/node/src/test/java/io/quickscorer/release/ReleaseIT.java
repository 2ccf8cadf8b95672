// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.release;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeFalse;

import com.sun.net.httpserver.HttpServer;
import com.sun.net.httpserver.SimpleFileServer;
import io.quickscorer.node.LinkedHome;
import io.quickscorer.node.NodeClient;
import io.quickscorer.node.NumberedTrees;
import io.quickscorer.node.Program;
import io.quickscorer.node.RunningNode;
import java.io.IOException;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URLClassLoader;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.time.Duration;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.Stream;
import java.util.zip.ZipEntry;
import java.util.zip.ZipInputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.junit.jupiter.api.io.TempDir;
import org.opensearch.cli.Terminal;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.ObjectMapper;

/** From nothing but the files of a release: what a stranger does with them. */
@EnabledIfSystemProperty(named = "release.folder", matches = ".+")
final class ReleaseIT {
  private static final Path RELEASE =
      Path.of(System.getProperty("release.folder", "")).toAbsolutePath().normalize();
  private static final String PLUGIN =
      Path.of(System.getProperty("plugin.zip")).getFileName().toString();
  private static final Duration START = Duration.ofMinutes(5);
  private static final int TREES = 10;

  @TempDir private Path folder;

  /** The files of a folder by name. */
  private static SortedMap<String, Path> files(Path folder) throws IOException {
    SortedMap<String, Path> files = new TreeMap<>();
    try (DirectoryStream<Path> entries = Files.newDirectoryStream(folder)) {
      for (Path entry : entries) {
        files.put(entry.getFileName().toString(), entry);
      }
    }
    return files;
  }

  private static String sha512(byte[] content) throws Exception {
    return HexFormat.of().formatHex(MessageDigest.getInstance("SHA-512").digest(content));
  }

  private static HttpServer serve(Path folder) {
    HttpServer server =
        SimpleFileServer.createFileServer(
            new InetSocketAddress(InetAddress.getLoopbackAddress(), 0),
            folder,
            SimpleFileServer.OutputLevel.NONE);
    server.start();
    return server;
  }

  private static String address(HttpServer server, String file) {
    return "http://127.0.0.1:" + server.getAddress().getPort() + "/" + file;
  }

  @Test
  void thePluginIsInstalledStartedAndSearchedWith() throws Exception {
    Path home = LinkedHome.of(RunningNode.home(), folder.resolve("home"), "opensearch-quickscorer");
    HttpServer server = serve(RELEASE);
    try {
      Installer.run(home, "install", "--batch", address(server, PLUGIN));
    } finally {
      server.stop(0);
    }
    Path data = Files.createDirectory(folder.resolve("data"));
    try (RunningNode node = RunningNode.start(home, data, List.of(), Map.of(), START)) {
      NodeClient client = node.client();
      NumberedTrees.createIndex(client, "shop");
      client.put("/_plugins/_quickscorer/models/trees?feature_set=p", NumberedTrees.file(7, TREES));
      JsonNode found = NumberedTrees.search(client, "shop", "trees").body();
      assertEquals(NumberedTrees.scores(7, TREES), NumberedTrees.scores(found));
    }
  }

  /** With nothing but a JDK. */
  @Test
  void theCommandLineScores() throws Exception {
    String archive = named("quickscorer-\\d.*\\.tar\\.gz");
    Program.run(folder, "", "tar", "xzf", RELEASE.resolve(archive).toString());
    String program = folder.resolve(archive.replace(".tar.gz", "")) + "/bin/quickscorer";
    Files.writeString(folder.resolve("model.json"), NumberedTrees.file(7, TREES));
    StringBuilder data = new StringBuilder("p\n");
    for (int p = 0; p < NumberedTrees.VALUES; p++) {
      data.append(p).append('\n');
    }
    Files.writeString(folder.resolve("data.csv"), data);
    List<Float> scores =
        run(program, "score", "model.json", "data.csv").lines().map(Float::valueOf).toList();
    assertEquals(NumberedTrees.scores(7, TREES), scores);
    String version = archive.replaceAll("quickscorer-|\\.tar\\.gz", "");
    assertTrue(run(program, "--version").startsWith("quickscorer " + version));
    assertTrue(run(program, "help").contains("train"));
  }

  private String run(String... command) throws Exception {
    List<String> bare =
        List.of("env", "-i", "PATH=/usr/bin:/bin", "JAVA_HOME=" + System.getProperty("java.home"));
    return Program.run(
        folder, "", Stream.concat(bare.stream(), Stream.of(command)).toArray(String[]::new));
  }

  private static String named(String pattern) throws IOException {
    return files(RELEASE).keySet().stream()
        .filter(f -> f.matches(pattern))
        .findFirst()
        .orElseThrow();
  }

  @Test
  void everyJarHasItsSourcesAndDocumentationAndBill() throws IOException {
    Set<String> files = files(RELEASE).keySet();
    List<String> jars =
        files.stream().filter(f -> f.matches(".*(?<!-sources|-javadoc)\\.jar")).toList();
    assertTrue(jars.contains(PLUGIN.replace(".zip", ".jar")), jars::toString);
    for (String jar : jars) {
      for (String other : List.of("-sources.jar", "-javadoc.jar", "-sbom.json")) {
        assertTrue(files.contains(jar.replace(".jar", other)), jar + " without " + other);
      }
    }
  }

  @Test
  void everyFileHasItsChecksum() throws Exception {
    SortedMap<String, Path> files = files(RELEASE);
    for (Map.Entry<String, Path> file : files.entrySet()) {
      String name = file.getKey();
      if (!name.endsWith(".sha512")) {
        String line = sha512(Files.readAllBytes(file.getValue())) + "  " + name;
        assertEquals(line, Files.readString(RELEASE.resolve(name + ".sha512")).strip(), name);
      }
    }
    assertTrue(files.containsKey(PLUGIN), () -> files.keySet() + " lacks " + PLUGIN);
  }

  /** It checks what comes from Maven Central and nothing that comes from another address. */
  @Test
  void theInstallCommandReadsTheChecksum() throws Exception {
    Files.copy(RELEASE.resolve(PLUGIN), folder.resolve(PLUGIN));
    Path checksum = folder.resolve(PLUGIN + ".sha512");
    Files.copy(RELEASE.resolve(PLUGIN + ".sha512"), checksum);
    HttpServer server = serve(folder);
    try (URLClassLoader classes = Installer.classes()) {
      String url = address(server, PLUGIN);
      Path downloaded = download(classes, url);
      assertEquals(-1, Files.mismatch(downloaded, RELEASE.resolve(PLUGIN)));
      String line = Files.readString(checksum);
      Files.writeString(checksum, (line.charAt(0) == '0' ? "1" : "0") + line.substring(1));
      InvocationTargetException refused =
          assertThrows(InvocationTargetException.class, () -> download(classes, url));
      assertTrue(refused.getCause().getMessage().contains("mismatch"), refused::toString);
    } finally {
      server.stop(0);
    }
  }

  private Path download(ClassLoader classes, String url) throws Exception {
    Class<?> command = classes.loadClass("org.opensearch.tools.cli.plugin.InstallPluginCommand");
    var constructor = command.getDeclaredConstructor();
    constructor.setAccessible(true);
    Method download =
        command.getDeclaredMethod(
            "downloadAndValidate",
            Terminal.class,
            String.class,
            Path.class,
            boolean.class,
            boolean.class);
    download.setAccessible(true);
    return (Path)
        download.invoke(constructor.newInstance(), Terminal.DEFAULT, url, folder, false, true);
  }

  /**
   * By its bytes each jar is one that the bill of materials lists, and each that it lists is there.
   */
  @Test
  void billsOfMaterialsListTheJars() throws Exception {
    SortedMap<String, Path> files = files(RELEASE);
    int bills = 0;
    for (Map.Entry<String, Path> file : files.entrySet()) {
      String name = file.getKey();
      if (name.endsWith(".zip")) {
        Path bill = files.get(name.replace(".zip", "-sbom.json"));
        SortedMap<String, String> listed = components(bill);
        Path own = files.get(name.replace(".zip", ".jar"));
        if (own != null) {
          listed.put(own.getFileName().toString(), sha512(Files.readAllBytes(own)));
        }
        assertEquals(listed, jarsIn(file.getValue()), name);
        bills++;
      }
    }
    assertTrue(bills >= 2, "fewer than the plugin and the command line");
  }

  private static SortedMap<String, String> components(Path bill) throws IOException {
    SortedMap<String, String> components = new TreeMap<>();
    for (JsonNode component : new ObjectMapper().readTree(bill.toFile()).get("components")) {
      String hash = null;
      for (JsonNode h : component.get("hashes")) {
        if (h.get("alg").asString().equals("SHA-512")) {
          hash = h.get("content").asString();
        }
      }
      String jar =
          component.get("name").asString() + "-" + component.get("version").asString() + ".jar";
      assertFalse(hash == null, jar);
      components.put(jar, hash);
    }
    return components;
  }

  private static SortedMap<String, String> jarsIn(Path zip) throws Exception {
    SortedMap<String, String> jars = new TreeMap<>();
    try (ZipInputStream in = new ZipInputStream(Files.newInputStream(zip), UTF_8)) {
      for (ZipEntry entry = in.getNextEntry(); entry != null; entry = in.getNextEntry()) {
        if (entry.getName().endsWith(".jar")) {
          String name = entry.getName().replaceAll(".*/", "");
          jars.put(name, sha512(in.readAllBytes()));
        }
      }
    }
    return jars;
  }

  /** The other folder may have the plugin for more versions of OpenSearch. */
  @Test
  void twoBuildsAreTheSame() throws Exception {
    String other = System.getProperty("release.other", "");
    assumeFalse(other.isEmpty(), "-Drelease.other names no other build");
    SortedMap<String, Path> others = files(Path.of(other));
    SortedMap<String, Path> ours = files(RELEASE);
    for (Map.Entry<String, Path> file : ours.entrySet()) {
      assertTrue(others.containsKey(file.getKey()), () -> other + " lacks " + file.getKey());
      assertEquals(-1, Files.mismatch(file.getValue(), others.get(file.getKey())), file.getKey());
    }
  }
}
