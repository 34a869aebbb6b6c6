/** Where nodes are tried, when again after a failure, and how long an attempt may take. */
@NullMarked
package org.ringwire.engine.connection.attempt;

import org.jspecify.annotations.NullMarked;
