/**
 * What a link to a peer has of its own, whichever connection it is of: the way that data takes, how
 * it comes to its end, its signs of life.
 */
@NullMarked
package org.ringwire.engine.connection.link;

import org.jspecify.annotations.NullMarked;
