package org.ringwire.transport.tcp;

import java.net.Socket;
import java.net.SocketAddress;
import java.net.SocketOption;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.nio.channels.spi.SelectorProvider;
import java.util.Set;

/** A channel from which every read brings one byte, at once; it can do nothing else. */
final class OneByteChannel extends SocketChannel {

  OneByteChannel() {
    super(SelectorProvider.provider());
  }

  @Override
  public int read(ByteBuffer destination) {
    destination.put((byte) 1);
    return 1;
  }

  @Override
  public long read(ByteBuffer[] destinations, int offset, int length) {
    return read(destinations[offset]);
  }

  private static UnsupportedOperationException readOnly() {
    return new UnsupportedOperationException("there is nothing but input");
  }

  @Override
  public int write(ByteBuffer source) {
    throw readOnly();
  }

  @Override
  public long write(ByteBuffer[] sources, int offset, int length) {
    throw readOnly();
  }

  @Override
  public boolean connect(SocketAddress remote) {
    throw readOnly();
  }

  @Override
  public SocketChannel bind(SocketAddress local) {
    throw readOnly();
  }

  @Override
  public SocketChannel shutdownInput() {
    throw readOnly();
  }

  @Override
  public SocketChannel shutdownOutput() {
    throw readOnly();
  }

  @Override
  public Socket socket() {
    throw readOnly();
  }

  @Override
  public <T> SocketChannel setOption(SocketOption<T> name, T value) {
    throw readOnly();
  }

  @Override
  public <T> T getOption(SocketOption<T> name) {
    throw readOnly();
  }

  @Override
  public Set<SocketOption<?>> supportedOptions() {
    return Set.of();
  }

  @Override
  public boolean finishConnect() {
    return true;
  }

  @Override
  public boolean isConnected() {
    return true;
  }

  @Override
  public boolean isConnectionPending() {
    return false;
  }

  @Override
  public SocketAddress getRemoteAddress() {
    throw readOnly();
  }

  @Override
  public SocketAddress getLocalAddress() {
    throw readOnly();
  }

  @Override
  protected void implCloseSelectableChannel() {}

  @Override
  protected void implConfigureBlocking(boolean block) {}
}
