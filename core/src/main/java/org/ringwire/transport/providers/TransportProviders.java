package org.ringwire.transport.providers;

import java.util.ArrayList;
import java.util.Iterator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.ServiceConfigurationError;
import java.util.ServiceLoader;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.ringwire.transport.BufferSizes;
import org.ringwire.transport.TransportProvider;
import org.ringwire.transport.loopback.LoopbackTransportProvider;
import org.ringwire.transport.shm.ShmTransportProvider;
import org.ringwire.transport.tcp.TcpTransportProvider;

/**
 * The transports that the application has brought, and those of this library. The latter are named
 * here besides in the files of services, as tools that merge jars lose those if they are not told
 * to keep them. What a file of services names and cannot be used, such as a provider for another
 * copy of this library that the context class loader sees, is passed over.
 */
public final class TransportProviders {

  /** So that a file which cannot be read at all is not asked for ever. */
  private static final int MAX_FAILURES = 64;

  private TransportProviders() {}

  /**
   * The provider of a name, or null if there is none. Looks first where the application's libraries
   * are, then where this one is.
   */
  public static @Nullable TransportProvider find(String name) {
    TransportProvider provider = find(name, ofApplication());
    if (provider == null) {
      ClassLoader own = TransportProviders.class.getClassLoader();
      provider = find(name, ServiceLoader.load(TransportProvider.class, own).iterator());
    }
    return provider != null ? provider : find(name, builtIn().iterator());
  }

  /** What suits a transport; the standard if there is none of this name. */
  public static BufferSizes preferredSizes(String name) {
    TransportProvider provider = find(name);
    return provider == null ? BufferSizes.STANDARD : provider.preferredSizes();
  }

  /** For messages: the names that there are, and what was passed over. */
  public static String known() {
    Set<String> names = new LinkedHashSet<>();
    builtIn().forEach(provider -> names.add(provider.name()));
    List<Error> failures = new ArrayList<>();
    Iterator<TransportProvider> found = ofApplication();
    for (var next = next(found, failures); next != null; next = next(found, failures)) {
      names.add(next.name());
    }
    List<String> reasons = failures.stream().map(TransportProviders::reason).toList();
    return "available=" + names + (reasons.isEmpty() ? "" : " unusable=" + reasons);
  }

  private static Iterator<TransportProvider> ofApplication() {
    return ServiceLoader.load(TransportProvider.class).iterator();
  }

  private static List<TransportProvider> builtIn() {
    return List.of(
        new TcpTransportProvider(), new ShmTransportProvider(), new LoopbackTransportProvider());
  }

  private static @Nullable TransportProvider find(
      String name, Iterator<TransportProvider> providers) {
    List<Error> failures = new ArrayList<>();
    for (var next = next(providers, failures); next != null; next = next(providers, failures)) {
      if (next.name().equals(name)) {
        return next;
      }
    }
    return null;
  }

  /** The next one that can be used, or null at the end. */
  private static @Nullable TransportProvider next(
      Iterator<TransportProvider> providers, List<Error> failures) {
    while (failures.size() < MAX_FAILURES) {
      try {
        return providers.hasNext() ? providers.next() : null;
      } catch (ServiceConfigurationError | LinkageError e) { // the latter as what it needs is gone
        failures.add(e);
      }
    }
    return null;
  }

  /** A class that is missing has a message that says nothing but its name. */
  private static String reason(Error failure) {
    return failure instanceof ServiceConfigurationError
        ? String.valueOf(failure.getMessage())
        : failure.toString();
  }
}
