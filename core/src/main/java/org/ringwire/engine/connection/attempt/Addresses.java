package org.ringwire.engine.connection.attempt;

import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;
import org.ringwire.engine.services.NodeServices;

/**
 * Where the nodes are: as the directory says, or where they were found; and where they were not, so
 * that they are not tried there again too soon. Any thread.
 */
public final class Addresses {

  private final NodeServices services;
  private final ConcurrentHashMap<Integer, String> learned = new ConcurrentHashMap<>();
  private final ConcurrentHashMap<Integer, BackOff> backOffs = new ConcurrentHashMap<>();
  private volatile @Nullable String own;

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

  /** Where a peer is that has come by itself, or null: then data goes back over its link. */
  public @Nullable String ofPeer(int nodeId) {
    try {
      return of(nodeId);
    } catch (Exception e) { // declared or not
      services.errors().report("the directory has failed: nodeId=" + nodeId, e);
      return null;
    }
  }

  /** A connection is there. */
  public void reached(int nodeId) {
    backOffs.remove(nodeId);
  }

  /** An attempt has failed. */
  public void notReached(int nodeId, Attempt attempt, String cause) {
    long now = System.nanoTime();
    backOffs.compute(
        nodeId,
        (id, old) ->
            old == null
                ? BackOff.first(cause, attempt.address(), now)
                : old.next(cause, attempt.address(), attempt.beganNs(), now));
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
