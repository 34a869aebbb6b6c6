package org.ringwire.transport.providers;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.URL;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Collections;
import java.util.Enumeration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import org.ringwire.testing.NodeWatcher;
import org.ringwire.transport.TransportProvider;

/** Providers of the application that cannot be used. */
@ExtendWith(NodeWatcher.class)
class TransportProvidersTest {

  private static final String BROKEN = "broken.Provider";

  @TempDir Path folder;

  /** Has a provider besides, of which something that it extends is missing. */
  private final class Incomplete extends ClassLoader {

    private final URL services;

    Incomplete() throws IOException {
      super(TransportProvider.class.getClassLoader());
      services = Files.writeString(folder.resolve("services"), BROKEN).toUri().toURL();
    }

    @Override
    protected Enumeration<URL> findResources(String name) {
      boolean asked = name.equals("META-INF/services/" + TransportProvider.class.getName());
      return Collections.enumeration(asked ? List.of(services) : List.of());
    }

    @Override
    protected Class<?> findClass(String name) throws ClassNotFoundException {
      if (name.equals(BROKEN)) {
        throw new NoClassDefFoundError("broken/Base");
      }
      throw new ClassNotFoundException(name);
    }
  }

  @Test
  void shouldPassOverAProviderWhoseClassesAreNotAllThere() throws IOException {
    Thread thread = Thread.currentThread();
    ClassLoader before = thread.getContextClassLoader();
    thread.setContextClassLoader(new Incomplete());
    try {
      assertThat(TransportProviders.find("tcp")).isNotNull();
      assertThat(TransportProviders.find("none")).isNull();
      assertThat(TransportProviders.known())
          .startsWith("available=[tcp, shm, loopback")
          .contains("unusable=[java.lang.NoClassDefFoundError: broken/Base]");
    } finally {
      thread.setContextClassLoader(before);
    }
  }
}
