package org.ringwire.infiniband.verbs.types;

/**
 * An entry of a port's table of addresses.
 *
 * @param index where it stands
 * @param gid the address
 * @param type what its packets look like
 * @param networkInterface the interface it belongs to, empty if none is known
 */
public record GidEntry(int index, Gid gid, GidType type, String networkInterface) {}
