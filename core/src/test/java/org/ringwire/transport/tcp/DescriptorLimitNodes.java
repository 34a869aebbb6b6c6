package org.ringwire.transport.tcp;

import java.io.Closeable;
import java.io.FileInputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.locks.LockSupport;
import org.ringwire.Dispatch;
import org.ringwire.Node;
import org.ringwire.NodeConfig;
import org.ringwire.NodeDirectory;
import org.ringwire.NodeUnreachableException;

/**
 * What users see when their process has no file descriptor left: prints the errors of connecting to
 * an address, of connecting to a host name, and of opening a node; then who answers, first without
 * descriptors on a connection that exists, and then with descriptors again on a new one.
 */
final class DescriptorLimitNodes {

  private static final Duration PATIENCE = Duration.ofSeconds(20);

  record Question(int number) {}

  record Answer(int by) {}

  private DescriptorLimitNodes() {}

  public static void main(String[] args) throws IOException {
    PrintStream out = new PrintStream(System.out, true, StandardCharsets.UTF_8);
    NodeDirectory.Mutable directory = NodeDirectory.mutable();
    try (Node one = open(1, directory);
        Node two = open(2, directory);
        Node three = open(3, directory)) {
      directory.put(4, "localhost:" + String.valueOf(three.address()).split(":", -1)[1]);
      ask(one, two.id());
      fail(one, 5); // loads the classes of failures
      out.println("connected");
      List<Closeable> files = openAll();
      String toAddress = fail(one, 3);
      String toName = fail(one, 4);
      String opened = failToOpen(directory);
      int answered = ask(one, 2);
      for (Closeable file : files) {
        file.close();
      }
      out.println(toAddress);
      out.println(toName);
      out.println(opened);
      out.println("answered by " + answered);
      out.println("answered by " + askPatiently(one, 3));
    }
  }

  private static Node open(int id, NodeDirectory.Mutable directory) {
    Node node = Node.open(NodeConfig.builder(id).listen("127.0.0.1:0").peers(directory).build());
    node.handle(
        Question.class, Dispatch.INLINE, (question, exchange) -> exchange.reply(new Answer(id)));
    directory.put(id, String.valueOf(node.address()));
    return node;
  }

  private static int ask(Node node, int peer) {
    return node.request(peer, new Question(1), Answer.class, PATIENCE).by();
  }

  private static String fail(Node node, int peer) {
    try {
      ask(node, peer);
      return "no failure";
    } catch (NodeUnreachableException e) {
      return String.valueOf(e.getMessage());
    }
  }

  private static String failToOpen(NodeDirectory.Mutable directory) {
    try (Node node = open(9, directory)) {
      return "no failure of node " + node.id();
    } catch (RuntimeException e) {
      return String.valueOf(e.getMessage());
    }
  }

  /** As long as the node does not try, after it has failed. */
  private static int askPatiently(Node node, int peer) {
    long endNs = System.nanoTime() + PATIENCE.toNanos();
    while (true) {
      try {
        return ask(node, peer);
      } catch (NodeUnreachableException e) {
        if (System.nanoTime() - endNs >= 0) {
          throw e;
        }
        LockSupport.parkNanos(1_000_000);
      }
    }
  }

  /** Until none comes back any more that something else was just closing. */
  private static List<Closeable> openAll() {
    List<Closeable> files = new ArrayList<>();
    int before = -1;
    while (files.size() > before) {
      before = files.size();
      openAll(files);
      LockSupport.parkNanos(100_000_000);
    }
    return files;
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
