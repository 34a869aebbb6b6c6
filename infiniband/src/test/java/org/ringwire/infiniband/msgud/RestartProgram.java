package org.ringwire.infiniband.msgud;

import java.lang.foreign.Arena;
import org.ringwire.infiniband.device.Settings;
import org.ringwire.infiniband.simulated.SimulatedDevice;
import org.ringwire.infiniband.verbs.WorkCompletions;
import org.ringwire.infiniband.verbs.library.VerbsException;

/**
 * The queue pair of all links fails, and so does a step of its restart, once. To the adapter a
 * device that refuses is the same as a heap without room.
 */
public final class RestartProgram {

  private RestartProgram() {}

  /**
   * Prints what becomes of the first restart, and of the second.
   *
   * @param args the state that is refused at first, as the device counts them
   */
  public static void main(String... args) {
    try (Arena arena = Arena.ofConfined();
        UdAdapter adapter = new UdAdapter(Settings.of())) {
      WorkCompletions batch = new WorkCompletions(arena, 32);
      fail(adapter);
      System.out.println("too early: " + adapter.tryRestart(batch, false));
      accept(adapter, batch);
      SimulatedDevice.set("refused state", Integer.parseInt(args[0]));
      try {
        System.out.println("at first: " + adapter.tryRestart(batch, false));
      } catch (VerbsException e) {
        System.out.println("at first: refused");
      }
      fail(adapter); // nor is what the device tells of those that it has again taken for news
      System.out.println("then: " + adapter.tryRestart(batch, false));
      int posted = SimulatedDevice.get("posted to last pair");
      System.out.println("posted: " + (posted == adapter.receiver().count()));
      System.out.println("told of: " + adapter.receiveCompletions().poll(batch));
    }
  }

  private static void fail(UdAdapter adapter) {
    adapter.queuePair().toError();
    adapter.sender().fail("as this test wants it");
  }

  private static void accept(UdAdapter adapter, WorkCompletions batch) {
    int count = adapter.receiveCompletions().poll(batch);
    while (count > 0) {
      for (int i = 0; i < count; i++) {
        adapter.receiver().release((int) batch.id(i));
      }
      count = adapter.receiveCompletions().poll(batch);
    }
  }
}
