/** How a running node is looked at from outside: by its peers, and by JMX. */
@NullMarked
package org.ringwire.management;

import org.jspecify.annotations.NullMarked;
