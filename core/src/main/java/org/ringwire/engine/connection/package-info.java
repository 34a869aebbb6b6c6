/**
 * Connections to other nodes: how links and their sessions are set up, replaced, drained and ended.
 * What knows no connection is in packages of its own: where nodes are tried, how a link begins, and
 * what it has of its own.
 */
@NullMarked
package org.ringwire.engine.connection;

import org.jspecify.annotations.NullMarked;
