package org.ringwire.infiniband;

import java.lang.foreign.MemorySegment;
import java.time.Duration;
import java.util.concurrent.CompletionStage;
import org.ringwire.MessagingException;
import org.ringwire.heap.BlockCarrier;
import org.ringwire.transport.support.TransportLog;

/**
 * Lets {@link org.ringwire.heap.HeapChannels} write blocks of graphs into memory of their receiver,
 * as the paper on Naos does, instead of sending them as messages. Needs the module {@code
 * org.ringwire.heap}.
 *
 * {@snippet :
 * RemoteMemory memory = RemoteMemory.of(node);                        // on both nodes
 * HeapChannels channels =
 *     HeapChannels.of(node, codec, ChannelOptions.DEFAULT, new RemoteMemoryCarrier(memory));
 * }
 *
 * <p>Any thread.
 */
public final class RemoteMemoryCarrier implements BlockCarrier {
  private static final TransportLog LOG = TransportLog.of(RemoteMemoryCarrier.class);

  private final RemoteMemory memory;

  /**
   * A carrier for the channels of one node.
   *
   * @param memory of that node; not owned, to be closed after the channels
   */
  public RemoteMemoryCarrier(RemoteMemory memory) {
    this.memory = memory;
  }

  @Override
  public String kind() {
    return "ib-memory";
  }

  @Override
  public Announcement announce(MemorySegment segment, Listener listener) {
    return new Exported(memory.export(segment, listener::written, MemoryPermission.WRITE));
  }

  private record Exported(ExportedMemory exported) implements Announcement {
    @Override
    public byte[] descriptor() {
      return exported.descriptor().toBytes();
    }

    @Override
    public void close() {
      exported.close();
    }
  }

  @Override
  public Target open(int nodeId, byte[] descriptor) {
    MemoryDescriptor described = MemoryDescriptor.ofBytes(descriptor);
    if (described.nodeId() != nodeId || described.listener() == 0) {
      throw new IllegalArgumentException(
          "not memory of that node, or nobody listens: nodeId=" + nodeId + ": " + described);
    }
    return new ToRegion(memory.open(described));
  }

  private record ToRegion(RemoteRegion region) implements Target {
    @Override
    public void write(long offset, MemorySegment block, int tag, Duration timeout) {
      region.writeAndNotify(offset, block, tag, timeout);
    }

    @Override
    public CompletionStage<Void> writeAsync(long offset, MemorySegment block, int tag) {
      return region.writeAndNotifyAsync(offset, block, tag);
    }
  }

  @Override
  public void prepare(MemorySegment segment) {
    try {
      memory.prepare(segment);
    } catch (MessagingException e) {
      LOG.log(System.Logger.Level.DEBUG, "blocks of graphs are copied instead of registered", e);
    }
  }
}
