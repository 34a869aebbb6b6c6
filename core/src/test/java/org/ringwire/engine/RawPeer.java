package org.ringwire.engine;

import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.lang.foreign.MemorySegment;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.ringwire.Node;
import org.ringwire.wire.ControlFrames;
import org.ringwire.wire.FrameLayout;
import org.ringwire.wire.Handshake;
import org.ringwire.wire.Hello;
import org.ringwire.wire.Incarnation;
import org.ringwire.wire.Limits;
import org.ringwire.wire.TypeAnnouncement;

/**
 * A peer made of a plain socket, which can say whatever it likes. Without listener: both directions
 * share its link. One thread.
 */
public final class RawPeer implements AutoCloseable {

  private static final int TIMEOUT_MS = 30_000;

  private final Socket socket;
  private final InputStream in;

  /** A frame that the node sent. */
  @SuppressWarnings("ArrayRecordComponent") // never compared
  public record Frame(int kind, int type, byte[] bytes) {

    /** A word of the body. */
    public long word(int index) {
      return ByteBuffer.wrap(bytes)
          .order(ByteOrder.LITTLE_ENDIAN)
          .getLong(FrameLayout.HEADER_LENGTH + index * Long.BYTES);
    }

    /** As the parsers of frames read it. */
    public MemorySegment memory() {
      return MemorySegment.ofArray(bytes);
    }
  }

  private RawPeer(Socket socket) throws IOException {
    this.socket = socket;
    in = socket.getInputStream();
  }

  /** Opens a socket, no more. */
  public static RawPeer connect(Node node) throws IOException {
    return connect(String.valueOf(node.address()));
  }

  /** As above, where a node is about to listen. */
  public static RawPeer connect(String address) throws IOException {
    int colon = address.lastIndexOf(':');
    Socket socket = new Socket();
    socket.connect(
        new InetSocketAddress(
            address.substring(0, colon), Integer.parseInt(address.substring(colon + 1))),
        TIMEOUT_MS);
    socket.setSoTimeout(TIMEOUT_MS);
    socket.setTcpNoDelay(true);
    return new RawPeer(socket);
  }

  /** Over a connection that is there. */
  public static RawPeer over(Socket socket) throws IOException {
    socket.setSoTimeout(TIMEOUT_MS);
    return new RawPeer(socket);
  }

  /** Connects and shakes hands; what it will send is announced. */
  public static RawPeer join(Node node, int id, TypeAnnouncement... types) throws IOException {
    RawPeer peer = connect(node);
    peer.send(hello(id, id + 1L, "default", types).encode());
    return peer.welcomed();
  }

  /** As {@link #join(Node, int, TypeAnnouncement...)}, with features. */
  public static RawPeer join(Node node, int id, long features) throws IOException {
    RawPeer peer = connect(node);
    peer.send(hello(id, id + 1L, "default", features).encode());
    return peer.welcomed();
  }

  /** And says something, as nodes do: from then on its silence counts. */
  private RawPeer welcomed() throws IOException {
    if (await(FrameLayout.WELCOME) != null) {
      send(ControlFrames.pong(0));
    }
    return this;
  }

  /** A HELLO of a peer without listener. */
  public static Hello hello(int id, long incarnation, String cluster, TypeAnnouncement... types) {
    return hello(id, incarnation, cluster, 0, types);
  }

  /** A HELLO of a peer that listens, and so wants a link back. */
  public static Hello listening(int id, long incarnation) {
    return listening(id, incarnation, 0);
  }

  /** The same, with features. */
  public static Hello listening(int id, long incarnation, long features) {
    return hello(id, incarnation, "default", features, true);
  }

  private static Hello hello(
      int id, long incarnation, String cluster, long features, TypeAnnouncement... types) {
    return hello(id, incarnation, cluster, features, false, types);
  }

  private static Hello hello(
      int id,
      long incarnation,
      String cluster,
      long features,
      boolean listens,
      TypeAnnouncement... types) {
    return new Hello(
        Handshake.VERSION,
        Handshake.VERSION,
        features,
        cluster,
        id,
        Handshake.ANY_NODE,
        new Incarnation(incarnation, 0),
        Incarnation.UNKNOWN,
        listens,
        !listens,
        false,
        Handshake.NO_AUTHENTICATION,
        null,
        new Limits(64 << 20, 64 << 10, 64 << 10),
        List.of(types));
  }

  /** A frame with a body, padded. */
  public static byte[] frame(int kind, int type, byte... body) {
    int length = FrameLayout.HEADER_LENGTH + body.length;
    return ByteBuffer.allocate((int) FrameLayout.occupied(length))
        .order(ByteOrder.LITTLE_ENDIAN)
        .putLong(FrameLayout.header(kind, type, length))
        .put(body)
        .array();
  }

  /** A body of words. */
  public static byte[] words(long... words) {
    ByteBuffer body = ByteBuffer.allocate(words.length * Long.BYTES).order(ByteOrder.LITTLE_ENDIAN);
    for (long word : words) {
      body.putLong(word);
    }
    return body.array();
  }

  /** Sends bytes as they are. */
  public RawPeer send(byte[]... pieces) throws IOException {
    for (byte[] piece : pieces) {
      socket.getOutputStream().write(piece);
    }
    return this;
  }

  /** The next frame; null at the end of the stream. */
  public @Nullable Frame read() throws IOException {
    byte[] head = in.readNBytes(FrameLayout.HEADER_LENGTH);
    if (head.length < FrameLayout.HEADER_LENGTH) {
      return null;
    }
    long header = ByteBuffer.wrap(head).order(ByteOrder.LITTLE_ENDIAN).getLong();
    int occupied = (int) FrameLayout.occupied(FrameLayout.length(header));
    byte[] bytes = Arrays.copyOf(head, occupied);
    in.readNBytes(bytes, head.length, occupied - head.length);
    return new Frame(FrameLayout.kind(header), FrameLayout.type(header), bytes);
  }

  /** The next frame of a kind; passes others. */
  public Frame await(int kind) throws IOException {
    for (Frame frame = read(); frame != null; frame = read()) {
      if (frame.kind() == kind) {
        return frame;
      }
    }
    throw new EOFException("closed before a frame of kind " + kind);
  }

  /** Reads until the node has closed the link; returns the last frame of a kind before that. */
  public @Nullable Frame lastBeforeEnd(int kind) throws IOException {
    Frame found = null;
    try {
      for (Frame frame = read(); frame != null; frame = read()) {
        found = frame.kind() == kind ? frame : found;
      }
    } catch (java.net.SocketTimeoutException e) {
      throw new AssertionError("the node keeps the link", e);
    } catch (IOException e) {
      return found; // reset: ended as well
    }
    return found;
  }

  /** Reads until the node has closed the link. */
  public void awaitEnd() throws IOException {
    Frame _ = lastBeforeEnd(-1);
  }

  @Override
  public void close() throws IOException {
    socket.close();
  }
}
