/** What is encoded elsewhere than in a ring, and which codecs have made that necessary. */
@NullMarked
package org.ringwire.engine.outbound.encoding;

import org.jspecify.annotations.NullMarked;
