/**
 * The ways of a received message to its handler: the reading thread, a lane, or a virtual thread.
 */
@NullMarked
package org.ringwire.engine.dispatch;

import org.jspecify.annotations.NullMarked;
