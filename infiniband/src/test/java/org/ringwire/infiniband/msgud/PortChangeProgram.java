package org.ringwire.infiniband.msgud;

import org.ringwire.infiniband.device.LocalPort;
import org.ringwire.infiniband.device.Settings;
import org.ringwire.infiniband.simulated.SimulatedDevice;
import org.ringwire.infiniband.verbs.Device;
import org.ringwire.infiniband.verbs.Devices;
import org.ringwire.infiniband.verbs.ProtectionDomain;
import org.ringwire.infiniband.verbs.types.AsyncEvent;
import org.ringwire.infiniband.verbs.types.AsyncEventType;
import org.ringwire.infiniband.verbs.types.Gid;

/**
 * The port's address moves in its table while there is a link to a peer; then the port is one of
 * InfiniBand, which then takes no packets without a global route.
 */
public final class PortChangeProgram {

  private PortChangeProgram() {}

  /**
   * Prints where the addresses of the handles stand, and how many handles there are; then whether
   * there is a global route.
   */
  public static void main(String... args) {
    try (Device device = Devices.open("");
        ProtectionDomain domain = device.allocateProtectionDomain()) {
      LocalPort port = LocalPort.of(device, Settings.of());
      AddressHandles handles = new AddressHandles(domain, port);
      Gid peer = Gid.parse("10.0.0.2");
      try (AddressHandles.Use _ = handles.take(peer, 0)) {
        print("before", handles);
        SimulatedDevice.set("gid index", 3);
        port.changed(new AsyncEvent(AsyncEventType.GID_CHANGE, 1));
        try (AddressHandles.Use _ = handles.take(peer, 0);
            AddressHandles.Use _ = handles.take(peer, 0)) {
          print("after", handles);
        }
      }
      print("at the end", handles);
      printRoute("Ethernet", port, handles);
      SimulatedDevice.set("InfiniBand", 1);
      printRoute("InfiniBand", port, handles);
      SimulatedDevice.set("required route", 1);
      printRoute("InfiniBand that requires it", port, handles);
    }
  }

  private static void printRoute(String of, LocalPort port, AddressHandles handles) {
    port.changed(new AsyncEvent(AsyncEventType.GID_CHANGE, 1));
    try (AddressHandles.Use _ = handles.take(Gid.parse("10.0.0.2"), 1)) {
      System.out.println("route of " + of + ": " + SimulatedDevice.get("handle's route"));
    }
  }

  private static void print(String when, AddressHandles handles) {
    System.out.println(
        when + ": " + SimulatedDevice.get("handle's gid index") + " of " + handles.count());
  }
}
