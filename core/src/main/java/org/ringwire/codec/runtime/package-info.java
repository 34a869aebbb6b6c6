/** What generated codecs extend and call; public for them alone. */
@NullMarked
package org.ringwire.codec.runtime;

import org.jspecify.annotations.NullMarked;
