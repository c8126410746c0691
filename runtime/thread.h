/* thread.h: giving back what a thread keeps for its next gradient. */
#ifndef DRT_THREAD_H
#define DRT_THREAD_H

/* This thread is about to keep memory: it is given back when the thread ends. */
void drt_thread_watch(void);

#endif
