/** What the parts of a node share: settings, transport, memory, threads and timers. */
@NullMarked
package org.ringwire.engine.services;

import org.jspecify.annotations.NullMarked;
