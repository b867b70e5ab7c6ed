/* The kernels of one family of processors; kernel.h says what they compute. */
#include "kernel.h"

#include "instructions.h"

#include <math.h>
#include <string.h>

/* Rounds to 8 bits, with a scale for each block, and keeps minus eight times each block's sum: the weights are 8 too high. */
static void round_activations(const float *numbers, int tokens, int width, workspace *space) {
    const __m256 sign = _mm256_set1_ps(-0.0f);
    const __m256i order = _mm256_setr_epi32(0, 4, 1, 5, 2, 6, 3, 7);
    int blocks = tokens * (width / BLOCK);
    for (int b = 0; b < blocks; b++) {
        const float *from = numbers + (size_t)b * BLOCK;
        __m256 x[4];
        __m256i y[4];
        for (int i = 0; i < 4; i++) x[i] = _mm256_loadu_ps(from + i * 8);
        float most = greatest(_mm256_max_ps(
            _mm256_max_ps(_mm256_andnot_ps(sign, x[0]), _mm256_andnot_ps(sign, x[1])),
            _mm256_max_ps(_mm256_andnot_ps(sign, x[2]), _mm256_andnot_ps(sign, x[3]))));
        __m256 inverse = _mm256_set1_ps(most > 0 ? 127 / most : 0);
        for (int i = 0; i < 4; i++) y[i] = _mm256_cvtps_epi32(_mm256_mul_ps(x[i], inverse));
        __m256i sums = _mm256_add_epi32(_mm256_add_epi32(y[0], y[1]), _mm256_add_epi32(y[2], y[3]));
        __m256i rounded = _mm256_packs_epi16(_mm256_packs_epi32(y[0], y[1]), _mm256_packs_epi32(y[2], y[3]));
        _mm256_storeu_si256((__m256i *)(space->rounded + (size_t)b * BLOCK), _mm256_permutevar8x32_epi32(rounded, order));
        space->rounded_scales[b] = most / 127;
        space->rounded_sums[b] = -8 * total(sums);
    }
}

static void unpack(const uint8_t *packed, uint8_t *panel, int blocks) {
    for (int half = 0; half < blocks * 2; half++) {
        int b = half / 2, v = half % 2;
        for (int j = 0; j < STEPS / 2; j++) {
            integers both = load(packed + (size_t)(half * (STEPS / 2) + j) * STRIDE);
            store(panel + (size_t)((b * STEPS + j) * 2 + v) * STRIDE, low_halves(both));
            store(panel + (size_t)((b * STEPS + j + STEPS / 2) * 2 + v) * STRIDE, high_halves(both));
        }
    }
}

/* Adds to `rows` rows of a panel's outputs what a chunk of the inputs contributes. */
INLINE void multiply_rows(
    int rows, const uint8_t *panel, const float *scales, const int8_t *rounded, const float *rounded_scales,
    const int32_t *rounded_sums, int inputs, int blocks, const float *from, size_t from_stride, float *to, size_t to_stride
) {
    floats totals[ROWS][2];
    int width = inputs / BLOCK;
    for (int r = 0; r < rows; r++)
        for (int v = 0; v < 2; v++) totals[r][v] = load_floats(from + (size_t)r * from_stride + v * LANES);
    for (int b = 0; b < blocks; b++) {
        integers sums[ROWS][2];
        for (int r = 0; r < rows; r++)
            for (int v = 0; v < 2; v++) sums[r][v] = sums_from(rounded_sums[(size_t)r * width + b]);
#pragma GCC unroll 8
        for (int step = 0; step < STEPS; step++) {
            const uint8_t *weights = panel + (size_t)(b * STEPS + step) * 2 * STRIDE;
            integers first = load(weights), second = load(weights + STRIDE);
            for (int r = 0; r < rows; r++) {
                int32_t four;
                memcpy(&four, rounded + (size_t)r * inputs + b * BLOCK + step * 4, 4);
                integers activations = all_integers(four);
                sums[r][0] = grown(sums[r][0], first, activations);
                sums[r][1] = grown(sums[r][1], second, activations);
            }
        }
        floats first = load_floats(scales + (size_t)b * PANEL), second = load_floats(scales + (size_t)b * PANEL + LANES);
        for (int r = 0; r < rows; r++) {
            floats scale = all_floats(rounded_scales[(size_t)r * width + b]);
            int32_t begun = rounded_sums[(size_t)r * width + b];
            totals[r][0] += as_floats(finished(sums[r][0], begun)) * (first * scale);
            totals[r][1] += as_floats(finished(sums[r][1], begun)) * (second * scale);
        }
    }
    for (int r = 0; r < rows; r++)
        for (int v = 0; v < 2; v++) store_floats(to + (size_t)r * to_stride + v * LANES, totals[r][v]);
}

/* Writes the products of the rounded activations with a matrix, its bias added. */
static void multiply(const matrix *m, const workspace *space, int tokens, float *to) {
    int blocks = m->inputs / BLOCK;
    for (int output = 0; output < m->outputs; output += PANEL) {
        for (int begin = 0; begin < blocks; begin += CHUNK) {
            size_t place = (size_t)(output / PANEL) * blocks + begin;
            const uint8_t *packed = m->numbers + place * BLOCK * PANEL / 2;
            unpack(packed, space->panel, CHUNK);
            const float *scales = m->scales + place * PANEL;
            const char *next = (const char *)packed + CHUNK_BYTES;  /* fetched while this chunk is multiplied */
            for (int token = 0, left; token < tokens; token += left) {
                int tiles = (tokens - token + ROWS - 1) / ROWS;
                left = (tokens - token + tiles - 1) / tiles;
                for (const char *end = next + CHUNK_BYTES * left / tokens; next < end; next += 64) _mm_prefetch(next, _MM_HINT_T0);
                const int8_t *rounded = space->rounded + (size_t)token * m->inputs + begin * BLOCK;
                const float *rounded_scales = space->rounded_scales + (size_t)token * blocks + begin;
                const int32_t *sums = space->rounded_sums + (size_t)token * blocks + begin;
                float *out = to + (size_t)token * m->outputs + output;
                const float *from = begin == 0 ? m->bias + output : out;
                size_t from_stride = begin == 0 ? 0 : m->outputs;
#define ROWS_OF(N)                                                                                                          \
    case N:                                                                                                                 \
        multiply_rows(N, space->panel, scales, rounded, rounded_scales, sums, m->inputs, CHUNK, from, from_stride, out,    \
                      m->outputs);                                                                                          \
        break;
                switch (left) {
                    ROWS_OF(1)
                    ROWS_OF(2)
                    ROWS_OF(3)
#if defined(__AVX512VNNI__)
                    ROWS_OF(4)
                    ROWS_OF(5)
                    ROWS_OF(6)
                    ROWS_OF(7)
#endif
                }
#undef ROWS_OF
            }
        }
    }
}

/* e to the power x, for x of at most 0: seven digits. */
INLINE floats power(floats x) {
    x = greater(x, all_floats(-87));
    floats whole = nearest(x * 1.44269504f);
    floats rest = x - whole * 0.693359375f + whole * 2.12194440e-4f;
    floats p = rest * 1.9875691500e-4f + 1.3981999507e-3f;
    p = p * rest + 8.3334519073e-3f;
    p = p * rest + 4.1665795894e-2f;
    p = p * rest + 1.6666665459e-1f;
    p = p * rest + 5.0000001201e-1f;
    return (p * rest * rest + rest + 1.0f) * power_of_two(whole);
}

/* x times the normal distribution up to x, by Abramowitz and Stegun, 7.1.26: exact to 1.5e-7. */
static void gelu(float *numbers, size_t count) {
    for (size_t i = 0; i < count; i += LANES) {
        floats x = load_floats(numbers + i), u = size(x) * 0.70710678f;
        floats t = all_floats(1) / (u * 0.3275911f + 1.0f);
        floats p = t * 1.061405429f - 1.453152027f;
        p = p * t + 1.421413741f;
        p = p * t - 0.284496736f;
        p = p * t + 0.254829592f;
        floats tail = p * t * power(-u * u) * 0.5f;
        store_floats(numbers + i, greater(x, all_floats(0)) - size(x) * tail);
    }
}

static void normalise(float *state, const float *added, const float *weight, const float *bias, int tokens, float epsilon) {
    for (int t = 0; t < tokens; t++) {
        float *x = state + (size_t)t * WIDTH;
        float mean = 0, variance = 0;
        if (added)
            for (int i = 0; i < WIDTH; i++) x[i] += added[(size_t)t * WIDTH + i];
        for (int i = 0; i < WIDTH; i++) mean += x[i];
        mean /= WIDTH;
        for (int i = 0; i < WIDTH; i++) variance += (x[i] - mean) * (x[i] - mean);
        float scale = 1 / sqrtf(variance / WIDTH + epsilon);
        for (int i = 0; i < WIDTH; i++) x[i] = (x[i] - mean) * scale * weight[i] + bias[i];
    }
}

/* One head's attention among the tokens of one text; queries, keys and values lie side by side in `wide`. The last key fills
 * up the last vector. */
static void attend(const workspace *space, int start, int tokens, int head) {
    enum { ROW = 3 * WIDTH };
    const float *queries = space->wide + (size_t)start * ROW + head * HEAD;
    const float *values = queries + 2 * WIDTH;
    int padded = (tokens + LANES - 1) / LANES * LANES;
    float *keys = space->keys, *scores = space->scores;
    for (int i = 0; i < HEAD; i++) {
        const float *key = queries + WIDTH + i;
        for (int j = 0; j < tokens; j++, key += ROW) {
            __asm__("" : "+r"(key));
            keys[i * padded + j] = *key;
        }
        for (int j = tokens; j < padded; j++) keys[i * padded + j] = keys[i * padded + tokens - 1];
    }
    for (int t = 0; t < tokens; t++) {
        const float *query = queries + (size_t)t * ROW;
        floats most = all_floats(-INFINITY), sums[HEAD / LANES];
        for (int j = 0; j < padded; j += LANES) {
            floats even = all_floats(0), odd = all_floats(0);
            for (int i = 0; i < HEAD; i += 2) {
                even += load_floats(keys + (size_t)i * padded + j) * query[i];
                odd += load_floats(keys + (size_t)(i + 1) * padded + j) * query[i + 1];
            }
            floats score = (even + odd) * 0.17677669f;
            store_floats(scores + j, score);
            most = greater(most, score);
        }
        float lanes[LANES], highest = -INFINITY, whole = 0;
        store_floats(lanes, most);
        for (int i = 0; i < LANES; i++) highest = lanes[i] > highest ? lanes[i] : highest;
        for (int j = 0; j < padded; j += LANES) store_floats(scores + j, power(load_floats(scores + j) - highest));
        for (int v = 0; v < HEAD / LANES; v++) sums[v] = all_floats(0);
        for (int j = 0; j < tokens; j++) {
            whole += scores[j];
            for (int v = 0; v < HEAD / LANES; v++) sums[v] += load_floats(values + (size_t)j * ROW + v * LANES) * scores[j];
        }
        float *context = space->context + (size_t)(start + t) * WIDTH + head * HEAD;
        for (int v = 0; v < HEAD / LANES; v++) store_floats(context + v * LANES, sums[v] * (1 / whole));
    }
}

static void pass(const layer *l, workspace *space, int tokens, const int *starts, int texts, float epsilon) {
    round_activations(space->state, tokens, WIDTH, space);
    multiply(&l->qkv, space, tokens, space->wide);
    for (int text = 0; text < texts; text++)
        for (int head = 0; head < HEADS; head++) attend(space, starts[text], starts[text + 1] - starts[text], head);
    round_activations(space->context, tokens, WIDTH, space);
    multiply(&l->attended, space, tokens, space->added);
    normalise(space->state, space->added, l->attended_weight, l->attended_bias, tokens, epsilon);
    round_activations(space->state, tokens, WIDTH, space);
    multiply(&l->inner, space, tokens, space->wide);
    gelu(space->wide, (size_t)tokens * INNER);
    round_activations(space->wide, tokens, INNER, space);
    multiply(&l->outer, space, tokens, space->added);
    normalise(space->state, space->added, l->outer_weight, l->outer_bias, tokens, epsilon);
}

const kernel KERNEL_NAME = {KERNEL_TEXT, LANES, normalise, pass};
