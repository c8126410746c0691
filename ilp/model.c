/* model.c: a linear program with integer columns, while it is being written. */
#include "model.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Returns "memory" with space for more than "count" elements of "size" bytes; "*room" is how many
   it has space for. */
static void *grown(void *memory, int count, int *room, size_t size) {
  if (count < *room)
    return memory;
  *room = *room ? 2 * *room : 1024;
  memory = realloc(memory, (size_t)*room * size);
  if (!memory) {
    fputs("dacead-plan: too little memory\n", stderr);
    exit(3);
  }
  return memory;
}

int dilp_model_column(struct dilp_model *model, double low, double high, double cost,
                      bool integer) {
  model->column = grown(model->column, model->columns, &model->column_room, sizeof *model->column);
  model->column[model->columns] = (struct dilp_column){low, high, cost, integer};
  return model->columns++;
}

int dilp_model_row(struct dilp_model *model, double low, double high) {
  model->row = grown(model->row, model->rows, &model->row_room, sizeof *model->row);
  model->row[model->rows] = (struct dilp_row){low, high, false};
  return model->rows++;
}

void dilp_model_entry(struct dilp_model *model, int row, int column, double value) {
  if (column < 0 || value == 0)
    return;
  model->entry = grown(model->entry, model->entries, &model->entry_room, sizeof *model->entry);
  model->entry[model->entries++] = (struct dilp_entry){row, column, value};
}

void dilp_model_order(struct dilp_model *model, int larger, int smaller) {
  int row = dilp_model_row(model, 0, INFINITY);

  dilp_model_entry(model, row, larger, 1);
  dilp_model_entry(model, row, smaller, -1);
}

void dilp_model_tighten(struct dilp_model *model) {
  double *most = calloc((size_t)model->rows + 1, sizeof *most);
  int *number = calloc((size_t)model->rows + 1, sizeof *number), rows = 0, entries = 0;

  for (int k = 0; k < model->entries; k++)
    if (model->entry[k].value > 0)
      most[model->entry[k].row] +=
          model->entry[k].value * model->column[model->entry[k].column].high;
  for (int r = 0; r < model->rows; r++) {
    bool drop = model->row[r].bytes && most[r] <= model->row[r].high;

    number[r] = drop ? -1 : rows;
    if (!drop)
      model->row[rows++] = model->row[r];
  }
  for (int k = 0; k < model->entries; k++)
    if (number[model->entry[k].row] >= 0) {
      model->entry[entries] = model->entry[k];
      model->entry[entries++].row = number[model->entry[k].row];
    }
  model->rows = rows;
  model->entries = entries;
  free(most);
  free(number);
}

void dilp_model_clear(struct dilp_model *model) {
  free(model->column);
  free(model->row);
  free(model->entry);
  memset(model, 0, sizeof *model);
}
