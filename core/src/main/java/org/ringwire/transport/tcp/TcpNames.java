package org.ringwire.transport.tcp;

import java.io.IOException;
import java.net.Inet4Address;
import java.net.Inet6Address;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.NetworkInterface;
import java.net.SocketException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/**
 * Names of the listeners of this machine that a connection to an address may lead to: host and
 * port, then those of who listens on every address at that port, as the kernel would look for them.
 * The network namespace is part of the name, since containers may share a machine and its memory,
 * and each have a port 7400 of its own.
 */
final class TcpNames {

  private static final Path NAMESPACE = Path.of("/proc/self/ns/net");

  private TcpNames() {}

  /** The names, the nearest first; none if the address may lead to another machine. */
  static List<String> of(String address) {
    try {
      TcpAddress target = TcpAddress.parse(address);
      Set<String> names = new LinkedHashSet<>();
      List<String> everywhere = new ArrayList<>();
      for (InetSocketAddress each : target.resolve()) {
        InetAddress host = each.getAddress();
        if (!isOfThisMachine(host)) {
          return List.of();
        }
        if (!host.isAnyLocalAddress()) {
          names.add(name(literal(host), target.port()));
        }
        if (host instanceof Inet4Address) {
          everywhere.add(name("0.0.0.0", target.port()));
        }
        everywhere.add(name("any", target.port())); // [::] is for both families
      }
      names.addAll(everywhere);
      return List.copyOf(names);
    } catch (IOException | IllegalArgumentException e) {
      return List.of(); // whoever connects there finds out the same
    }
  }

  private static boolean isOfThisMachine(InetAddress host) throws SocketException {
    return host.isLoopbackAddress()
        || host.isAnyLocalAddress()
        || NetworkInterface.getByInetAddress(host) != null;
  }

  /**
   * As the kernel tells the address of a listener, however people have written it: with the number
   * of an interface, and that only if it is link-local, which means nothing without one.
   */
  private static String literal(InetAddress host) {
    String text = host.getHostAddress();
    int scope = text.indexOf('%');
    if (scope < 0 || !(host instanceof Inet6Address inet6)) {
      return text;
    }
    String address = text.substring(0, scope);
    return host.isLinkLocalAddress() ? address + "%" + inet6.getScopeId() : address;
  }

  private static String name(String host, int port) {
    return "tcp-" + namespace() + "-" + host + "-" + port;
  }

  /**
   * Of this process, such as 4026531840; empty where there is no such thing, or nobody can tell.
   */
  private static String namespace() {
    try {
      return Files.readSymbolicLink(NAMESPACE).toString().replaceAll("[^0-9]", "");
    } catch (IOException | RuntimeException e) {
      return "";
    }
  }
}
