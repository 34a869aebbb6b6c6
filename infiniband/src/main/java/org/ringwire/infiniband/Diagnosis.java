package org.ringwire.infiniband;

import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.ringwire.MessagingException;
import org.ringwire.infiniband.Finding.Status;
import org.ringwire.infiniband.verbs.Device;
import org.ringwire.infiniband.verbs.Devices;
import org.ringwire.infiniband.verbs.types.DeviceAttributes;
import org.ringwire.infiniband.verbs.types.GidEntry;
import org.ringwire.infiniband.verbs.types.LinkLayer;
import org.ringwire.infiniband.verbs.types.PortAttributes;

/**
 * Why InfiniBand works on this machine, or does not: module, devices, access, library, ports,
 * addresses, locked memory, each with what to do about it. Nothing is changed, and nothing stays
 * open.
 */
public final class Diagnosis {

  private static final int CAP_IPC_LOCK = 14;
  private static final long ENOUGH_LOCKED = 256L << 20;
  private static final String UNLIMITED = "unlimited";

  private final Path root;
  private final List<Finding> findings = new ArrayList<>();

  private Diagnosis(Path root) {
    this.root = root;
  }

  /** Looks at everything; what a missing thing would need is left out. */
  public static List<Finding> run() {
    return of(Path.of("/"));
  }

  /** The same, with files below a root that tests choose. */
  static List<Finding> of(Path root) {
    Diagnosis diagnosis = new Diagnosis(root);
    if (diagnosis.findDevices()) {
      diagnosis.findAccess();
      diagnosis.findLimit();
      diagnosis.askLibrary();
    }
    return List.copyOf(diagnosis.findings);
  }

  /** What can be said without the library, of a system below a root that tests choose. */
  static List<Finding> ofFiles(Path root) {
    Diagnosis diagnosis = new Diagnosis(root);
    if (diagnosis.findDevices()) {
      diagnosis.findAccess();
      diagnosis.findLimit();
    }
    return List.copyOf(diagnosis.findings);
  }

  private boolean findDevices() {
    List<String> devices = names("sys/class/infiniband", "");
    if (devices.isEmpty()) {
      boolean loaded = Files.exists(root.resolve("sys/module/ib_core"));
      add(
          "InfiniBand",
          Status.ABSENT,
          "no device" + (loaded ? "" : ", and the kernel has no RDMA module loaded"),
          "only the transport ib needs one: load the adapter's driver,"
              + " or make a soft device (docs/infiniband.md)");
      return false;
    }
    add("InfiniBand", Status.GOOD, "devices: " + String.join(", ", devices), "");
    return true;
  }

  private void findAccess() {
    String folder = "dev/infiniband";
    List<String> nodes = names(folder, "uverbs");
    boolean loaded = Files.exists(root.resolve("sys/module/ib_uverbs")); // not if it is built in
    if (nodes.isEmpty() && !loaded) {
      add("InfiniBand access", Status.WRONG, "no module ib_uverbs", "modprobe ib_uverbs");
    } else if (nodes.isEmpty()) {
      add(
          "InfiniBand access",
          Status.WRONG,
          "no /dev/infiniband/uverbs*",
          "in a container, pass them: --device /dev/infiniband");
    } else {
      List<String> closed =
          nodes.stream().filter(node -> !isUsable(root.resolve(folder).resolve(node))).toList();
      add(
          "InfiniBand access",
          closed.isEmpty() ? Status.GOOD : Status.WRONG,
          closed.isEmpty()
              ? "/dev/infiniband: " + String.join(", ", nodes)
              : "no permission for " + String.join(", ", closed),
          closed.isEmpty() ? "" : "join the group that owns them: ls -l /dev/infiniband");
    }
  }

  private static boolean isUsable(Path node) {
    return Files.isReadable(node) && Files.isWritable(node);
  }

  private void findLimit() {
    String limit = word("proc/self/limits", "Max locked memory");
    String capabilities = word("proc/self/status", "CapEff:");
    boolean exempt =
        !capabilities.isEmpty()
            && ((Long.parseUnsignedLong(capabilities, 16) >>> CAP_IPC_LOCK) & 1) == 1;
    if (limit.isEmpty() || limit.equals(UNLIMITED) || exempt) {
      add(
          "InfiniBand memory",
          Status.GOOD,
          exempt ? "any amount may be locked (CAP_IPC_LOCK)" : "any amount may be locked",
          "");
      return;
    }
    long bytes = Long.parseLong(limit);
    boolean enough = bytes >= ENOUGH_LOCKED;
    add(
        "InfiniBand memory",
        enough ? Status.GOOD : Status.WRONG,
        (bytes >> 10) + " KiB may be locked (RLIMIT_MEMLOCK)",
        enough
            ? ""
            : "registered memory counts against it: ulimit -l unlimited before Java starts,"
                + " LimitMEMLOCK=infinity in a systemd unit, --ulimit memlock=-1 for a container");
  }

  private void askLibrary() {
    List<String> names;
    try {
      names = Devices.names();
      boolean any = !names.isEmpty();
      add(
          "libibverbs",
          any ? Status.GOOD : Status.WRONG,
          any ? "knows " + String.join(", ", names) : "knows no device",
          any ? "" : "install the providers: apt install ibverbs-providers");
    } catch (MessagingException e) {
      add("libibverbs", Status.WRONG, "cannot be used", String.valueOf(e.getMessage()));
      return;
    }
    for (String name : names) {
      try (Device device = Devices.open(name)) {
        describe(device);
      } catch (MessagingException e) {
        add("device " + name, Status.WRONG, "cannot be used", String.valueOf(e.getMessage()));
      }
    }
  }

  private void describe(Device device) {
    DeviceAttributes attributes = device.attributes();
    boolean shares = attributes.hasSharedReceiveQueues();
    add(
        "device " + device.name(),
        shares ? Status.GOOD : Status.WRONG,
        "opens; queue pairs "
            + attributes.maxQueuePairs()
            + ", requests "
            + attributes.maxQueuePairRequests()
            + (shares ? "" : ", no shared receive queues")
            + ", ranges "
            + attributes.maxRanges()
            + ", regions of "
            + Long.toUnsignedString(attributes.maxMemoryRegionLength())
            + " bytes, atomics "
            + attributes.atomics(),
        shares
            ? ""
            : "the transport ib needs -Dringwire.ib.engine=msgud, on all nodes; RemoteMemory needs"
                + " another device");
    for (int port = 1; port <= attributes.ports(); port++) {
      describe(device, device.port(port));
    }
  }

  private void describe(Device device, PortAttributes port) {
    String name = device.name() + " port " + port.port();
    boolean ethernet = port.linkLayer() == LinkLayer.ETHERNET;
    add(
        name,
        port.isActive() ? Status.GOOD : Status.WRONG,
        port.state()
            + ", "
            + (ethernet ? "Ethernet (RoCE)" : "InfiniBand, lid " + port.lid())
            + ", MTU "
            + port.activeMtu().bytes(),
        port.isActive()
            ? ""
            : ethernet
                ? "bring its network interface up: ip link set INTERFACE up"
                : "check the cable, and that a subnet manager runs (opensm)");
    List<GidEntry> gids = device.gids(port.port());
    add(
        name + " GIDs",
        gids.isEmpty() && ethernet ? Status.WRONG : Status.GOOD,
        gids.isEmpty() ? "none" : String.join("; ", gids.stream().map(Diagnosis::text).toList()),
        gids.isEmpty() && ethernet ? "give its network interface an address" : "");
  }

  private static String text(GidEntry entry) {
    String address = entry.gid().toString();
    if (entry.gid().isIpv4()) {
      address = entry.gid().address().getHostAddress();
    }
    return entry.index()
        + ": "
        + address
        + " "
        + entry.type()
        + (entry.networkInterface().isEmpty() ? "" : " " + entry.networkInterface());
  }

  private void add(String name, Status status, String found, String advice) {
    findings.add(new Finding(name, status, found, advice));
  }

  /** The word behind the beginning of a line; empty if there is none. */
  private String word(String file, String start) {
    try {
      return Files.readAllLines(root.resolve(file)).stream()
          .filter(line -> line.startsWith(start))
          .map(line -> line.substring(start.length()).strip().replaceFirst("\\s.*", ""))
          .findFirst()
          .orElse("");
    } catch (IOException _) {
      return ""; // not Linux, or hidden: nothing is known
    }
  }

  private List<String> names(String folder, String start) {
    List<String> names = new ArrayList<>();
    try (DirectoryStream<Path> entries = Files.newDirectoryStream(root.resolve(folder))) {
      for (Path entry : entries) {
        String name = String.valueOf(entry.getFileName());
        if (name.startsWith(start)) {
          names.add(name);
        }
      }
    } catch (IOException _) {
      return List.of(); // there is no such folder
    }
    names.sort(null);
    return names;
  }
}
