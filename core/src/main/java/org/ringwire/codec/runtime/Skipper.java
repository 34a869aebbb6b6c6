package org.ringwire.codec.runtime;

import org.ringwire.codec.Reader;

/**
 * Passes over a value that a newer writer has and this reader does not know, without making an
 * object of it. Checks what it needs to find the end; what the bytes in between mean is not looked
 * at. Immutable once published.
 */
public abstract class Skipper {

  /**
   * Passes over a value that has no null bit, or is not null.
   *
   * @param depth what a codec of the writer would be given to read it, or the records in it, so
   *     that whatever can be read can be skipped
   */
  public abstract void skip(Reader reader, int depth);
}
