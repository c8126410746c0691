/* What the two files share. */
#ifndef POTENTIAL_H
#define POTENTIAL_H

/* The energy of two particles at the distance "r"; adds to "pair_count" and "virial". */
double pair_energy(double r);

/* Globals of potential.c. */
extern double depth, virial, history[4], *last_place;
extern int pair_count;

/* The derivative of pair_energy, computed in potential.c. */
double pair_force(double r);

#endif
