/** The metrics of a node as Micrometer meters. */
@NullMarked
package org.ringwire.micrometer;

import org.jspecify.annotations.NullMarked;
