/** The API: nodes that send objects to each other and answer requests. */
@NullMarked
package org.ringwire;

import org.jspecify.annotations.NullMarked;
