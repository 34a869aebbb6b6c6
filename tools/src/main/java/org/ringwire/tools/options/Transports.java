package org.ringwire.tools.options;

import java.util.ArrayList;
import java.util.List;
import java.util.ServiceConfigurationError;
import java.util.ServiceLoader;
import org.ringwire.tools.console.CommandException;
import org.ringwire.transport.TransportProvider;

/** The transports that are installed. */
public final class Transports {

  private Transports() {}

  /**
   * Their names.
   *
   * @throws ServiceConfigurationError if one cannot be loaded
   */
  public static List<String> names() {
    List<String> names = new ArrayList<>();
    ServiceLoader.load(TransportProvider.class).forEach(provider -> names.add(provider.name()));
    names.sort(null);
    return names;
  }

  /**
   * Complains about a name that no transport has.
   *
   * @throws CommandException if there is none
   */
  public static void check(String name) {
    List<String> names = names();
    if (!names.contains(name)) {
      throw new CommandException(
          "there is no transport '" + name + "', choose one of: " + String.join(", ", names));
    }
  }

  /**
   * An address to listen on that is free and only for this machine.
   *
   * @param name of the transport
   * @param hint makes names different, where an address is a name
   */
  public static String localAddress(String name, String hint) {
    return switch (name) {
      case "tcp", "ib" -> "127.0.0.1:0";
      case "shm" -> "*";
      default -> hint;
    };
  }
}
