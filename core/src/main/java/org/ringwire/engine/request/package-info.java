/** The requests that wait for an answer. */
@NullMarked
package org.ringwire.engine.request;

import org.jspecify.annotations.NullMarked;
