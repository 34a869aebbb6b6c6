package org.ringwire.tools.node;

/**
 * What a ping sends, and gets back.
 *
 * @param id number of the ping, or {@link #INTRODUCTION}
 * @param payload some bytes
 */
@SuppressWarnings("ArrayRecordComponent") // never compared
record Echo(long id, byte[] payload) {

  /** Connects; answered like a ping, but not counted. */
  static final long INTRODUCTION = -1;
}
