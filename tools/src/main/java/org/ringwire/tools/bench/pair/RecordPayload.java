package org.ringwire.tools.bench.pair;

import org.ringwire.tools.bench.check.Numbered;

/** The message of the benchmarks with the codec that the library generates. */
@SuppressWarnings("ArrayRecordComponent") // never compared
record RecordPayload(long sequence, int sender, byte[] content) implements Numbered {}
