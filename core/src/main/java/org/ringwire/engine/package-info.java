/** Connections, credit, dispatch and requests: what happens between the API and a transport. */
@NullMarked
package org.ringwire.engine;

import org.jspecify.annotations.NullMarked;
