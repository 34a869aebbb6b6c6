/** What the tests of all modules share. */
@NullMarked
package org.ringwire.testing;

import org.jspecify.annotations.NullMarked;
