/* globals.h: shadows of global variables, and what a gradient call does with them at its start. */
#ifndef DAD_GLOBALS_H
#define DAD_GLOBALS_H

#include "unit.h"

/* The shadow of the global variable "g": a global of the same type whose initialiser maps addresses to shadows and numbers to zero.
   Reports an error and returns poison if "g" is defined elsewhere. */
LLVMValueRef dad_global_shadow(struct dad_request *req, LLVMValueRef g);
/* Behind the pointer "loaded" and its shadow "shadow", loaded from memory that other code may have filled: stops the program with
   a message if the pointer has no shadow. */
void dad_global_check_loaded(struct dad_unit *u, LLVMValueRef loaded, LLVMValueRef shadow);
/* Builds, at the start of the root's function: numbers in shadows of globals become zero; shadows of pointers in globals are looked
   up anew, because code outside may have set the pointers and did not set their shadows. */
void dad_globals_prologue(struct dad_request *req);

#endif
