/** A node that searches and ranks its part of the graph, and the messages that it understands. */
@NullMarked
package org.ringwire.tools.demo.worker;

import org.jspecify.annotations.NullMarked;
