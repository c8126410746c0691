/* diag.c: fills the texts of diag.def and hands them to LLVM's diagnostics. */
#include "diag.h"

#include "../bridge_llvm.h"
#include "context.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

struct message {
  enum dad_severity severity;
  const char *name, *text, *remedy;
};

static const struct message messages[] = {
#define DIAG(id, severity, name, text, remedy) {DAD_##severity, name, text, remedy},
#include "diag.def"
};

bool dad_wants_print(const char *what) {
  size_t n = strlen(what);
  for (const char *p = strstr(dad_options.print, what); p; p = strstr(p + 1, what))
    if ((p == dad_options.print || p[-1] == ',') && (p[n] == ',' || !p[n]))
      return true;
  return false;
}

const char *dad_diag_name(enum dad_diag_id id) {
  return messages[id].name;
}

void dad_diag(struct dad_context *ctx, enum dad_diag_id id, LLVMValueRef where, ...) {
  const struct message *m = &messages[id];
  char text[1024], full[2048];
  va_list args;
  va_start(args, where);
  vsnprintf(text, sizeof text, m->text, args);
  va_end(args);
  snprintf(full, sizeof full, "%s%s%s [%s]", text, *m->remedy ? "; remedy: " : "", m->remedy, m->name);
  if (m->severity == DAD_ERROR)
    ctx->errors++;
  dad_bridge_diagnose(ctx->module, m->severity, m->name, where, full);
}
