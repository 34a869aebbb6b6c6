package org.ringwire.infiniband.verbs.types;

/**
 * What a device is and can do; limits are counts unless they say otherwise.
 *
 * @param firmware version of its firmware, empty if it has none
 * @param nodeGuid its number, unique in the world
 * @param maxQueuePairs queue pairs
 * @param maxQueuePairRequests requests outstanding in one queue of a queue pair
 * @param maxRanges ranges of a request
 * @param maxReadRanges ranges of a read
 * @param maxCompletionQueues completion queues
 * @param maxCompletionEntries entries of one of them
 * @param maxMemoryRegions memory regions
 * @param maxMemoryRegionLength bytes of one of them, unsigned: many devices tell of no limit by -1
 * @param maxSharedReceiveQueues shared receive queues
 * @param maxSharedReceiveRequests requests outstanding in one of them
 * @param maxSharedReceiveRanges ranges of one of these
 * @param maxReadAtomic reads and atomics that a queue pair may serve at a time
 * @param maxInitiatedReadAtomic reads and atomics that a queue pair may have outstanding
 * @param atomics whether atomics work
 * @param maxAddressHandles address handles
 * @param maxPartitionKeys partitions
 * @param ports ports
 */
public record DeviceAttributes(
    String firmware,
    long nodeGuid,
    int maxQueuePairs,
    int maxQueuePairRequests,
    int maxRanges,
    int maxReadRanges,
    int maxCompletionQueues,
    int maxCompletionEntries,
    int maxMemoryRegions,
    long maxMemoryRegionLength,
    int maxSharedReceiveQueues,
    int maxSharedReceiveRequests,
    int maxSharedReceiveRanges,
    int maxReadAtomic,
    int maxInitiatedReadAtomic,
    AtomicSupport atomics,
    int maxAddressHandles,
    int maxPartitionKeys,
    int ports) {

  /** Whether there are queues of receive requests that queue pairs share. */
  public boolean hasSharedReceiveQueues() {
    return maxSharedReceiveQueues > 0 && maxSharedReceiveRequests > 0;
  }
}
