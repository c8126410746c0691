/* plot.h: the picture of data and fit. */
#ifndef PLOT_H
#define PLOT_H

#include "model.h"

/* Writes an SVG picture of "data" and of the model with the parameters "p" to the file "path".
   Returns 0, or -1 with errno set. */
int plot_fit(const char *path, const double p[PARAMETERS], const struct population data[YEARS]);

#endif
