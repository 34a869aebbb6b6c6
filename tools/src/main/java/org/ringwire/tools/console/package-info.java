/** What commands print, and how they end. */
@NullMarked
package org.ringwire.tools.console;

import org.jspecify.annotations.NullMarked;
