/* model.h: a linear program with integer columns, while it is being written. Only dacead-plan has
   any; it ends with a message where memory is short. */
#ifndef DILP_MODEL_H
#define DILP_MODEL_H

#include <stdbool.h>

/* A variable. */
struct dilp_column {
  double low, high;
  double cost; /* of one unit, in the objective, which is least */
  bool integer;
};

/* A constraint: "low" <= sum <= "high". */
struct dilp_row {
  double low, high;
  bool bytes; /* it bounds memory */
};

/* A coefficient. */
struct dilp_entry {
  int row, column;
  double value;
};

/* All zeroes is an empty model. */
struct dilp_model {
  int columns, rows, entries;
  int column_room, row_room, entry_room; /* there is memory for as many */
  struct dilp_column *column;
  struct dilp_row *row;
  struct dilp_entry *entry;
};

/* Each adds something to "model" and returns its number. */
int dilp_model_column(struct dilp_model *model, double low, double high, double cost, bool integer);
int dilp_model_row(struct dilp_model *model, double low, double high);

/* Adds "value" times "column" to "row", unless "column" is -1 or "value" 0. */
void dilp_model_entry(struct dilp_model *model, int row, int column, double value);

/* Adds the row "larger" >= "smaller". */
void dilp_model_order(struct dilp_model *model, int larger, int smaller);

/* Removes rows of bytes that no value of the columns can break. */
void dilp_model_tighten(struct dilp_model *model);

/* Frees what "model" has. It is empty then. */
void dilp_model_clear(struct dilp_model *model);

#endif
