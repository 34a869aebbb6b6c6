package org.ringwire.infiniband.memory;

import static org.ringwire.testing.Awaiting.await;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;
import org.ringwire.Node;
import org.ringwire.NodeDirectory;
import org.ringwire.infiniband.ExportedMemory;
import org.ringwire.infiniband.MemoryPermission;
import org.ringwire.infiniband.RemoteMemory;
import org.ringwire.infiniband.RemoteMemoryConfig;
import org.ringwire.infiniband.RemoteMemoryException;
import org.ringwire.infiniband.RemoteMemoryException.Reason;
import org.ringwire.infiniband.RemoteRegion;

/**
 * Writes of more pieces than may be under way, to a device that has carried out what was posted
 * when their time is over, which is at once; and between them writes with a notice.
 */
public final class GivenUpProgram {

  private static final int ROUNDS = 300;
  private static final Duration PATIENCE = Duration.ofSeconds(20);
  private static final RemoteMemoryConfig TWO_AT_A_TIME =
      new RemoteMemoryConfig(1 << 20, 1 << 20, 4, 2, PATIENCE);

  private GivenUpProgram() {}

  /** Prints whether some were given up, and whether each notice came once. */
  public static void main(String... args) {
    NodeDirectory.Mutable directory = NodeDirectory.mutable();
    AtomicInteger notices = new AtomicInteger();
    int givenUp = 0;
    try (Arena arena = Arena.ofShared();
        Node owner = MemoryNode.open(directory, 1);
        Node user = MemoryNode.open(directory, 2);
        RemoteMemory owning = RemoteMemory.of(owner, TWO_AT_A_TIME);
        RemoteMemory using = RemoteMemory.of(user, TWO_AT_A_TIME);
        ExportedMemory exported =
            owning.export(
                arena.allocate(1 << 16),
                (_, _) -> notices.incrementAndGet(),
                MemoryPermission.WRITE)) {
      RemoteRegion region = using.open(exported.descriptor());
      MemorySegment pieces = MemorySegment.ofArray(new byte[5 * 4096]);
      MemorySegment word = arena.allocate(Long.BYTES);
      for (int round = 1; round <= ROUNDS; round++) {
        givenUp += isGivenUp(region, pieces) ? 1 : 0;
        region.writeAndNotify(0, word, round, PATIENCE);
        int told = round;
        await("a notice", () -> notices.get() >= told);
      }
    }
    System.out.println("given up: " + (givenUp > 0 ? "some" : "none"));
    System.out.println(
        notices.get() == ROUNDS ? "as many notices as writes" : "notices=" + notices);
  }

  private static boolean isGivenUp(RemoteRegion region, MemorySegment pieces) {
    try {
      region.write(0, pieces, Duration.ZERO);
      return false;
    } catch (RemoteMemoryException e) {
      if (e.reason() != Reason.DEADLINE) {
        throw e;
      }
      return true;
    }
  }
}
