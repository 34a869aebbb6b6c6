package org.ringwire.testing;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.ringwire.Node;

/**
 * Services are not found in a module that is patched with its tests, so that JUnit cannot register
 * an extension for all of them by itself; this test sees to it that none is forgotten.
 */
@ExtendWith(NodeWatcher.class)
class WatchedTestsTest {

  @Test
  void shouldWatchEveryTestClass() throws IOException, URISyntaxException {
    Path classes = Path.of(Node.class.getProtectionDomain().getCodeSource().getLocation().toURI());
    Path tests = classes.resolveSibling("test-classes");
    List<Class<?>> unwatched;
    try (Stream<Path> files = Files.walk(tests)) {
      unwatched =
          files
              .map(file ->
                  tests.relativize(file).toString().replace(java.io.File.separatorChar, '.'))
              .filter(name -> name.endsWith("Test.class"))
              .map(name -> name.substring(0, name.length() - ".class".length()))
              .<Class<?>>map(name -> Class.forName(Node.class.getModule(), name))
              .filter(type -> type != null && !isWatched(type))
              .toList();
    }
    assertThat(unwatched).as("add @ExtendWith(NodeWatcher.class)").isEmpty();
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
