package org.example.store;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import org.ringwire.MessagingException;
import org.ringwire.NodeConfig;
import org.ringwire.discovery.FileDirectory;

/**
 * One node of the store: {@code StoreProgram ID nodes.json}, where the file says {@code {"1":
 * "127.0.0.1:7401", "2": "127.0.0.1:7402"}}, the same for all nodes. Reads commands: {@code put KEY
 * VALUE}, {@code get KEY}, {@code remove KEY}, {@code end}.
 */
final class StoreProgram {

  private StoreProgram() {}

  public static void main(String[] arguments) throws IOException {
    System.exit(run(arguments, System.err));
  }

  /** The exit status: 0, or 2 if the words or the file are wrong, which {@code errors} says. */
  static int run(String[] arguments, PrintStream errors) throws IOException {
    if (arguments.length != 2 || !arguments[0].matches("0|[1-9]\\d{0,4}")) {
      errors.println("usage: StoreProgram ID nodes.json, with an ID that is in the file");
      return 2;
    }
    int id = Integer.parseInt(arguments[0]);
    try (FileDirectory directory = FileDirectory.watch(Path.of(arguments[1]))) {
      String address = directory.address(id);
      if (address == null) {
        errors.println(arguments[1] + " says nothing of node " + id);
        return 2;
      }
      NodeConfig config = NodeConfig.builder(id).listen(address).peers(directory).build();
      List<Integer> nodes = directory.addresses().keySet().stream().sorted().toList();
      try (Store store = Store.open(config, nodes)) {
        Runtime.getRuntime().addShutdownHook(new Thread(store::close, "close")); // SIGTERM, Ctrl-C
        System.out.println("node " + id + " of " + nodes + " listens on " + store.address());
        obey(store);
      }
      return 0;
    } catch (UncheckedIOException e) {
      errors.println(e.getCause().getMessage()); // there is no such file, or it cannot be read
    } catch (IllegalArgumentException | MessagingException e) {
      errors.println(e.getMessage()); // what the file says is wrong, or the address is taken
    }
    return 2;
  }

  private static void obey(Store store) throws IOException {
    BufferedReader commands =
        new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
    for (String line = commands.readLine(); line != null; line = commands.readLine()) {
      String[] words = line.strip().split("\\s+", 3);
      try {
        switch (words[0]) {
          case "put" -> System.out.println("was " + store.put(words[1], words[2]));
          case "get" -> System.out.println(store.get(words[1]));
          case "remove" -> System.out.println("was " + store.remove(words[1]));
          case "end" -> {
            return;
          }
          default -> System.out.println("put KEY VALUE, get KEY, remove KEY, end");
        }
      } catch (ArrayIndexOutOfBoundsException e) {
        System.out.println(words[0] + " needs more words: put KEY VALUE, get KEY, remove KEY");
      } catch (MessagingException e) {
        System.out.println(e.getMessage()); // the other node is not there yet, or any more
      }
    }
  }
}
