/** The room that senders need: what the peer grants, who waits for more, and what ends it. */
@NullMarked
package org.ringwire.engine.outbound.room;

import org.jspecify.annotations.NullMarked;
