package org.ringwire.infiniband;

import java.lang.foreign.MemorySegment;
import org.ringwire.Node;
import org.ringwire.infiniband.memory.NodeMemory;

/**
 * One-sided access to memory of other nodes: a node exports memory, sends the descriptor to
 * whomever it likes, and those read and write the memory, or change it atomically, without any
 * thread of the owner taking part.
 *
 * {@snippet :
 * RemoteMemory memory = RemoteMemory.of(node);                 // on both nodes, once
 * ExportedMemory table = memory.export(segment, MemoryPermission.READ, MemoryPermission.ATOMIC);
 * node.send(2, new TableIsThere(table.descriptor()));          // a component of a record
 *
 * // on node 2, which got the descriptor:
 * RemoteRegion region = memory.open(descriptor);
 * region.read(4096, buffer, Duration.ofSeconds(1));
 * long before = region.fetchAndAdd(0, 1, Duration.ofSeconds(1));
 * }
 *
 * <p>Operations go over queue pairs of their own, one to each node, which are set up by messages of
 * the node: so only peers that it exchanges messages with can use its memory, whatever its
 * transport. They are in a protection domain of their own: no key that a peer may know or guess
 * reaches buffers of the transport {@code ib}, and what goes wrong here does not touch messages.
 * Data is not encrypted, whatever the node's messages are.
 *
 * <p>Settings of the device are those of the transport {@code ib}. Any thread may call any method.
 */
public interface RemoteMemory extends AutoCloseable {

  /** As {@link #of(Node, RemoteMemoryConfig)} with {@link RemoteMemoryConfig#DEFAULT}. */
  static RemoteMemory of(Node node) {
    return of(node, RemoteMemoryConfig.DEFAULT);
  }

  /**
   * Opens the device for a node, and serves its peers from then on.
   *
   * @param node is not owned; to be closed after this
   * @throws IllegalStateException if the node has, or had, one already
   * @throws org.ringwire.MessagingException if the library or a device is missing, or the library
   *     is too old; it says which
   */
  static RemoteMemory of(Node node, RemoteMemoryConfig config) {
    return NodeMemory.of(node, config);
  }

  /**
   * Lets peers use memory.
   *
   * @param memory native, not empty, and, for anything but reading, writable. It must not be freed
   *     before the result is closed: the device would go on using its pages
   * @param permissions what for, at least one
   * @throws IllegalArgumentException if it is not such memory, or the device has no atomics
   * @throws org.ringwire.MessagingException if it cannot be registered, the limit is reached, or
   *     the remote memory has failed (the log says why): nobody would serve it
   */
  ExportedMemory export(MemorySegment memory, MemoryPermission... permissions);

  /**
   * As {@link #export(MemorySegment, MemoryPermission...)}, for memory that peers write into and
   * say so.
   *
   * @param listener hears of writes with {@link RemoteRegion#writeAndNotify}
   */
  ExportedMemory export(
      MemorySegment memory, MemoryListener listener, MemoryPermission... permissions);

  /**
   * Registers memory, so that operations which use parts of it find that done. It stays registered
   * as what they have used does: until its arena ends, or others need the room. Memory that has no
   * end which Java knows of (of the global arena, or an address of native code without an arena) is
   * registered anew for each operation, since somebody may give it back at any time; {@link
   * MemorySegment#reinterpret(long, java.lang.foreign.Arena, java.util.function.Consumer)} says
   * whose it is.
   *
   * @param memory native; may be empty
   * @throws IllegalArgumentException if it is on the heap
   * @throws org.ringwire.MessagingException if it cannot be registered; operations work all the
   *     same
   */
  void prepare(MemorySegment memory);

  /**
   * The memory that a descriptor names. Nothing is sent; the first operation connects.
   *
   * <p>Each node whose memory was used costs 4 KiB of registered memory for each of {@link
   * RemoteMemoryConfig#requests}, 256 KiB by default, until this is closed.
   *
   * @throws IllegalArgumentException if it is memory of this node
   */
  RemoteRegion open(MemoryDescriptor descriptor);

  /**
   * Revokes all that is exported, ends all operations, and lets go of the device. The node goes on.
   * A second call does nothing. Waits for a {@link MemoryListener} that is being called, for some
   * seconds; if it has not returned by then, or is the caller, the device is let go when it
   * returns. The same goes for a queue pair that is being made for a peer.
   *
   * <p>Where there is no heap for it, it is tried again for ten seconds. If there is none by then,
   * nothing new begins, but what is exported may still be used, operations may not have ended, and
   * the device may be open: the next call goes on.
   *
   * @throws OutOfMemoryError if there was no heap for ten seconds; it may be called again
   */
  @Override
  void close();
}
