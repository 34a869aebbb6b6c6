/** Ties rings, codecs and links together: connections, requests and the dispatch of messages. */
@NullMarked
package org.ringwire.engine;

import org.jspecify.annotations.NullMarked;
