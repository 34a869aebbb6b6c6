package org.ringwire.transport.shm;

import java.io.Closeable;
import java.io.FileInputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.stream.Stream;
import org.ringwire.MessagingException;
import org.ringwire.Node;
import org.ringwire.NodeConfig;

/**
 * What becomes of shared memory when its process has few file descriptors left. Closes a folder
 * with none, and prints what is left of it in the folder that is its argument; then opens a node
 * with none, and with one more each time until there are enough, and prints what comes of it.
 */
final class ScarceDescriptorsProgram {

  private ScarceDescriptorsProgram() {}

  public static void main(String[] args) throws IOException {
    PrintStream out = new PrintStream(System.out, true, StandardCharsets.UTF_8);
    String ignored = opened("*") + opened("/nowhere/socket"); // loads classes
    assert !ignored.isEmpty();
    Path base = Path.of(args[0]);
    SharedFolder folder = SharedFolder.open(base);
    Deque<Closeable> files = openAll();
    folder.close();
    files.remove().close();
    try (Stream<Path> left = Files.list(base)) {
      out.println("left: " + left.toList());
    }
    files.addAll(openAll());
    String result = opened("*");
    while (!result.equals("opened")) {
      out.println(result);
      files.remove().close();
      result = opened("*");
    }
    out.println(result);
  }

  private static Deque<Closeable> openAll() {
    Deque<Closeable> files = new ArrayDeque<>();
    try {
      while (true) {
        files.add(new FileInputStream("/dev/null"));
      }
    } catch (IOException e) {
      return files; // none left
    }
  }

  private static String opened(String address) {
    try (Node _ = Node.open(NodeConfig.builder(1).transport("shm").listen(address).build())) {
      return "opened";
    } catch (MessagingException e) {
      return String.valueOf(e.getMessage());
    }
  }
}
