/* spring.h: the energy of a chain of springs. */
#ifndef SPRING_H
#define SPRING_H

/* The energy of "n" masses at the places "x", joined by springs of length one. */
double spring_energy(const double *x, int n);

#endif
