package org.ringwire.discovery;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.Hashtable;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import javax.naming.CommunicationException;
import javax.naming.Context;
import javax.naming.NameNotFoundException;
import javax.naming.NamingEnumeration;
import javax.naming.NamingException;
import javax.naming.directory.Attribute;
import javax.naming.directory.Attributes;
import javax.naming.directory.DirContext;
import javax.naming.directory.InitialDirContext;

/** The SRV records (RFC 2782) of one name, by the JDK's naming service. Used by one thread. */
final class ServiceRecords {
  /** Of the module jdk.naming.dns. */
  static final String FACTORY = "com.sun.jndi.dns.DnsContextFactory";

  private static final String TYPE = "SRV";

  /** The address of the name servers that the system asks. */
  static final String SYSTEM = "dns:";

  private static final Pattern NAME = Pattern.compile("[A-Za-z0-9_.-]{1,253}");

  private final String url;
  private final String service;
  private final HostPattern hosts;

  ServiceRecords(String url, String service, HostPattern hosts) {
    if (!NAME.matcher(service).matches()) {
      throw new IllegalArgumentException("not the name of a service: name=" + service);
    }
    this.url = url;
    this.service = service;
    this.hosts = hosts;
  }

  /** One record; the best of a node first. */
  private record Target(int priority, int weight, int port, String host)
      implements Comparable<Target> {
    private static final Comparator<Target> ORDER =
        Comparator.comparingInt(Target::priority)
            .thenComparing(Comparator.comparingInt(Target::weight).reversed())
            .thenComparing(Target::host)
            .thenComparingInt(Target::port);

    @Override
    public int compareTo(Target other) {
      return ORDER.compare(this, other);
    }

    boolean isNoService() {
      return host.isEmpty();
    }
  }

  /**
   * Asks for the records.
   *
   * @return the addresses of the nodes among them
   * @throws NamingException if there is no answer, or no such name
   * @throws IllegalArgumentException if a record makes no sense, or none is that of a node
   */
  Map<Integer, String> load() throws NamingException {
    Map<Integer, Target> best = new HashMap<>();
    List<Target> targets = ask().stream().map(ServiceRecords::target).toList();
    for (Target target : targets) {
      int id = hosts.idIn(target.host());
      if (id >= 0) {
        if (target.port() == 0) {
          throw new IllegalArgumentException(
              "an SRV record of a node without a port: target=" + target.host() + " port=0");
        }
        best.merge(id, target, (one, other) -> one.compareTo(other) <= 0 ? one : other);
      }
    }
    if (best.isEmpty() && !targets.stream().allMatch(Target::isNoService)) {
      throw new IllegalArgumentException(
          "no target is the name of a node: expected="
              + hosts.of(1)
              + " found="
              + targets.getFirst());
    }
    return best.entrySet().stream()
        .collect(
            Collectors.toUnmodifiableMap(
                Map.Entry::getKey, e -> e.getValue().host() + ":" + e.getValue().port()));
  }

  /**
   * The provider is that for DNS, whose attributes are text or bytes, and the name has no scheme
   * that would choose another one: nothing is deserialized or loaded.
   */
  @SuppressWarnings("BanJNDI")
  private List<String> ask() throws NamingException {
    DirContext context = new InitialDirContext(environment());
    try {
      Attributes attributes = context.getAttributes(service, new String[] {TYPE});
      Attribute records = attributes.get(TYPE);
      if (records == null) {
        throw new NameNotFoundException("no SRV records: name=" + service);
      }
      return texts(records);
    } catch (CommunicationException e) { // whose text is "DNS error"
      throw unanswered(e);
    } finally {
      context.close();
    }
  }

  private NamingException unanswered(CommunicationException failure) {
    Throwable root = failure.getRootCause();
    CommunicationException told =
        new CommunicationException(
            "no answer from "
                + (url.equals(SYSTEM) ? "the name servers of the system" : url)
                + ": "
                + (root == null ? failure.getMessage() : root));
    told.setRootCause(failure);
    return told;
  }

  @SuppressWarnings("JdkObsolete") // what the constructor takes
  private Hashtable<String, String> environment() {
    Hashtable<String, String> environment = new Hashtable<>();
    environment.put(Context.INITIAL_CONTEXT_FACTORY, FACTORY);
    environment.put(Context.PROVIDER_URL, url);
    environment.put("com.sun.jndi.dns.timeout.initial", "1000");
    environment.put("com.sun.jndi.dns.timeout.retries", "3");
    return environment;
  }

  private static List<String> texts(Attribute records) throws NamingException {
    List<String> texts = new ArrayList<>();
    NamingEnumeration<?> values = records.getAll();
    while (values.hasMore()) {
      texts.add(String.valueOf(values.next()));
    }
    return texts;
  }

  /** Takes {@code "priority weight port target."} apart. */
  private static Target target(String text) {
    String[] parts = text.split(" ", -1);
    if (parts.length != 4) {
      throw new IllegalArgumentException("no SRV record: " + text);
    }
    String host = parts[3].endsWith(".") ? parts[3].substring(0, parts[3].length() - 1) : parts[3];
    try {
      return new Target(
          Integer.parseInt(parts[0]), Integer.parseInt(parts[1]), Integer.parseInt(parts[2]), host);
    } catch (NumberFormatException e) {
      throw new IllegalArgumentException("no SRV record: " + text, e);
    }
  }
}
