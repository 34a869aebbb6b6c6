package org.ringwire.infiniband.transport;

import org.ringwire.idle.FirstUse;

/**
 * The classes that a node over ib first uses with its first peer; see {@link FirstUse}. Only those
 * that have something to initialise: {@code FirstUseTest} says which is missing.
 */
final class FirstClasses {

  private static final String[] OF_BOTH = {
    "infiniband.link.EngineThread$1",
    "infiniband.link.LinkData$Farewell",
    "infiniband.link.LinkEnd",
    "infiniband.link.LinkEnd$1",
    "infiniband.link.LinkEnd$Step",
    "infiniband.link.LinkLife",
    "infiniband.link.LinkSetUp",
    "infiniband.verbs.SendRequests",
    "infiniband.verbs.types.AsyncEventType",
    "infiniband.verbs.types.RetryOptions",
  };

  private static final String[] OF_RC = {
    "infiniband.msgrc.ChannelData", "infiniband.msgrc.IbLink",
  };

  private static final String[] OF_UD = {
    "infiniband.datagram.Acknowledgements",
    "infiniband.datagram.Arrival",
    "infiniband.datagram.RoundTrip",
    "infiniband.msgud.UdLink",
    "infiniband.msgud.UdStream",
    "infiniband.msgud.UdStream$Outcome",
  };

  private FirstClasses() {}

  /** Initialises those of links over reliable connections. */
  static void prepareForRc() {
    prepare(OF_RC);
  }

  /** Initialises those of links over datagrams. */
  static void prepareForUd() {
    prepare(OF_UD);
  }

  private static void prepare(String... ofOne) {
    FirstUse.prepareBeside(FirstClasses.class, OF_BOTH);
    FirstUse.prepareBeside(FirstClasses.class, ofOne);
  }
}
