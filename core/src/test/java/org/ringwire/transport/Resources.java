package org.ringwire.transport;

import java.util.ArrayDeque;
import java.util.Deque;
import org.junit.jupiter.api.extension.AfterEachCallback;
import org.junit.jupiter.api.extension.ExtensionContext;

/**
 * What a test opens, closed the last first: after the test, where this is registered as an
 * extension, or by {@link #close}.
 */
@SuppressWarnings("exports") // of JUnit, to tests
public final class Resources implements AfterEachCallback {

  private final Deque<AutoCloseable> lastFirst = new ArrayDeque<>();

  /** None yet. */
  public Resources() {}

  /** Closes it, too, after all that comes later. */
  public <T extends AutoCloseable> T closing(T resource) {
    lastFirst.push(resource);
    return resource;
  }

  /** Closes all that there is. */
  public void close() throws Exception {
    while (!lastFirst.isEmpty()) {
      lastFirst.pop().close();
    }
  }

  @Override
  public void afterEach(ExtensionContext context) throws Exception {
    close();
  }
}
