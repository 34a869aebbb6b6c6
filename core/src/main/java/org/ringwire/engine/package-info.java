/**
 * The node behind the public API: sending, requests, inquiries, signs of life and shutdown, over
 * its connections.
 */
@NullMarked
package org.ringwire.engine;

import org.jspecify.annotations.NullMarked;
