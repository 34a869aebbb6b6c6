/** Whether every message arrived: once, unaltered and, where that can be told, in order. */
@NullMarked
package org.ringwire.tools.bench.check;

import org.jspecify.annotations.NullMarked;
