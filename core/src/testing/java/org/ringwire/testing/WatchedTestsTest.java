package org.ringwire.testing;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.File;
import java.io.IOException;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.ServiceLoader;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.BeforeEachCallback;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.extension.Extension;
import org.junit.jupiter.api.extension.RegisterExtension;

/**
 * Every test class of a module is watched for what it leaves behind. Services are not found in a
 * named module that is patched with its tests, so that JUnit cannot register an extension for all
 * of them by itself: each names it there.
 */
@ExtendWith(NodeWatcher.class)
class WatchedTestsTest {

  private static final Module HERE = NodeWatcher.class.getModule();

  private Optional<String> detection = Optional.empty();

  @RegisterExtension
  private final BeforeEachCallback settings =
      context ->
          detection =
              context.getConfigurationParameter("junit.jupiter.extensions.autodetection.enabled");

  @Test
  void shouldWatchEveryTestClass() throws IOException, URISyntaxException {
    if (HERE.isNamed()) {
      assertThat(unwatched()).as("add @ExtendWith(NodeWatcher.class)").isEmpty();
    } else {
      assertThat(detection).contains("true");
      assertThat(ServiceLoader.load(Extension.class)).hasAtLeastOneElementOfType(NodeWatcher.class);
    }
  }

  private static List<Class<?>> unwatched() throws IOException, URISyntaxException {
    Path classes =
        Path.of(NodeWatcher.class.getProtectionDomain().getCodeSource().getLocation().toURI());
    Path tests = classes.resolveSibling("test-classes");
    try (Stream<Path> files = Files.walk(tests)) {
      return files
          .map(file -> tests.relativize(file).toString().replace(File.separatorChar, '.'))
          .filter(name -> name.endsWith("Test.class"))
          .map(name -> name.substring(0, name.length() - ".class".length()))
          .<Class<?>>map(name -> Class.forName(HERE, name))
          .filter(type -> type != null && !isWatched(type))
          .toList();
    }
  }

  private static boolean isWatched(Class<?> type) {
    for (Class<?> c = type; c != null; c = c.getSuperclass()) {
      for (ExtendWith extensions : c.getDeclaredAnnotationsByType(ExtendWith.class)) {
        if (List.of(extensions.value()).contains(NodeWatcher.class)) {
          return true;
        }
      }
    }
    return false;
  }
}
