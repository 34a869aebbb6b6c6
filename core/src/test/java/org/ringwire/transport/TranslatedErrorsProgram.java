package org.ringwire.transport;

import java.io.Closeable;
import java.io.FileInputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.ringwire.IdleStrategy;
import org.ringwire.transport.providers.TransportProviders;

/**
 * What users see of the system's refusals, whatever its language: prints one line for each, the
 * first of them what the system itself says to who connects where nobody listens.
 */
final class TranslatedErrorsProgram {

  private static final TransportConfig CONFIG =
      new TransportConfig(1, 1, IdleStrategy.parking(), 1 << 16, Duration.ofMillis(300));

  private TranslatedErrorsProgram() {}

  public static void main(String[] args) throws IOException {
    PrintStream out = new PrintStream(System.out, true, StandardCharsets.UTF_8);
    Path folder = Path.of(args[0]);
    Path dead = folder.resolve("dead");
    bind(dead).close();
    out.println("system: " + refusal(dead));
    List<Closeable> files = new ArrayList<>();
    try (Transport shm = open("shm");
        Transport tcp = open("tcp");
        ServerSocketChannel full = bind(folder.resolve("full"))) {
      fill(folder.resolve("full"), files);
      out.println("shm refused: " + failure(shm, dead.toString()));
      out.println("shm missing: " + failure(shm, folder.resolve("missing").toString()));
      out.println("shm busy: " + failure(shm, full.getLocalAddress().toString()));
      out.println("shm again: " + shm.listen(dead.toString(), remote -> null));
      out.println("tcp refused: " + failure(tcp, "127.0.0.1:1"));
      String address = tcp.listen("127.0.0.1:0", remote -> null);
      out.println("tcp taken: " + failureToListen(address));
      useAll(files);
      out.println("tcp without descriptors: " + failure(tcp, address));
      for (Closeable file : files) {
        file.close();
      }
    }
  }

  private static Transport open(String name) {
    return Objects.requireNonNull(TransportProviders.find(name)).open(CONFIG);
  }

  private static ServerSocketChannel bind(Path socket) throws IOException {
    ServerSocketChannel channel = ServerSocketChannel.open(StandardProtocolFamily.UNIX);
    return channel.bind(UnixDomainSocketAddress.of(socket), 1);
  }

  private static String refusal(Path dead) {
    try {
      SocketChannel.open(UnixDomainSocketAddress.of(dead)).close();
      return "none";
    } catch (IOException e) {
      return String.valueOf(e.getMessage());
    }
  }

  private static void fill(Path socket, List<Closeable> channels) {
    try {
      while (true) {
        SocketChannel channel = SocketChannel.open(StandardProtocolFamily.UNIX);
        channels.add(channel);
        channel.configureBlocking(false);
        channel.connect(UnixDomainSocketAddress.of(socket));
      }
    } catch (IOException e) {
      // full
    }
  }

  private static String failure(Transport transport, String address) {
    ProbeHandler handler = new ProbeHandler();
    transport.connect(address, handler);
    return String.valueOf(Objects.requireNonNull(handler.cause()).getMessage());
  }

  private static String failureToListen(String address) {
    try (Transport other = open("tcp")) {
      return other.listen(address, remote -> null);
    } catch (IOException e) {
      return String.valueOf(e.getMessage());
    }
  }

  private static void useAll(List<Closeable> files) {
    try {
      while (true) {
        files.add(new FileInputStream("/dev/null"));
      }
    } catch (IOException e) {
      // none left
    }
  }
}
