package org.ringwire.tools.soak;

import java.util.List;
import org.ringwire.testing.ProgramRun;

/**
 * Hosts with addresses of their own on one machine: network namespaces, each connected by a cable
 * (veth) to a bridge, which is in a namespace too, so that the machine's own network is left alone.
 * The names contain the id of this process; what processes left behind that are no more is removed
 * before anything is made.
 */
final class NetworkRig implements AutoCloseable {

  private static final String PREFIX = "ringwire-";
  private static final int PORT = 7401;

  private final long owner;
  private final int hosts;

  private NetworkRig(long owner, int hosts) {
    this.owner = owner;
    this.hosts = hosts;
  }

  /** Why there can be no rig on this machine; empty if there can. */
  static String obstacle() {
    NetworkRig probe = new NetworkRig(ProcessHandle.current().pid(), 0);
    try {
      probe.build();
      return "";
    } catch (IllegalStateException e) {
      return "network namespaces cannot be made here: " + e.getMessage();
    } finally {
      probe.close();
    }
  }

  /** Hosts 1 to a number, connected. */
  static NetworkRig of(int hosts) {
    removeLeftOvers();
    NetworkRig rig = new NetworkRig(ProcessHandle.current().pid(), hosts);
    try {
      rig.build();
    } catch (IllegalStateException e) {
      rig.close();
      throw e;
    }
    return rig;
  }

  private void build() {
    must("ip", "netns", "add", hub());
    inHub("ip", "link", "add", "br0", "type", "bridge", "stp_state", "0");
    inHub("ip", "link", "set", "br0", "up");
    for (int host = 1; host <= hosts; host++) {
      String name = name(host);
      must("ip", "netns", "add", name);
      inHub("ip", "link", "add", port(host), "type", "veth", "peer", "eth0", "netns", name);
      inHub("ip", "link", "set", port(host), "master", "br0", "up");
      on(host, "ip", "link", "set", "lo", "up");
      on(host, "ip", "address", "add", ip(host) + "/24", "dev", "eth0");
      on(host, "ip", "link", "set", "eth0", "up");
    }
  }

  /** Removes what tests have left behind that were killed. */
  static void removeLeftOvers() {
    for (String name : namespaces()) {
      String[] parts = name.split("-", -1);
      if (parts.length == 3 && !isAlive(parts[1])) {
        ProgramRun.of("ip", "netns", "delete", name);
      }
    }
  }

  /** Namespaces of tests, of this process and others. */
  static List<String> namespaces() {
    return ProgramRun.of("ip", "netns", "list")
        .output()
        .lines()
        .map(line -> line.split(" ", -1)[0])
        .filter(name -> name.matches(PREFIX + "\\d+-\\w+"))
        .toList();
  }

  private static boolean isAlive(String pid) {
    return ProcessHandle.of(Long.parseLong(pid)).isPresent();
  }

  /** The words that start a program on a host. */
  List<String> launcher(int host) {
    return List.of("ip", "netns", "exec", name(host));
  }

  /** Where a node on a host listens. */
  String address(int host) {
    return ip(host) + ":" + PORT;
  }

  static String ip(int host) {
    return "10.77.0." + host;
  }

  /** Pulls the cable of a host: neither end hears of the other's packets any more. */
  void unplug(int host) {
    inHub("ip", "link", "set", port(host), "down");
  }

  /** Puts it back. */
  void plug(int host) {
    inHub("ip", "link", "set", port(host), "up");
  }

  /** Limits what a host can send. */
  void limit(int host, String rate) {
    on(
        host, "tc", "qdisc", "add", "dev", "eth0", "root", "tbf", "rate", rate, "burst", "16kb",
        "latency", "300ms");
  }

  /** Lets it send as it likes. */
  void unlimit(int host) {
    on(host, "tc", "qdisc", "delete", "dev", "eth0", "root");
  }

  /** From now on a host does not hear packets of another, but the other hears it. */
  void deafen(int host, int other, Nft nft, String condition) {
    must(nft.in(launcher(host), "add", "table", "inet", "faults"));
    must(
        nft.in(launcher(host), "add chain inet faults in { type filter hook input priority 0 ; }"));
    must(
        nft.in(
            launcher(host),
            "add rule inet faults in ip saddr " + ip(other) + " " + condition + " counter drop"));
  }

  /** Packets that a host did not hear. */
  long dropped(int host, Nft nft) {
    String rules = must(nft.in(launcher(host), "list", "table", "inet", "faults"));
    return Long.parseLong(rules.replaceAll("(?s).*counter packets (\\d+).*", "$1"));
  }

  /** It hears all again. */
  void undeafen(int host, Nft nft) {
    must(nft.in(launcher(host), "delete", "table", "inet", "faults"));
  }

  private void on(int host, String... words) {
    must(joined(launcher(host), words));
  }

  private void inHub(String... words) {
    must(joined(List.of("ip", "netns", "exec", hub()), words));
  }

  private static String[] joined(List<String> first, String... rest) {
    return java.util.stream.Stream.concat(first.stream(), java.util.Arrays.stream(rest))
        .toArray(String[]::new);
  }

  private static void must(String... words) {
    ProgramRun run = ProgramRun.of(words);
    if (!run.isGood()) {
      throw new IllegalStateException(String.join(" ", words) + ": " + run.output());
    }
  }

  private static String must(ProgramRun run) {
    if (!run.isGood()) {
      throw new IllegalStateException(run.output());
    }
    return run.output();
  }

  private String name(int host) {
    return PREFIX + owner + "-" + host;
  }

  private String hub() {
    return PREFIX + owner + "-hub";
  }

  private static String port(int host) {
    return "port" + host;
  }

  /** Removes everything; cables and bridge go with their namespaces. */
  @Override
  public void close() {
    for (int host = 1; host <= hosts; host++) {
      ProgramRun.of("ip", "netns", "delete", name(host));
    }
    ProgramRun.of("ip", "netns", "delete", hub());
  }
}
