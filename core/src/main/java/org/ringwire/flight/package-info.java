/** Events for the JDK's Flight Recorder, where there is one. */
@NullMarked
package org.ringwire.flight;

import org.jspecify.annotations.NullMarked;
