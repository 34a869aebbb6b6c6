package org.ringwire.heap;

/**
 * The classes that graphs, messages and channels first use with the first graph, and that have
 * something to initialise: {@code FirstUseTest} says which is missing. The JVM initialises a class
 * when it is used first, and one for which there was no heap then can never be used again, however
 * much there is later: a node that is written its first graph at such a moment would take no other
 * for as long as its process lives. So they are initialised when codecs and channels are made,
 * which fails as a whole where that fails. By name, as some are known to their packages only.
 */
final class FirstClasses {
  private static final String[] OF_GRAPHS = {
    "image.Decoder",
    "image.classes.BuiltInShapes",
    "image.classes.PlatformClasses",
    "image.classes.Shapes",
    "image.memory.OwnMemory",
    "image.memory.Raw",
    "image.shape.Input",
    "image.shape.Shape",
    "image.shape.SpecialShape",
    "image.template.ObjectLayout",
    "image.template.Templates",
    "image.value.StringShape",
  };

  private static final String[] OF_MESSAGES = {
    "image.container.MapShape",
    "image.container.SynchronizedShape",
    "image.container.UnmodifiableShape",
    "image.container.UnmodifiableViewShape",
    "image.memory.DirectMemory",
    "image.shape.KeySteps$Components",
    "image.shape.KeySteps$Views",
    "image.value.SingletonShape",
    "image.value.ValueText",
  };

  private static final String[] OF_CHANNELS = {
    "channel.CarriedBlock",
    "channel.inbound.Inbox",
    "channel.inbound.ReceiveSegment",
    "channel.outbound.MessagePath",
    "channel.outbound.Outbox",
    "channel.outbound.StagingRing",
  };

  private FirstClasses() {}

  /** Initialises those of any graph. */
  static void prepareForGraphs() {
    prepare(OF_GRAPHS);
  }

  /**
   * Initialises those of containers and values, too, as a node may meet any at any time. A codec
   * for which there is no node does that only when a graph has some: its first is to be quick.
   */
  static void prepareForMessages() {
    prepare(OF_MESSAGES);
  }

  /** Initialises those of channels, beside those of messages. */
  static void prepareForChannels() {
    prepareForMessages();
    prepare(OF_CHANNELS);
  }

  private static void prepare(String... names) {
    String here = FirstClasses.class.getPackageName() + ".";
    for (String name : names) {
      try {
        Class<?> _ = Class.forName(here + name, true, FirstClasses.class.getClassLoader());
      } catch (ClassNotFoundException e) {
        // somebody has packed the library anew, and calls it otherwise: then its time comes later
      }
    }
  }
}
