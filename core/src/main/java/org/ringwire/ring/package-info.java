/** Ring buffers in native memory between the threads of one process. */
@NullMarked
package org.ringwire.ring;

import org.jspecify.annotations.NullMarked;
