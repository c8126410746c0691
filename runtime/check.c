/* check.c: stops with a diagnosis that generated code asks for. */
#include "abi.h"
#include "stop.h"

/* "where" with a colon and a space, as the two arguments of %s%s. */
#define PLACE(where) (where) ? (where) : "", (where) ? ": " : ""

void drt_check_function(const void *descriptor, const void *function, const void *where) {
  const void *const *word = descriptor;
  const char *place = where;

  if (!descriptor)
    drt_stop("%s%sa function is called through a pointer that has no shadow. Let code that is "
             "differentiated set the pointer, or give the shadow the value that the pointer has.",
             PLACE(place));
  if (word[DRT_DESCRIPTOR_FUNCTION] != function)
    drt_stop(
        "%s%sa function is called through a pointer whose shadow belongs to another function. Let "
        "code that is differentiated change the pointer, so that its shadow is changed too.",
        PLACE(place));
  if (word[DRT_DESCRIPTOR_FORWARD] == (const void *)drt_no_derivative)
    drt_stop(
        "%s%sa function without a derivative is called through a pointer. Compile its definition "
        "together with the code that is differentiated, or register a derivative or declare it "
        "inactive (dacead.h).",
        PLACE(place));
}

_Noreturn void drt_no_derivative(void) {
  drt_stop("a function without a derivative is called through a pointer. Compile its definition "
           "together with the code that is differentiated, or register a derivative or declare it "
           "inactive (dacead.h).");
}

_Noreturn void drt_no_shadow(const void *what, const void *where) {
  const char *name = what, *place = where;

  drt_stop(
      "%s%s%s%s%s points to memory that has no shadow, so its derivatives would be lost. Allocate "
      "the memory in code that is differentiated, or pass it to the gradient as an argument with "
      "a shadow, or pass it as dacead_const if it is constant.",
      PLACE(place), name ? "'" : "", name ? name : "a pointer", name ? "'" : "");
}
