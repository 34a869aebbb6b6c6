package org.ringwire.engine;

import org.ringwire.Dispatch;
import org.ringwire.Handler;

/**
 * A user's handler and how its messages reach it.
 *
 * @param handler called per message
 * @param dispatch by which thread
 */
record Registration(Handler<Object> handler, Dispatch dispatch) {}
