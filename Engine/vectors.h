/* Sentence vectors of multilingual-e5-small, computed with the widest instructions that the processor has.
 *
 * It stands beside e5.c in one library and uses its model and its tokenizer; docs/embedding-engine.md tells the rest.
 */
#ifndef HEARTH_VECTORS_H
#define HEARTH_VECTORS_H

#include <stddef.h>

typedef struct e5_model e5_model;
typedef struct vectors_engine vectors_engine;
typedef struct vectors_layers vectors_layers;
typedef struct vectors_space vectors_space;

/* Brings a loaded model's weights into the processor's order: 30 ms, 13 MB. The model must outlive it.
 * `kernel` names one, or is NULL for the best that the processor can run. NULL when it can run none, when the model has
 * another shape, or when there is no memory. */
vectors_engine *vectors_open(const e5_model *model, const char *kernel);
void vectors_close(vectors_engine *);

/* The name of the kernel: avx512-vnni, avx-vnni or avx2. */
const char *vectors_kernel(const vectors_engine *);

/* Layers of this project's own that take the place of the model's last ones, and whose vectors the detectors read. `count`
 * layers begin at layer `first`; `weights` holds them as training/layer_file.py writes them, and may be freed afterwards.
 * NULL when the size is another, when the layers do not end where the model ends, or when there is no memory. */
vectors_layers *vectors_layers_open(const vectors_engine *, int first, int count, const void *weights, size_t size);
void vectors_layers_close(vectors_layers *);

/* Memory for passes over at most `tokens` tokens, 2 to 512, by one thread at a time; NULL when there is none. */
vectors_space *vectors_space_make(int tokens);
void vectors_space_free(vectors_space *);

/* Writes a text's tokens, its prefix and marks included, and gives their number; with more than `capacity` it writes none and
 * gives the number all the same. -1 when there is no memory. */
int vectors_tokens(const e5_model *, const char *text, int is_query, int *tokens, int capacity);

/* Writes the vectors of `texts` texts, 384 numbers each, of length 1: the model's into `out`, those of the own layers into
 * `reading`. Either may be NULL, and `reading` is with `layers`. `tokens` holds the texts' tokens one after another, `counts`
 * how many each has. 0 on success, -1 when they do not fit into the space or are no tokens of the model. The vector of a text
 * does not depend on what else is in the same call. */
int vectors_embed(const vectors_engine *, const vectors_layers *layers, vectors_space *, const int *tokens, const int *counts,
                  int texts, float *out, float *reading);

/* Writes the vector of a text's end, 384 numbers of length 1: the mean over the tokens behind the first `before`. All `count` tokens
 * pass through the own layers together, so that the end is read beside what stands before it. 0 on success, -1 as above. */
int vectors_read_after(const vectors_engine *, const vectors_layers *layers, vectors_space *, const int *tokens, int count, int before,
                       float *reading);

#endif
