/**
 * What writes and reads objects of one class, what it writes to and reads from, and what is put off
 * meanwhile.
 */
@NullMarked
package org.ringwire.heap.image.shape;

import org.jspecify.annotations.NullMarked;
