package org.ringwire.transport.tcp;

import java.io.BufferedReader;
import java.io.Closeable;
import java.io.FileInputStream;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import org.ringwire.IdleStrategy;
import org.ringwire.transport.PatternSource;
import org.ringwire.transport.ProbeHandler;
import org.ringwire.transport.Transport;
import org.ringwire.transport.TransportConfig;

/**
 * Uses up all file descriptors of its process while it listens; driven by lines: {@code traffic}
 * sends over a link that exists, {@code use} uses up all descriptors, {@code free} gives them back,
 * {@code load} tells the share of a core, in percent, that the I/O thread takes while it pauses,
 * {@code end} ends.
 */
final class DescriptorLimitProgram {

  private static final long BYTES = 100_000;

  private DescriptorLimitProgram() {}

  public static void main(String[] args) throws Exception {
    PrintStream out = new PrintStream(System.out, true, StandardCharsets.UTF_8);
    TransportConfig config =
        new TransportConfig(1, 1, IdleStrategy.parking(), 1 << 16, Duration.ofSeconds(5));
    AtomicInteger accepted = new AtomicInteger();
    ProbeHandler server = new ProbeHandler();
    try (Transport transport = new TcpTransportProvider().open(config);
        PatternSource source = new PatternSource(1, 1000);
        BufferedReader lines =
            new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8))) {
      String address =
          transport.listen(
              "127.0.0.1:0",
              remote -> {
                int number = accepted.getAndIncrement();
                out.println("accepted " + number);
                return number == 0 ? server : new ProbeHandler();
              });
      ProbeHandler client =
          new ProbeHandler() {
            @Override
            protected void resume() {
              source.resume(link());
            }
          };
      transport.connect(address, client);
      traffic(source, client, server);
      List<Closeable> files = new ArrayList<>();
      ManagementFactory.getThreadMXBean().getThreadCpuTime(Thread.currentThread().threadId());
      openAll(files);
      out.println("address " + address);
      for (String line = lines.readLine(); !"end".equals(line); line = lines.readLine()) {
        switch (line) {
          case "use" -> openAll(files);
          case "free" -> closeAll(files);
          case "load" -> out.println("load " + load());
          default -> {
            traffic(source, client, server);
            out.println("delivered");
          }
        }
      }
    }
  }

  private static long load() {
    ThreadMXBean threads = ManagementFactory.getThreadMXBean();
    Thread io =
        Thread.getAllStackTraces().keySet().stream()
            .filter(thread -> thread.getName().contains("-io-"))
            .findFirst()
            .orElseThrow();
    long cpuNs = threads.getThreadCpuTime(io.threadId());
    long beganNs = System.nanoTime();
    LockSupport.parkUntil(System.currentTimeMillis() + 1000);
    return (threads.getThreadCpuTime(io.threadId()) - cpuNs) * 100 / (System.nanoTime() - beganNs);
  }

  private static void closeAll(List<Closeable> files) throws IOException {
    for (Closeable file : files) {
      file.close();
    }
    files.clear();
  }

  private static void traffic(PatternSource source, ProbeHandler client, ProbeHandler server)
      throws IOException {
    source.offer(client.link(), BYTES);
    source.awaitSent();
    server.awaitReceived(source.sent());
  }

  private static void openAll(List<Closeable> files) {
    try {
      while (true) {
        files.add(new FileInputStream("/dev/null"));
      }
    } catch (IOException e) {
      // none left
    }
  }
}
