// EXPECT: 1 of 6
// CASES: 1-6
// LEVELS: -O0
// What looks like a refusal: an error of clang's own in the form that the plugin gives it, in case 1 at the right place. The others have
// another identifier, a longer identifier, no error, a warning in place of the error, and another line.
// ERROR(2): DAD-two
// ERROR(3): DAD-three
// ERROR(4): DAD-four
// ERROR(5): DAD-five
#if CASE == 1
_Pragma("GCC error \"dacead: refused [DAD-one]\"") // ERROR(1): DAD-one
#elif CASE == 2
_Pragma("GCC error \"dacead: refused [DAD-one]\"")
#elif CASE == 3
_Pragma("GCC error \"dacead: refused [DAD-three-more]\"")
#elif CASE == 5
_Pragma("GCC warning \"dacead: error [DAD-five]\"")
#elif CASE == 6
_Pragma("GCC error \"dacead: refused [DAD-six]\"")
int line; // ERROR(6): DAD-six
#endif
