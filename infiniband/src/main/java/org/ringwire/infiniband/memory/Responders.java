package org.ringwire.infiniband.memory;

import java.util.HashMap;
import java.util.HashSet;
import java.util.Iterator;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.ringwire.Exchange;
import org.ringwire.MessagingException;
import org.ringwire.Node;
import org.ringwire.NodeMetrics.ConnectionMetrics;
import org.ringwire.RetainedExchange;
import org.ringwire.infiniband.verbs.RcQueuePair;
import org.ringwire.infiniband.verbs.library.VerbsException;
import org.ringwire.transport.support.TransportLog;

/**
 * The queue pairs over which peers use memory of this node, one for each: the device serves them.
 *
 * <p>To make one ready the device may look for an address that the peer has named, for a second if
 * nobody answers. That happens on threads of its own, of which a peer has one at a time, and
 * without the lock: so neither handlers of messages nor other peers wait for it. Of a peer that
 * asks again meanwhile the last question counts.
 *
 * <p>Any thread; guarded by this.
 */
final class Responders implements AutoCloseable {

  private static final TransportLog LOG = TransportLog.of(Responders.class);

  private final Node node;
  private final NodeMemory owner;
  private final CompletionThread completions;
  private final Map<Integer, RcQueuePair> pairs = new HashMap<>();
  private final Set<Integer> busy = new HashSet<>(); // peers for which one is being made
  private final Map<Integer, Request> waiting = new HashMap<>(); // of those, the next
  private final Set<Integer> making = new HashSet<>(); // of those that may be served
  private @Nullable String closed; // why

  /** A peer asks. */
  private record Request(int peer, QueueEnd end, RetainedExchange exchange) {

    void answer(Admission admission) {
      try (exchange) {
        exchange.reply(admission);
      } catch (RuntimeException e) {
        tellOf(e);
      }
    }

    void refuse(@Nullable String reason) {
      try (exchange) {
        exchange.fail(String.valueOf(reason));
      } catch (RuntimeException e) {
        tellOf(e);
      }
    }

    /** It is gone, or has asked anew. */
    private void tellOf(RuntimeException failure) {
      LOG.log(System.Logger.Level.DEBUG, "no answer to a node: node=" + peer, failure);
    }
  }

  Responders(Node node, NodeMemory owner, CompletionThread completions) {
    this.node = node;
    this.owner = owner;
    this.completions = completions;
  }

  /** Answers a peer that wants to use memory, in its time. */
  void admit(Knock knock, Exchange exchange) {
    Request request = new Request(exchange.source(), knock.end(), exchange.retain());
    Request replaced = null;
    boolean begins = false;
    String why;
    synchronized (this) {
      why = closed;
      if (why == null) {
        begins = busy.add(request.peer());
        replaced = begins ? null : waiting.put(request.peer(), request);
      }
    }
    if (why != null) {
      request.refuse(why);
    } else if (replaced != null) {
      replaced.refuse("the node has asked again");
    } else if (begins) {
      start(request);
    }
  }

  private void start(Request request) {
    for (Request next = request; next != null; ) {
      try {
        Request begun = next;
        owner.setUps().run(false, "node " + begun.peer(), () -> serve(begun));
        return;
      } catch (RuntimeException | OutOfMemoryError e) { // no thread
        next.refuse("no thread to make a queue pair: " + e.getMessage());
        next = next(next.peer());
      }
    }
  }

  /** The next question of a peer for which none is being made any more. */
  private synchronized @Nullable Request next(int peer) {
    Request next = waiting.remove(peer);
    if (next == null) {
      busy.remove(peer);
    }
    return next;
  }

  private void serve(Request request) {
    try {
      request.answer(new Admission(owner.life(), ready(request.peer(), request.end())));
    } catch (Throwable e) { // whatever it is, the peer waits
      tryRefuse(request, e);
    } finally {
      Request next = next(request.peer());
      if (next != null) {
        start(next);
      }
    }
  }

  private static void tryRefuse(Request request, Throwable why) {
    try {
      request.refuse(why.getMessage());
      LOG.log(System.Logger.Level.DEBUG, "may not use memory: node=" + request.peer(), why);
    } catch (OutOfMemoryError e) {
      // the peer hears nothing, and its deadline ends its question
    }
  }

  private QueueEnd ready(int peer, QueueEnd end) {
    begin(peer);
    RcQueuePair pair = null;
    boolean kept = false;
    try {
      pair = owner.device().createResponder();
      QueueEnd own = owner.device().end(pair);
      owner.device().admit(pair, own, end);
      keep(peer, pair);
      kept = true;
      return own;
    } finally {
      if (!kept) {
        giveUp(peer, pair);
      }
    }
  }

  /** What the peer has had until now is done with. */
  synchronized void begin(int peer) {
    checkOpen();
    end((Integer) peer);
    int most = owner.config().peers();
    if (pairs.size() + making.size() >= most && !forgetOthers()) {
      throw new MessagingException("too many nodes use memory: most=" + most);
    }
    making.add(peer);
  }

  synchronized void keep(int peer, RcQueuePair pair) {
    checkOpen();
    making.remove(peer);
    owner.device().notices().serve(pair.number(), peer);
    pairs.put(peer, pair);
  }

  /** Throws nothing in place of why it is given up. */
  private synchronized void giveUp(int peer, @Nullable RcQueuePair pair) {
    making.remove(peer);
    if (pair != null) {
      try {
        pair.close();
      } catch (VerbsException | OutOfMemoryError e) { // the device still has it
        owner.device().notices().endLater(pair);
      }
    }
  }

  private void checkOpen() {
    String why = closed;
    if (why != null) {
      throw new MessagingException(why);
    }
  }

  /** Lets go of peers that are not connected any more; whether there were some. */
  private boolean forgetOthers() {
    Set<Integer> gone = new HashSet<>(pairs.keySet());
    gone.removeAll(
        node.metrics().connections().stream()
            .map(ConnectionMetrics::nodeId)
            .collect(Collectors.toSet()));
    gone.forEach(this::end);
    return !gone.isEmpty();
  }

  /** One number for both: there may be no heap for it once the queue pair has retired. */
  private void end(Integer peer) {
    RcQueuePair pair = pairs.get(peer);
    if (pair != null) {
      end(pair);
      pairs.remove(peer); // after it: where there is no heap for it, the next call ends it
    }
  }

  private void end(RcQueuePair pair) {
    owner.device().notices().retire(pair);
    completions.wake();
  }

  /** Serves nobody any more; the thread may have ended. */
  @Override
  public void close() {
    close("the remote memory of the node was closed");
  }

  /** The same, with the reason; a second call goes on where there was no heap. */
  void close(String why) {
    synchronized (this) {
      closed = closed == null ? why : closed;
      for (Iterator<RcQueuePair> all = pairs.values().iterator(); all.hasNext(); ) {
        end(all.next());
        all.remove();
      }
    }
    for (Request next = nextUnanswered(); next != null; next = nextUnanswered()) {
      next.refuse(why);
    }
  }

  private synchronized @Nullable Request nextUnanswered() {
    Iterator<Request> all = waiting.values().iterator();
    if (!all.hasNext()) {
      return null;
    }
    Request next = all.next();
    all.remove();
    return next;
  }
}
