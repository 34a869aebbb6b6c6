package org.ringwire.zookeeper;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.File;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.ringwire.Node;
import org.ringwire.testing.ProgramRun;

/** An application that is a module, and has its directory in ZooKeeper. */
class ModularApplicationTest {
  private static final String READS = "--add-reads com.example.app=ALL-UNNAMED";
  private static final Path JDK = Path.of(System.getProperty("java.home"), "bin");

  @TempDir private Path folder;

  private ProgramRun compile(String required, List<String> options) throws Exception {
    Path module = folder.resolve("module-info.java");
    Path program = folder.resolve("Main.java");
    Files.writeString(module, "module com.example.app { requires " + required + "; }\n");
    Files.writeString(
        program,
        """
        package com.example.app;

        public final class Main {
          public static void main(String[] words) throws Exception {
            var client =
                org.apache.curator.framework.CuratorFrameworkFactory.newClient(
                    "127.0.0.1:1", new org.apache.curator.retry.RetryForever(1000));
            client.start();
            try (var directory =
                org.ringwire.zookeeper.ZooKeeperDirectory.open(
                    client, "/ringwire/test", java.time.Duration.ZERO)) {
              System.out.println("known: " + directory.addresses());
            }
            client.close();
          }
        }
        """);
    return run("javac", options, "-d", "out", module.toString(), program.toString());
  }

  private ProgramRun run(String tool, List<String> options, String... words) {
    Stream<String> all = Stream.concat(Stream.of(JDK.resolve(tool).toString()), options.stream());
    return ProgramRun.of(folder, Stream.concat(all, Stream.of(words)).toList());
  }

  private static Path core() throws Exception {
    return Path.of(Node.class.getProtectionDomain().getCodeSource().getLocation().toURI());
  }

  /** What is on the class path of this test. */
  private static Stream<Path> classPath() {
    return Stream.of(System.getProperty("java.class.path").split(File.pathSeparator, -1))
        .map(Path::of);
  }

  private static String joined(Stream<Path> places) {
    return places.map(Path::toString).collect(Collectors.joining(File.pathSeparator));
  }

  @Test
  void shouldFindItOnTheClassPathAsTheDocumentSays() throws Exception {
    assertThat(Files.readString(Path.of("../../docs/packaging.md"))).contains(READS);
    Path core = core();
    String others = joined(classPath().filter(place -> !place.equals(core)));
    List<String> reads = List.of(READS.split(" ", -1));
    List<String> options =
        Stream.concat(reads.stream(), Stream.of("-cp", others, "-p", core.toString())).toList();

    ProgramRun compiled = compile("org.ringwire", options);
    assertThat(compiled.isGood()).as(compiled.output()).isTrue();

    List<String> started =
        Stream.concat(
                reads.stream(), Stream.of("-cp", others, "-p", core + File.pathSeparator + "out"))
            .toList();
    ProgramRun run = run("java", started, "-m", "com.example.app/com.example.app.Main");
    assertThat(run.isGood()).as(run.output()).isTrue();
    assertThat(run.output()).contains("known: {}");
  }

  /** If this fails ZooKeeper has become modular, and the document may say less. */
  @Test
  void shouldNotFindItOnTheModulePathSinceTwoJarsOfZooKeeperShareTheirPackages() throws Exception {
    String modules =
        joined(
            classPath()
                .filter(place ->
                    place.getFileName().toString().matches("(zookeeper|curator).*\\.jar")));

    ProgramRun compiled = compile("curator.framework", List.of("-p", modules));

    assertThat(compiled.isGood()).isFalse();
    assertThat(compiled.output()).contains("org.apache.zookeeper.server.quorum from both ");
  }
}
