/** The same work in a single process, and whether the nodes found the same. */
@NullMarked
package org.ringwire.tools.demo.check;

import org.jspecify.annotations.NullMarked;
