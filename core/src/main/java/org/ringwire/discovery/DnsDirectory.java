package org.ringwire.discovery;

import java.time.Duration;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.ringwire.NodeDirectory;

/**
 * Addresses in the domain name system.
 *
 * <ul>
 *   <li>{@link #hosts}: every node has a name of its own, with its id in it, whose A and AAAA
 *       records are looked up at every connection attempt.
 *   <li>{@link #services}: SRV records of one service name say host and port of each node. They are
 *       looked up regularly. An answer that does not come or makes no sense changes nothing: the
 *       addresses known before stay, and the problem is logged once.
 * </ul>
 *
 * <p>Any thread may call all methods. Connections that exist are left alone when a node moves or
 * disappears. For SRV records the JDK's modules {@code java.naming} and {@code jdk.naming.dns} must
 * be present, as they are on the class path; a modular application adds them with {@code requires
 * java.naming}, and to an image of {@code jlink}, which takes nothing that is not required, with
 * {@code --add-modules jdk.naming.dns}. Until it is closed, a directory of services owns a daemon
 * thread.
 */
public final class DnsDirectory implements NodeDirectory, AutoCloseable {
  private static final String CONTEXT = "javax.naming.directory.InitialDirContext";
  private static final String NEEDED =
      "SRV records need the modules java.naming and jdk.naming.dns";

  private final Refresher refresher;

  private DnsDirectory(Refresher refresher) {
    this.refresher = refresher;
  }

  /**
   * A directory of nodes with names of their own, such as the pods of a stateful set. How long the
   * JDK remembers an answer is set by its security property {@code networkaddress.cache.ttl}.
   *
   * @param pattern the address of every node, with {@code {id}} where its id stands: {@code
   *     "node-{id}.example.org:7000"}
   * @return the directory; it needs no closing
   * @throws IllegalArgumentException unless the pattern has {@code {id}} once
   */
  public static NodeDirectory hosts(String pattern) {
    return new HostPattern(Objects.requireNonNull(pattern, "pattern must not be null"))::of;
  }

  /**
   * A directory that follows SRV records, asked of the system's name servers. The first question is
   * asked before this returns, which takes up to 7 s for each of them that is silent; if none
   * answers, the directory is empty until one does. Later ones keep nobody waiting: they have a
   * thread of their own, and nodes find the addresses of the last answer.
   *
   * @param service the name of the records: {@code "_ringwire._tcp.example.org"}
   * @param hosts what the targets begin with, with {@code {id}} where the id stands: {@code
   *     "node-{id}"} for targets like {@code node-7.example.org}; others are not nodes. Of several
   *     records with one id the one of the lowest priority number counts, then of the highest
   *     weight
   * @param interval between two questions, more than 0 and at most a year; the time to live of the
   *     answers is a good one
   * @return the directory, to be closed when no node uses it any more
   * @throws IllegalArgumentException unless the pattern has {@code {id}} once, the name consists of
   *     1 to 253 letters, digits, underscores, dots and hyphens, and the interval is as above
   * @throws IllegalStateException if the JDK's modules for DNS are missing
   */
  public static DnsDirectory services(String service, String hosts, Duration interval) {
    return open(ServiceRecords.SYSTEM, service, hosts, interval);
  }

  /**
   * The same as {@link #services(String, String, Duration)} for a name server of choice.
   *
   * @param service the name of the records
   * @param hosts what the targets begin with, with {@code {id}} where the id stands
   * @param interval between two questions, more than 0 and at most a year
   * @param server host or host:port of the name server
   * @return the directory, to be closed when no node uses it any more
   * @throws IllegalArgumentException as {@link #services(String, String, Duration)}
   * @throws IllegalStateException if the JDK's modules for DNS are missing
   */
  public static DnsDirectory services(
      String service, String hosts, Duration interval, String server) {
    Objects.requireNonNull(server, "server must not be null");
    return open("dns://" + server, service, hosts, interval);
  }

  private static DnsDirectory open(String url, String service, String hosts, Duration interval) {
    Objects.requireNonNull(service, "service must not be null");
    Objects.requireNonNull(hosts, "hosts must not be null");
    Intervals.check(interval);
    HostPattern pattern = new HostPattern(hosts);
    requirePresent(
        CONTEXT,
        ": add \"requires java.naming;\" to the application's module, or --add-modules"
            + " java.naming,jdk.naming.dns");
    requirePresent(
        ServiceRecords.FACTORY, // of a module that no other one requires
        ", of which the latter is missing: add --add-modules jdk.naming.dns, for jlink where the"
            + " program runs in an image");
    ServiceRecords records = new ServiceRecords(url, service, pattern);
    Refresher refresher = new Refresher("SRV records of " + service, records::load);
    refresher.refresh();
    refresher.start(interval);
    return new DnsDirectory(refresher);
  }

  private static void requirePresent(String className, String otherwise) {
    try {
      Class<?> _ = Class.forName(className, false, ClassLoader.getPlatformClassLoader());
    } catch (ClassNotFoundException e) {
      throw new IllegalStateException(NEEDED + otherwise, e);
    }
  }

  @Override
  public @Nullable String address(int nodeId) {
    return refresher.addresses().get(nodeId);
  }

  /**
   * All addresses of the last good answer.
   *
   * @return an immutable map
   */
  public Map<Integer, String> addresses() {
    return refresher.addresses();
  }

  /**
   * Why the last question had no good answer.
   *
   * @return text for people, or null if all is well
   */
  public @Nullable String problem() {
    return refresher.problem();
  }

  /** Asks no more; the addresses stay. */
  @Override
  public void close() {
    refresher.close();
  }
}
