package org.ringwire.infiniband.memory;

import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.ringwire.Exchange;
import org.ringwire.MessagingException;
import org.ringwire.Node;
import org.ringwire.NodeMetrics.ConnectionMetrics;
import org.ringwire.infiniband.verbs.RcQueuePair;

/**
 * The queue pairs over which peers use memory of this node, one for each: the device serves them.
 * Any thread; guarded by this.
 */
final class Responders implements AutoCloseable {

  private final Node node;
  private final MemoryDevice device;
  private final CompletionThread completions;
  private final long life;
  private final int most;
  private final Map<Integer, RcQueuePair> pairs = new HashMap<>();
  private boolean closed;

  Responders(Node node, MemoryDevice device, CompletionThread completions, long life, int most) {
    this.node = node;
    this.device = device;
    this.completions = completions;
    this.life = life;
    this.most = most;
  }

  /** Answers a peer that wants to use memory. */
  void admit(Knock knock, Exchange exchange) {
    try {
      exchange.reply(new Admission(life, admit(exchange.source(), knock.end())));
    } catch (MessagingException e) {
      exchange.fail(String.valueOf(e.getMessage()));
    }
  }

  private synchronized QueueEnd admit(int peer, QueueEnd end) {
    if (closed) {
      throw new MessagingException("the remote memory of the node was closed");
    }
    RcQueuePair before = pairs.remove(peer);
    if (before != null) {
      end(before);
    }
    if (pairs.size() >= most && !forgetOthers()) {
      throw new MessagingException("too many nodes use memory: most=" + most);
    }
    RcQueuePair pair = device.createResponder();
    boolean ready = false;
    try {
      QueueEnd own = device.end(pair);
      device.admit(pair, own, end);
      device.notices().serve(pair.number(), peer);
      pairs.put(peer, pair);
      ready = true;
      return own;
    } finally {
      if (!ready) {
        pair.close();
      }
    }
  }

  /** Lets go of peers that are not connected any more; whether there were some. */
  private boolean forgetOthers() {
    Set<Integer> gone = new HashSet<>(pairs.keySet());
    gone.removeAll(
        node.metrics().connections().stream()
            .map(ConnectionMetrics::nodeId)
            .collect(Collectors.toSet()));
    for (Integer peer : gone) {
      RcQueuePair pair = pairs.remove(peer);
      if (pair != null) {
        end(pair);
      }
    }
    return !gone.isEmpty();
  }

  private void end(RcQueuePair pair) {
    device.notices().retire(pair);
    completions.wake();
  }

  /** Serves nobody any more; the thread may have ended. */
  @Override
  public synchronized void close() {
    closed = true;
    pairs.values().forEach(this::end);
    pairs.clear();
  }
}
