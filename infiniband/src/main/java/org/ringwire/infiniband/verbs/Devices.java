package org.ringwire.infiniband.verbs;

import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import java.util.function.LongFunction;
import org.jspecify.annotations.Nullable;
import org.ringwire.MessagingException;
import org.ringwire.infiniband.verbs.library.Errno;
import org.ringwire.infiniband.verbs.library.EventVerbs;
import org.ringwire.infiniband.verbs.library.Library;
import org.ringwire.infiniband.verbs.library.Verbs;
import org.ringwire.infiniband.verbs.library.VerbsException;
import org.ringwire.infiniband.verbs.library.VerbsUnavailableException;

/** The devices of this machine. Any thread may call any method. */
public final class Devices {

  private Devices() {}

  /** Whether the system has the library, and native access is allowed. */
  public static boolean isLibraryPresent() {
    return Library.isPresent();
  }

  /**
   * The names of the devices, in the order of the library.
   *
   * @throws VerbsUnavailableException if the library is missing, or too old
   * @throws VerbsException if the kernel has no RDMA
   */
  public static List<String> names() {
    return each(Verbs::deviceName);
  }

  /** As the other one, by the port that most have. */
  public static Device open(String name) {
    return open(name, 1);
  }

  /**
   * Opens a device, which the caller closes.
   *
   * @param name the name of a device; if it is empty, the first device on which the port is active
   *     is taken, or the first one; those that cannot be opened or asked are passed over
   * @param port from 1, that will be used
   * @throws VerbsUnavailableException if the library or the device is missing, or the library is
   *     too old; it says which, and what there is
   * @throws VerbsException if no device can be used: why the first one cannot
   */
  public static Device open(String name, int port) {
    if (!name.isEmpty()) {
      return openNamed(name);
    }
    List<String> names = namesIfAny();
    if (names.isEmpty()) {
      throw new VerbsUnavailableException(
          "there is no InfiniBand or RoCE device: check that its driver is loaded"
              + " (ls /sys/class/infiniband), or make a soft one: modprobe rdma_rxe;"
              + " rdma link add rxe0 type rxe netdev INTERFACE",
          null);
    }
    String inactive = null;
    MessagingException unusable = null;
    for (String candidate : names) {
      try {
        Device device = openIfActive(candidate, port);
        if (device != null) {
          return device;
        }
        inactive = inactive == null ? candidate : inactive;
      } catch (MessagingException e) { // broken, gone, or not for this process; another may do
        unusable = unusable == null ? e : unusable;
      }
    }
    if (inactive == null && unusable != null) {
      throw unusable;
    }
    return openNamed(inactive == null ? names.getFirst() : inactive);
  }

  /** The device, or null if the port is not active or not there. */
  private static @Nullable Device openIfActive(String name, int port) {
    Device device = openNamed(name);
    boolean active = false;
    try {
      active = port <= device.attributes().ports() && device.port(port).isActive();
    } finally {
      if (!active) {
        device.close();
      }
    }
    return active ? device : null;
  }

  private static Device openNamed(String name) {
    List<Device> opened = new ArrayList<>();
    List<String> others = new ArrayList<>();
    if (hasRdma()) {
      each(device -> {
        String found = Verbs.deviceName(device);
        if (found.equals(name)) {
          opened.add(Device.of(name, Verbs.openDevice(device, name)));
        } else {
          others.add(found);
        }
        return found;
      });
    }
    if (opened.isEmpty()) {
      throw new VerbsUnavailableException(
          "there is no device " + name + ": found " + (others.isEmpty() ? "none" : others), null);
    }
    return opened.getFirst();
  }

  private static List<String> namesIfAny() {
    return hasRdma() ? names() : List.of();
  }

  /** A kernel that has no RDMA at all is a machine without devices. */
  private static boolean hasRdma() {
    try {
      names();
      return true;
    } catch (VerbsException e) {
      if (e.errno() == Errno.ENOSYS) {
        return false;
      }
      throw e;
    }
  }

  /** What a function makes of each device; the devices are valid only while it runs. */
  private static <T> List<T> each(LongFunction<T> function) {
    Library.symbols();
    Verbs.load();
    EventVerbs.load();
    QueuePair.load();
    Library.requireComplete();
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment count = arena.allocate(JAVA_INT);
      long list = Verbs.deviceList(count);
      try {
        int devices = count.get(JAVA_INT, 0);
        MemorySegment pointers = Verbs.at(list, (long) devices * Long.BYTES);
        List<T> results = new ArrayList<>(devices);
        for (int i = 0; i < devices; i++) {
          results.add(function.apply(pointers.getAtIndex(JAVA_LONG, i)));
        }
        return results;
      } finally {
        Verbs.freeDeviceList(list);
      }
    }
  }
}
