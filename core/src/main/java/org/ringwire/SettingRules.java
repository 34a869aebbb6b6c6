package org.ringwire;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.ringwire.NodeConfig.DrainMode;
import org.ringwire.codec.MessageCatalog;

/**
 * What each setting of a {@link NodeConfig} may be, and which go together; a method for one setting
 * returns what it was given.
 */
final class SettingRules {

  private static final int MAX_CLUSTER_LENGTH = 255;
  private static final Duration LEAST_IDLE_TIME = Duration.ofMillis(1);
  private static final Duration LEAST_KEEP_ALIVE = Duration.ofMillis(50);
  private static final Duration MOST_KEEP_ALIVE = Duration.ofDays(1);
  private static final Duration LONGEST = Duration.ofDays(36_500);

  private SettingRules() {}

  /** What may not be null. */
  static <T> T given(String name, T value) {
    return Objects.requireNonNull(value, () -> name + " must not be null");
  }

  /** All settings that may not be null, and have no other rule. */
  static void given(
      Authentication authentication,
      String transport,
      NodeDirectory peers,
      MessageCatalog catalog,
      NodeListener listener,
      IdleStrategy idleStrategy,
      DrainMode drainMode) {
    given("authentication", authentication);
    given("transport", transport);
    given("peers", peers);
    given("catalog", catalog);
    given("listener", listener);
    given("idleStrategy", idleStrategy);
    given("drainMode", drainMode);
  }

  static String cluster(String name) {
    int length = given("cluster", name).getBytes(StandardCharsets.UTF_8).length;
    if (length > MAX_CLUSTER_LENGTH) {
      throw broken("cluster must have at most 255 bytes", name);
    }
    if (!StandardCharsets.UTF_8.newEncoder().canEncode(name)) { // no HELLO could carry it
      throw broken("cluster must have no unpaired surrogates", name);
    }
    return name;
  }

  static int ringCapacity(int bytes) {
    return range("ringCapacity", powerOfTwo("ringCapacity", bytes), 64 << 10, 1 << 30);
  }

  static int window(String name, int bytes) {
    return range(name, bytes, 4 << 10, 1 << 30);
  }

  static double creditThreshold(double fraction) {
    if (!(fraction >= 0.05 && fraction <= 0.6)) {
      throw new IllegalArgumentException(
          "creditThreshold must be in 0.05..0.6: creditThreshold=" + fraction);
    }
    return fraction;
  }

  static long windowBudget(long bytes) {
    if (bytes < 1 << 20) {
      throw broken("windowBudget must be at least 1 MiB", bytes);
    }
    return bytes;
  }

  static void windows(int initialWindow, int maxWindow, long windowBudget) {
    window("initialWindow", initialWindow);
    window("maxWindow", maxWindow);
    if (maxWindow < initialWindow) {
      throw new IllegalArgumentException(
          "maxWindow must not be smaller than initialWindow: maxWindow="
              + maxWindow
              + " initialWindow="
              + initialWindow);
    }
    if (windowBudget < initialWindow) {
      throw new IllegalArgumentException(
          "windowBudget must not be smaller than initialWindow, or no peer could connect:"
              + " windowBudget="
              + windowBudget
              + " initialWindow="
              + initialWindow);
    }
  }

  static void localTransport(@Nullable String localTransport, @Nullable Tls tls) {
    if (localTransport != null && tls != null) {
      throw new IllegalArgumentException(
          "a local transport cannot ask peers for certificates: give no tls, or no localTransport:"
              + " localTransport="
              + localTransport);
    }
  }

  static long maxBufferedBytes(long bytes) {
    if (bytes < 1 << 20) {
      throw broken("maxBufferedBytes must be at least 1 MiB", bytes);
    }
    return bytes;
  }

  static int maxRequests(int count) {
    return range("maxRequests", powerOfTwo("maxRequests", count), 2, 1 << 24);
  }

  static int range(String name, int value, int least, int most) {
    if (value < least || value > most) {
      throw new IllegalArgumentException(
          name + " must be in " + least + ".." + most + ": " + name + "=" + value);
    }
    return value;
  }

  static Duration positive(String name, Duration value) {
    given(name, value);
    if (value.isNegative() || value.isZero()) {
      throw new IllegalArgumentException(name + " must be positive: " + name + "=" + value);
    }
    if (value.compareTo(LONGEST) > 0) { // far beyond, nanoseconds are no long any more
      throw new IllegalArgumentException(
          name + " must be at most 100 years: " + name + "=" + value);
    }
    return value;
  }

  /** Not so short that the timer would do nothing but look. */
  static Duration idleTime(Duration value) {
    positive("idleTime", value);
    if (value.compareTo(LEAST_IDLE_TIME) < 0) {
      throw broken("idleTime must be at least 1 ms", value);
    }
    return value;
  }

  static Duration keepAlive(Duration value) {
    given("keepAlive", value);
    if (value.compareTo(LEAST_KEEP_ALIVE) < 0 || value.compareTo(MOST_KEEP_ALIVE) > 0) {
      throw broken("keepAlive must be 50 ms to 1 day", value);
    }
    return value;
  }

  private static int powerOfTwo(String name, int value) {
    if (Integer.bitCount(value) != 1) {
      throw broken(name + " must be a power of two", value);
    }
    return value;
  }

  private static IllegalArgumentException broken(String rule, Object value) {
    return new IllegalArgumentException(rule + ": value=" + value);
  }
}
