/**
 * What is common to everything that uses a device: settings, the choice of port and address, memory
 * to send from, and how a thread waits.
 */
@NullMarked
package org.ringwire.infiniband.device;

import org.jspecify.annotations.NullMarked;
