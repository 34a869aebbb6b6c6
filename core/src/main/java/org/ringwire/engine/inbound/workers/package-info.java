/** The pool of handlers: threads, what waits for them, and who goes on where one is held up. */
@NullMarked
package org.ringwire.engine.inbound.workers;

import org.jspecify.annotations.NullMarked;
