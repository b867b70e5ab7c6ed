/* Computes the encoder's layers for the instructions of one family of processors.
 *
 * kernel.c is compiled once for each family, with KERNEL its name, and gives one `kernel`. The numbers are e5.c's: weights of
 * 4 bits with a scale for every 32, activations rounded to 8 bits with a scale for every 32.
 */
#ifndef HEARTH_KERNEL_H
#define HEARTH_KERNEL_H

#include <stddef.h>
#include <stdint.h>

enum {
    WIDTH = 384,                /* numbers in a token's state */
    INNER = 1536,               /* numbers inside a feed-forward layer */
    HEADS = 12,
    HEAD = WIDTH / HEADS,
    BLOCK = 32,                 /* neighbouring numbers that share a scale */
    STEPS = BLOCK / 4,          /* one instruction multiplies four neighbours */
    CHUNK = WIDTH / BLOCK,      /* blocks of weights that are unpacked at once */
    MOST_TOKENS = 512,
    ALIGNMENT = 64
};

/* A matrix in the order in which a kernel reads it: panels of outputs, in a panel blocks of inputs. */
typedef struct {
    int outputs, inputs;
    const uint8_t *numbers;     /* two weights a byte, 0 to 15, each 8 too high */
    const float *scales;        /* one for each output and block */
    const float *bias;
} matrix;

typedef struct {
    matrix qkv, attended, inner, outer;
    const float *attended_weight, *attended_bias, *outer_weight, *outer_bias;   /* of the two normalisations */
} layer;

/* Memory for one pass over at most `capacity` tokens. */
typedef struct {
    int capacity;
    float *state, *kept, *wide, *context, *added, *keys, *scores;
    int8_t *rounded;
    float *rounded_scales;
    int32_t *rounded_sums;
    uint8_t *panel;
} workspace;

typedef struct {
    const char *name;
    int lanes;                  /* outputs in one vector; a panel has twice as many */
    void (*normalise)(float *state, const float *added, const float *weight, const float *bias, int tokens, float epsilon);
    /* Passes `tokens` tokens through a layer; the tokens of text i are those from starts[i] to starts[i + 1]. */
    void (*pass)(const layer *, workspace *, int tokens, const int *starts, int texts, float epsilon);
} kernel;

extern const kernel kernel_avx2, kernel_avxvnni, kernel_avx512;

#endif
