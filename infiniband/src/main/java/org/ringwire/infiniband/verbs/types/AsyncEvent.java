package org.ringwire.infiniband.verbs.types;

/**
 * Something that happened to a device beside its requests.
 *
 * @param type what happened
 * @param number the port of an event of a port, the queue pair of an event of a queue pair, else 0
 */
public record AsyncEvent(AsyncEventType type, int number) {}
