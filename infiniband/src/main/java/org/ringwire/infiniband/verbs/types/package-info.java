/**
 * What verbs name and return: states, kinds, addresses, attributes. Values without behaviour of
 * their own.
 */
@NullMarked
package org.ringwire.infiniband.verbs.types;

import org.jspecify.annotations.NullMarked;
