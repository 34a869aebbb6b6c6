package org.ringwire.codec;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import org.ringwire.testing.NodeWatcher;

/**
 * Private, nested and local records of applications in modules and on the class path, each in a JVM
 * of its own.
 */
@ExtendWith(NodeWatcher.class)
class CodecAccessSystemTest {
  private static final String APPLICATION =
      """
      package app.messages;

      import java.lang.foreign.MemorySegment;
      import java.lang.invoke.MethodHandles;
      import java.util.List;
      import org.ringwire.codec.*;

      public final class Main {
        private enum Kind { ONE, TWO }
        private record Inner(int value, String text) {}
        private record Outer(Inner inner, List<Inner> more, Inner[] array, Kind kind) {
          @Override public boolean equals(Object o) { return toText(this).equals(toText(o)); }
          @Override public int hashCode() { return 1; }
        }
        private sealed interface Choice permits Left {}
        private record Left(long value) implements Choice {}
        record Holder(Choice choice, Holder next) {}

        static String toText(Object o) {
          Outer outer = (Outer) o;
          return outer.inner() + "" + outer.more() + List.of(outer.array()) + outer.kind();
        }

        public static void main(String[] arguments) {
          MessageCatalog catalog =
              arguments[0].equals("lookup")
                  ? new MessageCatalog(MethodHandles.lookup())
                  : new MessageCatalog();
          record Local(int number, Kind kind) {}
          try {
            Inner inner = new Inner(1, "x");
            pass(catalog, new Outer(inner, List.of(inner), new Inner[] {inner}, Kind.TWO));
            pass(catalog, new Holder(new Left(5), new Holder(null, null)));
            pass(catalog, new Local(3, Kind.ONE));
            System.out.println("passed");
          } catch (IllegalArgumentException e) {
            System.out.println("refused " + e.getMessage());
          }
        }

        @SuppressWarnings("unchecked")
        private static <T> void pass(MessageCatalog catalog, T message) {
          Codec<T> codec = catalog.typeOf((Class<T>) message.getClass()).codec();
          byte[] bytes = new byte[codec.length(message)];
          Writer writer = new Writer();
          writer.wrap(MemorySegment.ofArray(bytes), 0, bytes.length);
          codec.encode(message, writer);
          Reader reader = new Reader();
          reader.wrap(MemorySegment.ofArray(bytes), 0, bytes.length);
          T copy = codec.decode(reader);
          if (!copy.equals(message)) {
            throw new AssertionError(copy + " is not " + message);
          }
        }
      }
      """;

  @TempDir static Path directory;

  private static Path library() {
    String location = Writer.class.getProtectionDomain().getCodeSource().getLocation().getPath();
    return Path.of(location);
  }

  @BeforeAll
  static void compileApplications() throws Exception {
    compile("classes", null);
    compile("closed", "module app { requires org.ringwire; }");
    compile("open", "module app { requires org.ringwire; opens app.messages to org.ringwire; }");
  }

  private static void compile(String name, String module) throws Exception {
    Path sources = Files.createDirectories(directory.resolve(name + "-src/app/messages"));
    List<String> command = javac(name);
    if (module == null) {
      command.addAll(List.of("-cp", library().toString()));
    } else {
      Path descriptor = directory.resolve(name + "-src/module-info.java");
      Files.writeString(descriptor, module);
      command.addAll(List.of("-p", library().toString(), descriptor.toString()));
    }
    command.add(Files.writeString(sources.resolve("Main.java"), APPLICATION).toString());
    assertThat(run(command)).doesNotContain("error:");
  }

  private static String path(String name) {
    return directory.resolve(name).toString();
  }

  private static String tool(String name) {
    return Path.of(System.getProperty("java.home"), "bin", name).toString();
  }

  /** The compiler, which is to be ready soon, with the folder that it writes into. */
  private static List<String> javac(String name) {
    List<String> soon = List.of(tool("javac"), "-J-XX:TieredStopAtLevel=1", "-J-XX:+UseSerialGC");
    List<String> command = new ArrayList<>(soon);
    command.addAll(List.of("-d", path(name)));
    return command;
  }

  private static String run(List<String> command) throws IOException, InterruptedException {
    Path output = Files.createTempFile(directory, "output", ".txt");
    Process process =
        new ProcessBuilder(command)
            .redirectErrorStream(true)
            .redirectOutput(output.toFile())
            .start();
    try {
      assertThat(process.waitFor(2, TimeUnit.MINUTES)).as("ended: %s", command).isTrue();
    } finally {
      process.destroyForcibly();
    }
    return Files.readString(output, StandardCharsets.UTF_8).strip();
  }

  private static String runModule(String name, String mode) throws Exception {
    String modules = library() + File.pathSeparator + path(name);
    return run(
        List.of(
            tool("java"),
            "-XX:TieredStopAtLevel=1",
            "--illegal-native-access=deny",
            "--sun-misc-unsafe-memory-access=deny",
            "-p",
            modules,
            "-m",
            "app/app.messages.Main",
            mode));
  }

  @Test
  void shouldReachRecordsInAnOpenedPackage() throws Exception {
    assertThat(runModule("open", "default")).isEqualTo("passed");
  }

  @Test
  void shouldReachRecordsThroughALookup() throws Exception {
    assertThat(runModule("closed", "lookup")).isEqualTo("passed");
  }

  @Test
  void shouldPrintTheLineThatIsMissing() throws Exception {
    assertThat(runModule("closed", "default"))
        .isEqualTo(
            "refused no access to app.messages.Main$Inner: add \"opens app.messages to"
                + " org.ringwire;\" to the module-info.java of app, or let that module give a"
                + " lookup: NodeConfig.builder(id).lookup(MethodHandles.lookup()), or, with a"
                + " catalog of your own, new MessageCatalog(MethodHandles.lookup())");
  }

  /** A module that has records alone, and opens them, need not know the library. */
  @Test
  void shouldReachRecordsOfAModuleThatDoesNotReadTheLibrary() throws Exception {
    Path records = source("dto-src/dto/Order.java", "package dto; public record Order(long id) {}");
    Path module = source("dto-src/module-info.java", "module dto { exports dto; opens dto; }");
    List<String> first = javac("dto");
    first.addAll(List.of(module.toString(), records.toString()));
    assertThat(run(first)).doesNotContain("error:");
    String modules = library() + File.pathSeparator + path("dto");
    Path main =
        source(
            "user-src/user/Main.java",
            """
            package user;
            import java.lang.invoke.MethodHandles;
            import org.ringwire.codec.*;
            public final class Main {
              public static void main(String[] arguments) {
                new MessageCatalog().typeOf(dto.Order.class);
                new MessageCatalog(MethodHandles.lookup()).typeOf(dto.Order.class);
                System.out.println("passed");
              }
            }
            """);
    Path user =
        source("user-src/module-info.java", "module user { requires org.ringwire; requires dto; }");
    List<String> second = javac("user");
    second.addAll(List.of("-p", modules, user.toString(), main.toString()));
    assertThat(run(second)).doesNotContain("error:");
    List<String> java = new ArrayList<>(List.of(tool("java"), "-XX:TieredStopAtLevel=1", "-p"));
    java.addAll(List.of(modules + File.pathSeparator + path("user"), "-m", "user/user.Main"));
    assertThat(run(java)).isEqualTo("passed");
  }

  private static Path source(String name, String text) throws IOException {
    Path file = directory.resolve(name);
    Files.createDirectories(file.getParent());
    return Files.writeString(file, text);
  }

  @Test
  void shouldReachRecordsOnTheClassPath() throws Exception {
    List<String> java = List.of(tool("java"), "-XX:TieredStopAtLevel=1");
    List<String> library = new ArrayList<>(java);
    library.addAll(List.of("-p", library().toString(), "--add-modules", "org.ringwire"));
    library.addAll(List.of("-cp", path("classes"), "app.messages.Main", "default"));
    assertThat(run(library)).isEqualTo("passed");

    List<String> all = new ArrayList<>(java);
    String classes = library() + File.pathSeparator + path("classes");
    all.addAll(List.of("-cp", classes, "app.messages.Main", "default"));
    assertThat(run(all)).isEqualTo("passed");
  }
}
