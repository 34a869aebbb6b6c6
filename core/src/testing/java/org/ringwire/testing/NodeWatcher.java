package org.ringwire.testing;

import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Supplier;
import java.util.logging.Level;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.extension.AfterAllCallback;
import org.junit.jupiter.api.extension.BeforeAllCallback;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.ringwire.ring.NativeMemory;

/**
 * Fails a test class that leaves anything behind: threads of a node, native memory (every buffer of
 * a closed pool has a scope of its own, so that a buffer which was not returned shows too), or
 * logged errors that no {@link ExpectedErrors} declares. JUnit registers it by itself for the
 * tests of modules without a name; {@link WatchedTestsTest} sees to it that every class of the
 * others names it.
 */
@SuppressWarnings("exports") // of JUnit, to tests
public final class NodeWatcher implements BeforeAllCallback, AfterAllCallback {

  private static final long PATIENCE_NS = Duration.ofSeconds(20).toNanos();
  private static final String THREADS = "ringwire-";

  /** Any codec may be descheduled in the middle of its work where there are too few cores. */
  private static final String SCHEDULING = "claim open for too long";

  /** Many tests look at the way to a node alone, where nobody takes what is sent. */
  private static final String UNHANDLED = "no handler: messageType=";

  private static final Logger LOGGER = Logger.getLogger("org.ringwire");

  private final Set<Thread> threadsBefore = new HashSet<>();
  private @Nullable LogRecorder recorder;
  private List<String> scopesBefore = List.of();

  /** By JUnit. */
  public NodeWatcher() {}

  @Override
  public void beforeAll(ExtensionContext context) {
    threadsBefore.addAll(threads());
    scopesBefore = NativeMemory.openOwners();
    recorder = LogRecorder.of(LOGGER, Level.WARNING);
    LOGGER.setUseParentHandlers(false);
  }

  @Override
  public void afterAll(ExtensionContext context) {
    List<Thread> threads = patiently(this::newThreads);
    List<String> scopes = patiently(this::newScopes);
    LogRecorder logged = Objects.requireNonNull(recorder);
    logged.close();
    LOGGER.setUseParentHandlers(LOGGER.getHandlers().length == 0);
    List<String> complaints = new ArrayList<>();
    threads.forEach(thread -> complaints.add(describe(thread)));
    scopes.forEach(owner -> complaints.add("native memory: " + owner));
    AssertionError failure = new AssertionError();
    for (LogRecord error : logged.records()) {
      String text = error.getMessage() + ": " + error.getThrown();
      if (!isExpected(context, text)) {
        complaints.add("logged error: " + text);
        if (error.getThrown() != null) {
          failure.addSuppressed(error.getThrown());
        }
      }
    }
    if (!complaints.isEmpty()) {
      AssertionError named =
          new AssertionError(
              context.getRequiredTestClass().getName() + " leaves behind: " + complaints);
      for (Throwable cause : failure.getSuppressed()) {
        named.addSuppressed(cause);
      }
      throw named;
    }
  }

  private static boolean isExpected(ExtensionContext context, String text) {
    if (text.contains(SCHEDULING) || text.contains(UNHANDLED)) {
      return true;
    }
    for (Class<?> type = context.getRequiredTestClass();
        type != null;
        type = type.getSuperclass()) {
      ExpectedErrors expected = type.getAnnotation(ExpectedErrors.class);
      if (expected != null) {
        for (String part : expected.value()) {
          if (text.contains(part)) {
            return true;
          }
        }
      }
    }
    return false;
  }

  /** With what it does: why it does not end is all that counts, and cannot be asked later. */
  private static String describe(Thread thread) {
    StringBuilder text = new StringBuilder("thread: " + thread.getName() + " " + thread.getState());
    for (StackTraceElement element : thread.getStackTrace()) {
      text.append("\n    at ").append(element);
    }
    return text.toString();
  }

  /** What is left, once nothing is or time is over. */
  private static <T> List<T> patiently(Supplier<List<T>> rest) {
    long deadlineNs = System.nanoTime() + PATIENCE_NS;
    List<T> left = rest.get();
    while (!left.isEmpty() && System.nanoTime() - deadlineNs < 0) {
      LockSupport.parkNanos(1_000_000);
      left = rest.get();
    }
    return left;
  }

  private List<Thread> newThreads() {
    List<Thread> threads = threads();
    threads.removeAll(threadsBefore);
    return threads;
  }

  private List<String> newScopes() {
    List<String> owners = new ArrayList<>(NativeMemory.openOwners());
    scopesBefore.forEach(owners::remove);
    return owners;
  }

  private static List<Thread> threads() {
    List<Thread> threads = new ArrayList<>();
    for (Thread thread : Thread.getAllStackTraces().keySet()) {
      if (thread.getName().startsWith(THREADS)) {
        threads.add(thread);
      }
    }
    return threads;
  }
}
