package org.ringwire.flight;

import jdk.jfr.Category;
import jdk.jfr.Description;
import jdk.jfr.Event;
import jdk.jfr.Label;
import jdk.jfr.Name;
import jdk.jfr.StackTrace;
import jdk.jfr.Threshold;
import jdk.jfr.Timespan;
import org.ringwire.EndReason;
import org.ringwire.LossReport;

/** The only class that knows the recorder; its fields are what the recorder stores. */
@SuppressWarnings("UnusedVariable") // read by the recorder
final class RecordedEvents implements FlightEvents {

  @Category("Ringwire")
  private abstract static sealed class PeerEvent extends Event {
    @Label("Node")
    int nodeId;

    @Label("Peer")
    int peerId;
  }

  @Name("org.ringwire.Connected")
  @Label("Connected")
  @Description("A node can be sent to")
  @StackTrace(false)
  private static final class Connected extends PeerEvent {}

  private abstract static sealed class Ended extends PeerEvent {
    @Label("Reason")
    String reason = "";

    @Label("Cause")
    String cause = "";

    @Label("Messages accepted")
    long accepted;

    @Label("Messages processed")
    long processed;

    @Label("Messages lost")
    @Description("Never sent")
    long lost;

    @Label("Messages uncertain")
    @Description("Sent, and perhaps processed")
    long uncertain;
  }

  @Name("org.ringwire.ConnectionLost")
  @Label("Connection Lost")
  @Description("A connection ended unexpectedly, or with messages not known to be processed")
  @StackTrace(false)
  private static final class Lost extends Ended {}

  @Name("org.ringwire.ConnectionDismissed")
  @Label("Connection Dismissed")
  @Description("A connection was closed because there were too many")
  @StackTrace(false)
  private static final class Dismissed extends Ended {}

  @Name("org.ringwire.SenderStall")
  @Label("Sender Stall")
  @Description("A thread waited for room to send")
  @Threshold("1 ms")
  private static final class SenderStall extends PeerEvent implements Stall {
    @Override
    public void end(int node, int peer) {
      end();
      if (shouldCommit()) {
        nodeId = node;
        peerId = peer;
        commit();
      }
    }
  }

  @Name("org.ringwire.SlowHandler")
  @Label("Slow Handler")
  @Description("A handler took longer than the node's slowHandlerTime; told when it had returned")
  @StackTrace(false)
  private static final class SlowHandler extends PeerEvent {
    @Label("Message type")
    String messageType = "";

    @Label("Time taken")
    @Timespan(Timespan.NANOSECONDS)
    long took;
  }

  @Name("org.ringwire.FrameRejected")
  @Label("Frame Rejected")
  @Description("A peer broke a rule of the protocol and loses its connection")
  @StackTrace(false)
  private static final class FrameRejected extends PeerEvent {
    @Label("Rule")
    String rule = "";

    @Label("Text")
    String text = "";
  }

  /**
   * Makes one of each: a class whose first use finds no memory cannot be used any more. None is
   * committed.
   */
  RecordedEvents() {
    Event[] _ = {
      new Connected(),
      new Lost(),
      new Dismissed(),
      new SenderStall(),
      new SlowHandler(),
      new FrameRejected()
    };
  }

  @Override
  public void connected(int nodeId, int peerId) {
    commit(new Connected(), nodeId, peerId);
  }

  @Override
  public void ended(int nodeId, LossReport report) {
    EndReason reason = report.reason();
    if (reason.isOrderly() && reason != EndReason.DISMISSED && report.isClean()) {
      return;
    }
    Ended event = reason == EndReason.DISMISSED ? new Dismissed() : new Lost();
    event.reason = reason.name();
    event.cause = report.cause();
    event.accepted = report.accepted();
    event.processed = report.processed();
    event.lost = report.lost();
    event.uncertain = report.uncertain();
    commit(event, nodeId, report.nodeId());
  }

  @Override
  public Stall stall() {
    SenderStall stall = new SenderStall();
    stall.begin();
    return stall;
  }

  @Override
  public void slowHandler(int nodeId, int peerId, String messageType, long tookNs) {
    SlowHandler event = new SlowHandler();
    event.messageType = messageType;
    event.took = tookNs;
    commit(event, nodeId, peerId);
  }

  @Override
  public void rejected(int nodeId, int peerId, String rule, String text) {
    FrameRejected event = new FrameRejected();
    event.rule = rule;
    event.text = text;
    commit(event, nodeId, peerId);
  }

  private static void commit(PeerEvent event, int nodeId, int peerId) {
    event.nodeId = nodeId;
    event.peerId = peerId;
    event.commit();
  }
}
