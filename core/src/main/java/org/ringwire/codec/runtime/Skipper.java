package org.ringwire.codec.runtime;

import org.ringwire.codec.DecodingException;
import org.ringwire.codec.Reader;

/**
 * Passes over a value that a newer writer has and this reader does not know, without making an
 * object of it. Checks what it needs to find the end; what the bytes in between mean is not looked
 * at. Immutable once published.
 */
public abstract class Skipper {
  /** Eight for each record, if these are as deep as they may be. */
  private static final int MAX_CONTAINERS = 2048;

  /** The bits of a depth from here on are containers. */
  private static final int CONTAINERS = 16;

  /**
   * Passes over a value that has no null bit, or is not null.
   *
   * @param depth what a codec of the writer would be given to read it, or the records in it, so
   *     that whatever can be read can be skipped; and the containers around it, see {@link #deeper}
   */
  public abstract void skip(Reader reader, int depth);

  /**
   * The depth of what a container holds. A writer's schema may have hundreds of them between two
   * records, which no limit of records bounds.
   *
   * @throws DecodingException if it is too deep for the stack
   */
  public static int deeper(int depth) {
    int deeper = depth + (1 << CONTAINERS);
    if (deeper >>> CONTAINERS > MAX_CONTAINERS) {
      throw new DecodingException(
          "lists, sets, maps and optionals nested too deeply: maximum depth=" + MAX_CONTAINERS);
    }
    return deeper;
  }

  /** The records of a depth. */
  public static int records(int depth) {
    return depth & ((1 << CONTAINERS) - 1);
  }
}
