/** The classes of the running JDK as a graph, and the part of it that a node owns. */
@NullMarked
package org.ringwire.tools.demo.graph;

import org.jspecify.annotations.NullMarked;
