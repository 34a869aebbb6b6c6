package org.ringwire.tools.bench;

/** The message of the benchmarks with the codec that the library generates. */
@SuppressWarnings("ArrayRecordComponent") // never compared
record RecordPayload(long sequence, int sender, byte[] content) implements Numbered {}
