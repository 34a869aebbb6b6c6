/** TLS over the links of another transport. */
@NullMarked
package org.ringwire.transport.tls;

import org.jspecify.annotations.NullMarked;
