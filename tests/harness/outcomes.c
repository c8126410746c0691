// EXPECT: 3 of 14
// CASES: 1-4
// ABORTS(2): out of order
// LEVELS: -O0
// LEVELS(4): -O1
// ALSO: -DVARIANT
// ALSO: -O2 -DVARIANT
// FLAGS(4): -DSILENT
// Case 1 passes without VARIANT and prints the wrong last word with it; case 2 aborts as announced only with it; case 3 fails always;
// case 4 prints nothing.
#include <stdio.h>
#include <stdlib.h>

#ifdef VARIANT
enum { VARIED = 1 };
#else
enum { VARIED = 0 };
#endif

int main(void) {
#ifdef SILENT
  return 0;
#endif
  switch (CASE) {
  case 1: return puts(VARIED ? "ok wrong" : "ok") < 0;
  case 2:
    if (VARIED) {
      fprintf(stderr, "out of order\n");
      abort();
    }
    break;
  case 3: puts("ok"); exit(1);
  }
  puts("ok");
  return 0;
}
