package org.ringwire.engine.connection.attempt;

import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.function.BiFunction;
import org.jspecify.annotations.Nullable;
import org.ringwire.engine.services.NodeServices;

/**
 * Where the nodes are: as the directory says, or where they were found; and where they were not, so
 * that they are not tried there again too soon. Any thread.
 */
public final class Addresses {

  /** For so long no link back is opened where nothing was heard of one. */
  private static final long SILENT_NS = TimeUnit.MINUTES.toNanos(1);

  private final NodeServices services;
  private final ConcurrentHashMap<Integer, String> learned = new ConcurrentHashMap<>();
  private final ConcurrentHashMap<Integer, BackOff> backOffs = new ConcurrentHashMap<>();
  private final ConcurrentHashMap<Integer, Silence> silences = new ConcurrentHashMap<>();
  private volatile @Nullable String own;

  /** That nothing was heard where a node should be. */
  private record Silence(String address, long seenNs) {}

  public Addresses(NodeServices services) {
    this.services = services;
  }

  /** Where this node listens. */
  public void own(String address) {
    own = address;
  }

  /** Where a node was found that the directory may not know. */
  public void learn(int nodeId, String address) {
    learned.put(nodeId, address);
    backOffs.remove(nodeId);
  }

  /** Where a node is, or null if nobody knows. */
  public @Nullable String of(int nodeId) {
    if (nodeId == services.config().nodeId()) {
      return own;
    }
    String address = services.config().peers().address(nodeId);
    return address == null ? learned.get(nodeId) : address;
  }

  private @Nullable String ofPeer(int nodeId) {
    try {
      return of(nodeId);
    } catch (Exception e) { // declared or not
      services.errors().report("the directory has failed: nodeId=" + nodeId, e);
      return null;
    }
  }

  /**
   * Where a peer is that has come by itself, or null: then data goes back over its link. So it does
   * if nothing was heard of a link to there a short while ago: nobody waits for the next one.
   */
  public @Nullable String wayBack(int nodeId) {
    String address = ofPeer(nodeId);
    Silence silence = silences.get(nodeId);
    boolean silent =
        silence != null
            && silence.address.equals(address)
            && System.nanoTime() - silence.seenNs < SILENT_NS;
    return silent ? null : address;
  }

  /** Nothing was heard of a link in all its time. */
  public void wasSilent(int nodeId, Attempt attempt) {
    String tried = attempt.address();
    if (tried != null) {
      silences.put(nodeId, new Silence(tried, System.nanoTime()));
    }
  }

  /** A node has answered over a link of ours. */
  public void hasAnswered(int nodeId) {
    silences.remove(nodeId);
  }

  /** A connection is there. */
  public void reached(int nodeId) {
    backOffs.remove(nodeId);
  }

  /** No lambda: one that finds no heap where it comes first is lost for ever. */
  private record Failure(Attempt attempt, String cause, long nowNs)
      implements BiFunction<Integer, @Nullable BackOff, BackOff> {

    @Override
    public BackOff apply(Integer nodeId, @Nullable BackOff old) {
      return old == null
          ? BackOff.first(cause, attempt.address(), nowNs)
          : old.next(cause, attempt.address(), attempt.beganNs(), nowNs);
    }
  }

  /** An attempt has failed. */
  public void notReached(int nodeId, Attempt attempt, String cause) {
    long now = System.nanoTime();
    backOffs.compute(nodeId, new Failure(attempt, cause, now));
  }

  /** Whether a node may be tried elsewhere than an attempt does, where it is by now. */
  public boolean hasMoved(int nodeId, Attempt attempt) {
    String tried = attempt.address();
    String current;
    try {
      current = of(nodeId);
    } catch (Throwable e) { // whatever it is: the next attempt asks again, and tells
      return false;
    }
    return tried != null
        && current != null
        && !current.equals(tried)
        && refusing(nodeId, current, System.nanoTime()) == null;
  }

  /** Why a node may not be tried at an address now, or null. */
  public @Nullable String refusal(int nodeId, String address) {
    long now = System.nanoTime();
    BackOff backOff = refusing(nodeId, address, now);
    return backOff == null ? null : backOff.why(address, now);
  }

  private @Nullable BackOff refusing(int nodeId, String address, long nowNs) {
    BackOff backOff = backOffs.isEmpty() ? null : backOffs.get(nodeId);
    return backOff == null || !backOff.refuses(address, nowNs) ? null : backOff;
  }

  /** How long a node may not be tried where it was not reached, in nanoseconds. */
  public long backOffNs(int nodeId) {
    BackOff backOff = backOffs.get(nodeId);
    return backOff == null ? 0 : backOff.leftNs(System.nanoTime());
  }

  /** Of an address with a port: the machine. */
  public static String hostOf(String address) {
    int colon = address.lastIndexOf(':');
    return colon < 0 ? address : address.substring(0, colon);
  }
}
