/** The way out over a link: encoding into rings, flow control, and who writes when. */
@NullMarked
package org.ringwire.engine.outbound;

import org.jspecify.annotations.NullMarked;
