/* thread.c: giving back what a thread keeps for its next gradient. */
#include "thread.h"

#include "gradient_call.h"
#include "include/dacead.h"
#include "stop.h"
#include "tape.h"

#include <pthread.h>

static pthread_once_t once = PTHREAD_ONCE_INIT;
static pthread_key_t
    key; /* not NULL in a thread that keeps memory: at its end "give_back" is called */

void dacead_release_memory(void) {
  drt_calls_release();
  drt_tape_release();
}

/* What ends with a thread; "unused" is the value of "key". */
static void give_back(void *unused) {
  (void)unused;
  dacead_release_memory();
}

static void make_key(void) {
  if (pthread_key_create(&key, give_back) != 0)
    drt_stop("no thread-specific key is left (PTHREAD_KEYS_MAX). Use fewer of them.");
}

void drt_thread_watch(void) {
  pthread_once(&once, make_key);
  pthread_setspecific(key, &once);
}
