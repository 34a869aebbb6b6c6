/**
 * The engine {@code msgud}: one queue pair for datagrams to and from all peers, and the protocol of
 * {@code org.ringwire.infiniband.datagram}, which makes reliable links of them.
 */
@NullMarked
package org.ringwire.infiniband.msgud;

import org.jspecify.annotations.NullMarked;
