/** Options that several commands have in common, each with one home. */
@NullMarked
package org.ringwire.tools.options;

import org.jspecify.annotations.NullMarked;
