package org.ringwire.infiniband.verbs;

import java.lang.foreign.Arena;
import java.util.ArrayList;
import java.util.List;
import org.ringwire.infiniband.verbs.library.EventVerbs;
import org.ringwire.infiniband.verbs.types.SendFlags;
import org.ringwire.infiniband.verbs.types.SendOpcode;
import org.ringwire.testing.FullHeap;

/**
 * Calls again and again, where there is no heap, what must not need any. Each was called a few
 * times before, so that it is loaded.
 */
public final class RepeatedCallsProgram {

  private static final int CALLS = 300;
  private static final int ENTRIES = 16;

  private final EventPoll events;
  private final CompletionChannel channel;
  private final CompletionQueue queue;
  private final RcQueuePair stopped;
  private final WorkCompletions completions;
  private final SendRequests requests;
  private final List<VerbsObject> ending = new ArrayList<>();
  private final List<String> failed = new ArrayList<>();

  /** One of the calls. */
  private record Step(String name, Runnable call) {}

  private RepeatedCallsProgram(
      Arena arena,
      EventPoll events,
      CompletionChannel channel,
      CompletionQueue queue,
      RcQueuePair stopped) {
    this.events = events;
    this.channel = channel;
    this.queue = queue;
    this.stopped = stopped;
    completions = new WorkCompletions(arena, ENTRIES);
    requests = new SendRequests(arena, 1, 1);
    int _ = requests.add(SendOpcode.SEND, 1, SendFlags.SIGNALED);
  }

  /** Prints which calls have failed. */
  public static void main(String... args) {
    try (Arena arena = Arena.ofShared();
        Device device = Devices.open("");
        ProtectionDomain domain = device.allocateProtectionDomain();
        CompletionChannel channel = device.createCompletionChannel();
        CompletionQueue queue = device.createCompletionQueue(ENTRIES, channel);
        EventPoll events = new EventPoll(List.of(channel), device);
        RcQueuePair stopped =
            domain.createRcQueuePair(
                new QueuePairOptions(queue, queue, null, 1, 1, 1, 1, 0, false))) {
      RepeatedCallsProgram program =
          new RepeatedCallsProgram(arena, events, channel, queue, stopped);
      for (int i = 0; i <= CALLS; i++) {
        program.ending.add(device.allocateProtectionDomain());
      }
      program.run();
    }
  }

  private void run() {
    Step[] steps = {
      new Step("wake up", this::wakeUp),
      new Step("stop", stopped::toError),
      new Step("complete", this::complete),
      new Step("acknowledge", () -> EventVerbs.acknowledgeAsync(0)), // simulated, it only counts
      new Step("end", this::end),
    };
    for (Step step : steps) {
      step.call.run();
    }
    int[] failures = new int[steps.length];
    FullHeap.fill();
    for (int i = 0; i < steps.length; i++) {
      for (int left = CALLS; left > 0; left--) {
        failures[i] += isDone(steps[i]) ? 0 : 1;
      }
    }
    FullHeap.empty();
    for (int i = 0; i < steps.length; i++) {
      if (failures[i] > 0) {
        failed.add(steps[i].name());
      }
    }
    ending.forEach(VerbsObject::close);
    System.out.println("failed: " + failed);
  }

  private static boolean isDone(Step step) {
    try {
      step.call.run();
      return true;
    } catch (OutOfMemoryError e) {
      return false;
    }
  }

  private void wakeUp() {
    events.wakeup();
    boolean _ = events.awaitWakeup(0);
  }

  private void end() {
    ending.getLast().close();
    VerbsObject _ = ending.removeLast();
  }

  /** A request of a queue pair that is stopped completes at once. */
  private void complete() {
    queue.requestNotify(false);
    int _ = stopped.post(requests, 0);
    int _ = channel.drain();
    int _ = queue.poll(completions);
  }
}
