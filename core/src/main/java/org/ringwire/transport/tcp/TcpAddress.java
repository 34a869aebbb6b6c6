package org.ringwire.transport.tcp;

import java.io.IOException;
import java.net.Inet6Address;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.UnknownHostException;

/**
 * An address of this transport as people write it: {@code host:port} or {@code [ipv6]:port}. The
 * host is resolved when it is used, each time anew.
 *
 * @param host name or literal, without brackets
 * @param port 0 to 65535; 0 is any free port, to listen on only
 */
record TcpAddress(String host, int port) {

  /**
   * Reads an address.
   *
   * @throws IllegalArgumentException if it has another form; the message says which is expected
   */
  static TcpAddress parse(String address) {
    int scheme = address.indexOf("://");
    if (scheme > 0) {
      String prefix = address.substring(0, scheme + 3);
      throw malformed(address, "it begins with a scheme; leave " + prefix + " away");
    }
    int colon = address.lastIndexOf(':');
    if (colon < 0 || address.endsWith("]")) { // the last one is within an IPv6 address
      throw malformed(address, "no port");
    }
    return new TcpAddress(host(address, colon), port(address, address.substring(colon + 1)));
  }

  private static String host(String address, int colon) {
    String host = address.substring(0, colon);
    if (host.startsWith("[") && host.endsWith("]") && host.indexOf(':') > 0) {
      return host.substring(1, host.length() - 1);
    }
    if (host.indexOf(':') >= 0) {
      throw malformed(address, "an IPv6 address needs brackets");
    }
    if (host.indexOf('[') >= 0 || host.isBlank()) {
      throw malformed(address, "no host");
    }
    return host;
  }

  private static int port(String address, String text) {
    int port = 0;
    for (int i = 0; i < text.length(); i++) {
      int digit = text.charAt(i) - '0';
      if (digit < 0 || digit > 9) {
        throw malformed(address, "the port is not a number");
      }
      port = Math.min(port * 10 + digit, 65_536);
    }
    if (text.isEmpty() || port > 65_535) {
      throw malformed(address, "the port is not in 0..65535");
    }
    return port;
  }

  private static IllegalArgumentException malformed(String address, String why) {
    return new IllegalArgumentException(
        "tcp address must be host:port or [ipv6]:port: address=" + address + " (" + why + ")");
  }

  /** The form of a socket address that {@link #parse} takes. */
  static String format(InetSocketAddress socketAddress) {
    InetAddress host = socketAddress.getAddress();
    String literal = host.getHostAddress();
    return (host instanceof Inet6Address ? "[" + literal + "]" : literal)
        + ":"
        + socketAddress.getPort();
  }

  /** Whether the host is an address, for which no name server is asked. */
  boolean isLiteral() {
    try {
      InetAddress _ = InetAddress.ofLiteral(host);
      return true;
    } catch (IllegalArgumentException e) {
      return false;
    }
  }

  /**
   * Every address of the host, in the order of the resolver. May wait for a name server.
   *
   * @throws IOException if there is none; the message names the address
   */
  InetSocketAddress[] resolve() throws IOException {
    InetAddress[] hosts;
    try {
      hosts = InetAddress.getAllByName(host);
    } catch (UnknownHostException e) {
      throw new IOException("unknown host: address=" + this + " (no address for " + host + ")", e);
    }
    InetSocketAddress[] addresses = new InetSocketAddress[hosts.length];
    for (int i = 0; i < hosts.length; i++) {
      addresses[i] = new InetSocketAddress(hosts[i], port);
    }
    return addresses;
  }

  @Override
  public String toString() {
    return (host.indexOf(':') >= 0 ? "[" + host + "]" : host) + ":" + port;
  }
}
