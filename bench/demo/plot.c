/* plot.c: an SVG picture with a frame of axes, two curves, and the pelts as marks. */
#include "plot.h"

#include <stdio.h>

/* Where things are, in units of the picture. */
enum { WIDTH = 900, HEIGHT = 520, LEFT = 78, RIGHT = 28, TOP = 82, BOTTOM = 68, MOST = 80 };

static const char hare_colour[] = "#b5651d", lynx_colour[] = "#1f5a8a";

/* The horizontal place of "year", counted from FIRST_YEAR. */
static double across(double year) {
  return LEFT + year / (YEARS - 1) * (WIDTH - LEFT - RIGHT);
}

/* The vertical place of "pelts" thousand pelts. */
static double down(double pelts) {
  return HEIGHT - BOTTOM - pelts / MOST * (HEIGHT - TOP - BOTTOM);
}

static void head(FILE *f) {
  fprintf(f,
          "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 %d %d\" width=\"%d\" "
          "height=\"%d\" font-family=\"Helvetica, Arial, sans-serif\" font-size=\"14\" "
          "fill=\"#333\">\n<rect width=\"100%%\" height=\"100%%\" fill=\"#fff\"/>\n",
          WIDTH, HEIGHT, WIDTH, HEIGHT);
  fprintf(f,
          "<text x=\"%d\" y=\"34\" font-size=\"19\" font-weight=\"bold\">Hares and lynxes of the "
          "Hudson's Bay Company, %d to %d</text>\n",
          LEFT, FIRST_YEAR, FIRST_YEAR + YEARS - 1);
}

/* Grid lines, ticks, and the names of both axes. */
static void axes(FILE *f) {
  fprintf(f, "<path d=\"M%d %.1fV%.1f\" stroke=\"#333\"/>\n", LEFT, down(MOST), down(0));
  for (int pelts = 0; pelts <= MOST; pelts += 20)
    fprintf(f,
            "<path d=\"M%d %.1fH%d\" stroke=\"%s\"/><path d=\"M%d %.1fh6\" stroke=\"#333\"/>"
            "<text x=\"%d\" y=\"%.1f\" text-anchor=\"end\">%d</text>\n",
            LEFT, down(pelts), WIDTH - RIGHT, pelts ? "#e4e4e4" : "#333", LEFT - 6, down(pelts),
            LEFT - 12, down(pelts) + 5, pelts);
  for (int year = 0; year < YEARS; year++) {
    int named = year % 5 == 0;
    fprintf(f, "<path d=\"M%.1f %dv%d\" stroke=\"#333\"/>\n", across(year), HEIGHT - BOTTOM,
            named ? 8 : 4);
    if (named)
      fprintf(f, "<text x=\"%.1f\" y=\"%d\" text-anchor=\"middle\">%d</text>\n", across(year),
              HEIGHT - BOTTOM + 25, FIRST_YEAR + year);
  }
  fprintf(f, "<text x=\"%.1f\" y=\"%d\" text-anchor=\"middle\">year</text>\n",
          across((YEARS - 1) / 2.0), HEIGHT - 18);
  fprintf(f,
          "<text transform=\"translate(26 %.1f) rotate(-90)\" text-anchor=\"middle\">pelts "
          "(thousands)</text>\n",
          down(MOST / 2.0));
}

/* A round mark for hares and a square one for lynxes, centred on (x, y). */
static void mark(FILE *f, int lynx, double x, double y) {
  if (lynx)
    fprintf(f, "<rect x=\"%.1f\" y=\"%.1f\" width=\"8\" height=\"8\" ", x - 4, y - 4);
  else
    fprintf(f, "<circle cx=\"%.1f\" cy=\"%.1f\" r=\"4.6\" ", x, y);
  fprintf(f, "fill=\"%s\" stroke=\"#fff\" stroke-width=\"1.2\"/>\n",
          lynx ? lynx_colour : hare_colour);
}

/* The legend's entry for one species, beginning at "x". */
static void legend(FILE *f, int lynx, double x) {
  fprintf(f, "<path d=\"M%.1f 57h34\" stroke=\"%s\" stroke-width=\"2.2\"/>\n", x,
          lynx ? lynx_colour : hare_colour);
  mark(f, lynx, x + 17, 57);
  fprintf(f, "<text x=\"%.1f\" y=\"62\">%s: pelts and model</text>\n", x + 44,
          lynx ? "lynxes" : "hares");
}

/* The curve of one species through the "n" populations "model", "per_year" of them a year. */
static void curve(FILE *f, int lynx, const struct population *model, int n, int per_year) {
  fprintf(f,
          "<path fill=\"none\" stroke=\"%s\" stroke-width=\"2.2\" stroke-linejoin=\"round\" d=\"",
          lynx ? lynx_colour : hare_colour);
  for (int i = 0; i < n; i++)
    fprintf(f, "%s%.1f %.1f", i ? "L" : "M", across((double)i / per_year),
            down(lynx ? model[i].lynxes : model[i].hares));
  fprintf(f, "\"/>\n");
}

int plot_fit(const char *path, const double p[PARAMETERS], const struct population data[YEARS]) {
  enum { PER_YEAR = 20, POINTS = (YEARS - 1) * PER_YEAR + 1 };
  struct population model[POINTS];
  FILE *f = fopen(path, "w");
  if (!f)
    return -1;
  simulate(p, (YEARS - 1) * STEPS_PER_YEAR, STEPS_PER_YEAR / PER_YEAR, model);
  head(f);
  axes(f);
  for (int lynx = 0; lynx < 2; lynx++) {
    legend(f, lynx, LEFT + 230.0 * lynx);
    curve(f, lynx, model, POINTS, PER_YEAR);
    for (int i = 0; i < YEARS; i++)
      mark(f, lynx, across(i), down(lynx ? data[i].lynxes : data[i].hares));
  }
  fprintf(f, "</svg>\n");
  return fclose(f) ? -1 : 0;
}
