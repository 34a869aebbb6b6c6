package org.ringwire.infiniband.memory;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.reflect.Field;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.ringwire.Node;
import org.ringwire.NodeDirectory;
import org.ringwire.infiniband.ExportedMemory;
import org.ringwire.infiniband.MemoryPermission;
import org.ringwire.infiniband.RemoteMemory;
import org.ringwire.infiniband.RemoteMemoryConfig;
import org.ringwire.infiniband.RemoteRegion;
import org.ringwire.infiniband.simulated.SimulatedDevice;
import org.ringwire.infiniband.verbs.RcQueuePair;

/**
 * What the completion thread has of one node is spoilt while an operation is under way. Says how
 * that ends, and what becomes of the operations on memory of another node and of a new region.
 */
final class OneInitiatorProgram {

  private static final Duration TIMEOUT = Duration.ofSeconds(10);

  private OneInitiatorProgram() {}

  public static void main(String... args) throws Exception {
    NodeDirectory.Mutable directory = NodeDirectory.mutable();
    try (Node one = MemoryNode.open(directory, 1);
        Node two = MemoryNode.open(directory, 2);
        Node user = MemoryNode.open(directory, 3);
        RemoteMemory ofOne = RemoteMemory.of(one);
        RemoteMemory ofTwo = RemoteMemory.of(two);
        NodeMemory used = NodeMemory.of(user, RemoteMemoryConfig.DEFAULT);
        Arena arena = Arena.ofShared();
        ExportedMemory first = ofOne.export(arena.allocate(8, 8), MemoryPermission.WRITE);
        ExportedMemory second = ofTwo.export(arena.allocate(8, 8), MemoryPermission.WRITE)) {
      MemorySegment word = arena.allocate(8, 8);
      RemoteRegion spoilt = used.open(first.descriptor());
      spoilt.write(0, word, TIMEOUT);
      Initiator initiator = used.initiators().iterator().next();
      RemoteRegion other = used.open(second.descriptor());
      other.write(0, word, TIMEOUT);
      SimulatedDevice.set("held pair", ((RcQueuePair) get(initiator, "pair")).number());
      CompletableFuture<Void> lost = spoilt.writeAsync(0, word).toCompletableFuture();
      spoil(initiator);
      SimulatedDevice.set("held pair", 0);
      System.out.println("spoilt: " + end(lost));
      System.out.println("other: " + end(other.writeAsync(0, word).toCompletableFuture()));
      RemoteRegion anew = used.open(first.descriptor());
      System.out.println("anew: " + end(anew.writeAsync(0, word).toCompletableFuture()));
    }
    System.out.println("devices: " + SimulatedDevice.get("open devices"));
    System.exit(0); // threads of what has not ended
  }

  /** The operation that is under way cannot land: nothing is known of its length. */
  private static void spoil(Initiator initiator) throws ReflectiveOperationException {
    Object flights = get(get(initiator, "poster"), "flights");
    field(Flights.class, "lengths").set(flights, new int[0]);
  }

  private static String end(CompletableFuture<Void> operation) {
    return operation
        .orTimeout(TIMEOUT.toSeconds(), TimeUnit.SECONDS)
        .handle((_, why) -> why == null ? "good" : String.valueOf(why.getMessage()))
        .join();
  }

  private static Object get(Object owner, String name) throws ReflectiveOperationException {
    return field(owner.getClass(), name).get(owner);
  }

  private static Field field(Class<?> owner, String name) throws ReflectiveOperationException {
    Field field = owner.getDeclaredField(name);
    field.setAccessible(true);
    return field;
  }
}
