package org.ringwire.engine.outbound;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;
import org.ringwire.codec.MessageCatalog;
import org.ringwire.codec.MessageType;
import org.ringwire.codec.Writer;

/**
 * What a thread carries while it sends: a writer, whether it is inside an inline handler, the pipes
 * that it will drain at the end of a batch of handlers, and what it found when it sent last,
 * because threads mostly send the same type to the same node again. Confined to its thread; nothing
 * here is indexed by thread, so that any number of short-lived threads may send. A thread that
 * lives on after a node was closed holds on to that node until it sends through another one.
 */
public final class SendContext {

  private static final ThreadLocal<SendContext> CURRENT = ThreadLocal.withInitial(SendContext::new);

  private final Writer writer = new Writer();
  private @Nullable MessageCatalog lastCatalog;
  private @Nullable MessageType<?> lastType;
  private @Nullable Object lastNode;
  private @Nullable MessageSender lastSender;
  private int lastNodeId;
  private boolean writerInUse;
  private int inlineDepth;
  private int batchDepth;
  private OutboundPipe[] deferred = new OutboundPipe[4];
  private int deferredCount;

  private SendContext() {}

  public static SendContext current() {
    return CURRENT.get();
  }

  /** The type of a class; threads mostly send the same type again, which saves a look-up. */
  public MessageType<?> typeOf(MessageCatalog catalog, Class<?> messageClass) {
    MessageType<?> last = lastType;
    if (last != null && last.type() == messageClass && lastCatalog == catalog) {
      return last;
    }
    MessageType<?> found = catalog.typeOf(messageClass);
    lastCatalog = catalog;
    lastType = found;
    return found;
  }

  /**
   * What {@link #remember} was last told, if that was of the same nodes; else null. It may have
   * been closed since, and says so when it is used.
   *
   * @param node that sends
   * @param nodeId that receives
   */
  @SuppressWarnings("ReferenceEquality") // the same node, whatever it thinks of equality
  public @Nullable MessageSender lastSender(Object node, int nodeId) {
    return lastNode == node && lastNodeId == nodeId ? lastSender : null;
  }

  /** Keeps a sender for {@link #lastSender}; null forgets. */
  public void remember(Object node, int nodeId, @Nullable MessageSender sender) {
    lastNode = node;
    lastNodeId = nodeId;
    lastSender = sender;
  }

  /** The thread's writer, or a fresh one if a codec sends while it encodes. */
  public Writer takeWriter() {
    if (writerInUse) {
      return new Writer();
    }
    writerInUse = true;
    return writer;
  }

  public void returnWriter(Writer taken) {
    if (taken == writer) {
      writerInUse = false;
    }
  }

  /** Whether the thread runs an inline handler, which may not block. */
  public boolean isInline() {
    return inlineDepth > 0;
  }

  public void enterInline() {
    inlineDepth++;
  }

  public void leaveInline() {
    inlineDepth--;
  }

  /** From now on what handlers send is drained at the end of the batch. */
  public void beginBatch() {
    batchDepth++;
  }

  public void endBatch() {
    if (--batchDepth == 0) {
      drainDeferred();
    }
  }

  /** Puts off a drain to the end of the batch; false if the thread is in none. */
  public boolean defer(OutboundPipe pipe) {
    if (batchDepth == 0) {
      return false;
    }
    for (int index = 0; index < deferredCount; index++) {
      if (deferred[index] == pipe) {
        return true;
      }
    }
    if (deferredCount == deferred.length) {
      deferred = Arrays.copyOf(deferred, 2 * deferredCount);
    }
    deferred[deferredCount++] = pipe;
    return true;
  }

  /**
   * The thread is going to wait, and may read a link meanwhile: drains what was put off, and puts
   * nothing off until {@link #resumeBatch}.
   *
   * @return for {@link #resumeBatch}
   */
  public int suspendBatch() {
    int depth = batchDepth;
    batchDepth = 0;
    if (depth > 0) {
      drainDeferred();
    }
    return depth;
  }

  /** Goes on with what {@link #suspendBatch} has interrupted. */
  public void resumeBatch(int depth) {
    batchDepth = depth;
  }

  /** Drains what was put off to the end of the batch. */
  void drainDeferred() {
    while (deferredCount > 0) {
      OutboundPipe pipe = deferred[--deferredCount];
      clear(deferred, deferredCount);
      pipe.drain();
    }
  }

  private static void clear(@Nullable OutboundPipe[] pipes, int index) {
    pipes[index] = null;
  }
}
