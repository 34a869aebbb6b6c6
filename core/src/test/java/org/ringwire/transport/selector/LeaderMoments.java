package org.ringwire.transport.selector;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;

/** What a thread that comes to lead has written at a moment that no test can stop it at. */
public final class LeaderMoments {

  private static final VarHandle WANTED;

  static {
    try {
      WANTED =
          MethodHandles.privateLookupIn(LinkReader.class, MethodHandles.lookup())
              .findVarHandle(LinkReader.class, "wanted", boolean.class);
    } catch (ReflectiveOperationException e) {
      throw new ExceptionInInitializerError(e);
    }
  }

  private LeaderMoments() {}

  /** It finds the I/O thread reading, and wants to lead; or gives up. */
  public static void want(ChannelLink link, boolean wanted) {
    WANTED.setVolatile(link.reader, wanted);
  }
}
