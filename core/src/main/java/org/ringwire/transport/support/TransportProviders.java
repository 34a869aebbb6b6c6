package org.ringwire.transport.support;

import java.util.ArrayList;
import java.util.List;
import java.util.ServiceLoader;
import org.jspecify.annotations.Nullable;
import org.ringwire.transport.BufferSizes;
import org.ringwire.transport.TransportProvider;

/** The transports that the application has brought: nobody else knows any by itself. */
public final class TransportProviders {

  private TransportProviders() {}

  /**
   * The provider of a name, or null if there is none. Looks first where the application's libraries
   * are, then where this one is.
   */
  public static @Nullable TransportProvider find(String name) {
    for (TransportProvider provider : ServiceLoader.load(TransportProvider.class)) {
      if (provider.name().equals(name)) {
        return provider;
      }
    }
    ClassLoader own = TransportProviders.class.getClassLoader();
    for (TransportProvider provider : ServiceLoader.load(TransportProvider.class, own)) {
      if (provider.name().equals(name)) {
        return provider;
      }
    }
    return null;
  }

  /** What suits a transport; the standard if there is none of this name. */
  public static BufferSizes preferredSizes(String name) {
    TransportProvider provider = find(name);
    return provider == null ? BufferSizes.STANDARD : provider.preferredSizes();
  }

  /** The names that there are where the application's libraries are. */
  public static List<String> names() {
    List<String> names = new ArrayList<>();
    for (TransportProvider provider : ServiceLoader.load(TransportProvider.class)) {
      names.add(provider.name());
    }
    return names;
  }
}
