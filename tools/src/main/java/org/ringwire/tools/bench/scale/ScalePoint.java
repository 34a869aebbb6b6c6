package org.ringwire.tools.bench.scale;

/**
 * One point of the curve, and one line of JSON.
 *
 * @param benchmark {@code scale}
 * @param system what was measured
 * @param transport what connects the nodes
 * @param round 1, 2 ...: each has new processes
 * @param peers connections of the node, each of which was busy once; all but one are idle
 * @param channels TCP connections of the node
 * @param connectSeconds time to connect to the peers that were not there at the point before, and
 *     to exchange messages with each
 * @param residentBytes memory of the node's process in RAM, heap and JVM included; 0 if unknown
 * @param peakResidentBytes the most that it was, while all were busy; 0 if unknown
 * @param nativeBytes native memory of the library, as it counts itself
 * @param heapBytes heap in use after a collection
 * @param heapMaxBytes what the heap may be at most
 * @param descriptors open files of the process; 0 if unknown
 * @param threads Java threads of the process
 * @param keepAliveSeconds time within which dead peers are found
 * @param idleCpuPercent processor time of the node's process over wall time while all connections
 *     are idle; 100 is one core
 * @param nanosPerMessage wall time per message of a stream on the busy connection
 * @param cpuNanosPerMessage processor time of the node's process per message of the stream, without
 *     what it uses when all are idle
 * @param rttMicros median of round trips on the busy connection, microseconds
 * @param wallRatio of {@code nanosPerMessage} to that of the round's first point
 * @param cpuRatio of {@code cpuNanosPerMessage} to that of the round's first point
 * @param rttRatio of {@code rttMicros} to that of the round's first point
 * @param java version of the runtime
 * @param kernel name and version of the operating system
 * @param cpus processors that the benchmark could use
 */
record ScalePoint(
    String benchmark,
    String system,
    String transport,
    int round,
    int peers,
    int channels,
    double connectSeconds,
    long residentBytes,
    long peakResidentBytes,
    long nativeBytes,
    long heapBytes,
    long heapMaxBytes,
    int descriptors,
    int threads,
    double keepAliveSeconds,
    double idleCpuPercent,
    double nanosPerMessage,
    double cpuNanosPerMessage,
    double rttMicros,
    double wallRatio,
    double cpuRatio,
    double rttRatio,
    String java,
    String kernel,
    int cpus) {}
