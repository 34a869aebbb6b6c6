/**
 * Connections to other nodes: how links and their sessions are set up, replaced, drained and ended.
 */
@NullMarked
package org.ringwire.engine.connection;

import org.jspecify.annotations.NullMarked;
