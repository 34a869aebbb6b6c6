package org.ringwire.transport.tls;

import java.nio.ByteBuffer;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Supplier;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.SSLEngineResult.HandshakeStatus;
import javax.net.ssl.SSLException;

/**
 * The first handshake of a process, with itself. It makes the JVM load a thousand classes, and runs
 * interpreted: where many processes start at the same time, or there is little of a processor, that
 * alone takes longer than a connection attempt may. Before there is a peer nobody counts the time,
 * and what fails here would be told by the handshake with one.
 */
final class FirstHandshake {

  /** Flights are few; each needs some. */
  private static final int MOST_STEPS = 64;

  private static final AtomicBoolean OVER = new AtomicBoolean();

  private FirstHandshake() {}

  /**
   * Rehearses in the first call.
   *
   * @param context for both sides
   */
  static void rehearse(Supplier<SSLContext> context) {
    if (OVER.compareAndSet(false, true)) {
      try {
        SSLContext made = context.get();
        run(engine(made, true), engine(made, false));
      } catch (SSLException | RuntimeException e) {
        // a certificate that is not trusted, for example: what it takes to say so is loaded now
      }
    }
  }

  private static SSLEngine engine(SSLContext context, boolean client) {
    SSLEngine engine = context.createSSLEngine();
    engine.setUseClientMode(client);
    return TlsContexts.configured(engine);
  }

  /** Without a medium between them. */
  static void run(SSLEngine client, SSLEngine server) throws SSLException {
    ByteBuffer toServer = ByteBuffer.allocate(2 * TlsBuffers.RECORD);
    ByteBuffer toClient = ByteBuffer.allocate(2 * TlsBuffers.RECORD);
    client.beginHandshake();
    server.beginHandshake();
    boolean moves = true;
    for (int i = 0; moves && i < MOST_STEPS; i++) {
      moves = step(client, toClient, toServer);
      moves |= step(server, toServer, toClient);
    }
  }

  /** Returns false if there is nothing to do. */
  private static boolean step(SSLEngine engine, ByteBuffer input, ByteBuffer output)
      throws SSLException {
    HandshakeStatus status = engine.getHandshakeStatus();
    if (status == HandshakeStatus.NEED_TASK) {
      TlsInput.runTasks(engine);
      return true;
    }
    if (status == HandshakeStatus.NEED_WRAP) {
      return engine.wrap(ByteBuffer.allocate(0), output).bytesProduced() > 0;
    }
    input.flip();
    int taken = engine.unwrap(input, ByteBuffer.allocate(TlsBuffers.RECORD)).bytesConsumed();
    input.compact();
    return taken > 0;
  }
}
