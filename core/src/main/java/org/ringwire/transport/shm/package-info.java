/** The transport between processes of one machine, through memory that they share. */
@NullMarked
package org.ringwire.transport.shm;

import org.jspecify.annotations.NullMarked;
