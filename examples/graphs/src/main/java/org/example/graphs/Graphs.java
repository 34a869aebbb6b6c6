package org.example.graphs;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.ringwire.Node;
import org.ringwire.NodeConfig;
import org.ringwire.NodeDirectory;
import org.ringwire.heap.HeapChannels;
import org.ringwire.heap.HeapCodec;

/**
 * Sends a group of people who know each other, cycles and all, from one node to another: ordinary
 * classes, no schema, no registration. The receiver names the package that it accepts.
 */
public final class Graphs {

  /** An ordinary class: no interface, no annotation, no constructor without parameters. */
  static final class Person {
    private final String name;
    private final List<Person> knows = new ArrayList<>();

    Person(String name) {
      this.name = name;
    }
  }

  private Graphs() {}

  /** Ends with status 1 if what arrives is not what was sent. */
  public static void main(String[] arguments) {
    HeapCodec codec = HeapCodec.builder().acceptPackage("org.example.graphs").build();
    NodeDirectory.Mutable directory = NodeDirectory.mutable();
    try (Node sender = open(1, directory);
        Node receiver = open(2, directory);
        HeapChannels out = HeapChannels.of(sender, codec);
        HeapChannels in = HeapChannels.of(receiver, codec)) {
      directory.put(1, sender.address()).put(2, receiver.address());
      out.to(2).writeObject(friends()); // returns when the whole graph is with the receiver
      Person ada = (Person) in.to(1).readObject(Duration.ofSeconds(10));
      Person grace = ada.knows.getFirst();
      System.out.println(ada.name + " knows " + grace.name);
      if (grace.knows.getFirst() != ada) {
        throw new IllegalStateException(grace.name + " knows somebody else");
      }
    }
  }

  private static Node open(int id, NodeDirectory directory) {
    return Node.open(NodeConfig.builder(id).listen("127.0.0.1:0").peers(directory).build());
  }

  private static Person friends() {
    Person ada = new Person("Ada");
    Person grace = new Person("Grace");
    ada.knows.add(grace);
    grace.knows.add(ada);
    return ada;
  }
}
