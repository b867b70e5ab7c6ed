/* The engine behind vectors.h. e5.c is included for its model's parts and its tokenizer, which it does not export. */
#include "e5.c"

#include "kernel.h"
#include "vectors.h"

#if defined(__x86_64__)
#include <cpuid.h>
#endif

struct vectors_engine {
    const e5_model *model;
    const kernel *kernel;
    layer *layers;
    void *weights;
};

struct vectors_layers {
    int first, count;
    layer *layers;
    void *weights;
};

struct vectors_space {
    workspace work;
    int starts[MOST_TOKENS + 1];
    void *memory;
};

#if defined(__x86_64__)
static int has_avxvnni(void) {
    unsigned a, b, c, d;
    return __get_cpuid_count(7, 1, &a, &b, &c, &d) && (a & 1 << 4) != 0;
}
#endif

/* The kernel of a name, or the best; NULL when the processor runs none such. */
static const kernel *chosen(const char *name) {
#if defined(__x86_64__)
    __builtin_cpu_init();
    const kernel *known[] = {&kernel_avx512, &kernel_avxvnni, &kernel_avx2};
    const int runs_avx2 = __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma");
    const int runs[] = {
        __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw") && __builtin_cpu_supports("avx512dq")
            && __builtin_cpu_supports("avx512vl") && __builtin_cpu_supports("avx512vnni") && runs_avx2,
        has_avxvnni() && runs_avx2,
        runs_avx2,
    };
    for (int i = 0; i < 3; i++)
        if (runs[i] && (name == NULL || strcmp(name, known[i]->name) == 0)) return known[i];
#endif
    return NULL;
}

static int has_shape(const e5_model *m) {
    return m->H == WIDTH && m->FF == INNER && m->NH == HEADS && m->qk == BLOCK && m->MAXP >= MOST_TOKENS;
}

static size_t packed_bytes(int outputs, int inputs) {
    return (size_t)outputs * inputs / 2 + (size_t)outputs * inputs / BLOCK * sizeof(float);
}

/* Two weights a byte: see `unpack` in kernel.c, which takes them apart again. */
static void pack(const block_q4_0 *rows, int inputs, int lanes, int first, uint8_t *numbers, float *scales) {
    int blocks = inputs / BLOCK, panel = 2 * lanes;
    for (int b = 0; b < blocks; b++) {
        for (int o = 0; o < panel; o++) {
            const block_q4_0 *block = rows + (size_t)o * blocks + b;
            scales[((size_t)first / panel * blocks + b) * panel + o] = fp16_to_fp32(block->d);
            for (int i = 0; i < BLOCK / 2; i++) {
                int step = i / 4, half = o / lanes, lane = o % lanes;
                uint8_t low = block->qs[i] & 15, high = block->qs[i] >> 4;
                size_t vector = ((size_t)first / panel * blocks + b) * 8 + half * 4 + step;
                numbers[(vector * lanes + lane) * 4 + i % 4] = (uint8_t)(low | high << 4);
            }
        }
    }
}

/* Packs matrices of the same inputs below one another, and says where the free memory begins after them. */
static uint8_t *packed(matrix *m, int inputs, int count, const block_q4_0 *const *weights, int each, int lanes, uint8_t *at) {
    int outputs = count * each, panel = 2 * lanes;
    uint8_t *numbers = at;
    float *scales = (float *)(at + (size_t)outputs * inputs / 2);
    for (int output = 0; output < outputs; output += panel) {
        const block_q4_0 *rows = weights[output / each] + (size_t)(output % each) * (inputs / BLOCK);
        pack(rows, inputs, lanes, output, numbers, scales);
    }
    m->outputs = outputs;
    m->inputs = inputs;
    m->numbers = numbers;
    m->scales = scales;
    return at + packed_bytes(outputs, inputs);
}

static size_t layer_bytes(void) {
    size_t weights = packed_bytes(3 * WIDTH, WIDTH) + packed_bytes(WIDTH, WIDTH) + 2 * packed_bytes(INNER, WIDTH);
    return weights + 3 * WIDTH * sizeof(float);
}

/* Brings layers into a kernel's order, into new memory; their other numbers stay where they are. 0 without memory. */
static int arrange(const layer_t *from, int count, const kernel *k, layer **layers, void **weights) {
    size_t bytes = (layer_bytes() * count + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;
    uint8_t *at = aligned_alloc(ALIGNMENT, bytes);
    layer *to = calloc(count, sizeof *to);
    if (at == NULL || to == NULL) {
        free(at);
        free(to);
        return 0;
    }
    *layers = to;
    *weights = at;
    for (int i = 0; i < count; i++, from++, to++) {
        const block_q4_0 *const qkv[] = {from->qw, from->kw, from->vw};
        at = packed(&to->qkv, WIDTH, 3, qkv, WIDTH, k->lanes, at);
        at = packed(&to->attended, WIDTH, 1, &from->aow, WIDTH, k->lanes, at);
        at = packed(&to->inner, WIDTH, 1, &from->fiw, INNER, k->lanes, at);
        at = packed(&to->outer, INNER, 1, &from->fow, WIDTH, k->lanes, at);
        float *bias = (float *)at;
        memcpy(bias, from->qb, WIDTH * sizeof(float));
        memcpy(bias + WIDTH, from->kb, WIDTH * sizeof(float));
        memcpy(bias + 2 * WIDTH, from->vb, WIDTH * sizeof(float));
        at += 3 * WIDTH * sizeof(float);
        to->qkv.bias = bias;
        to->attended.bias = from->aob;
        to->inner.bias = from->fib;
        to->outer.bias = from->fob;
        to->attended_weight = from->aln_w;
        to->attended_bias = from->aln_b;
        to->outer_weight = from->oln_w;
        to->outer_bias = from->oln_b;
    }
    return 1;
}

vectors_engine *vectors_open(const e5_model *model, const char *name) {
    const kernel *k = chosen(name);
    if (k == NULL || model == NULL || !has_shape(model)) return NULL;
    vectors_engine *engine = calloc(1, sizeof *engine);
    if (engine == NULL) return NULL;
    *engine = (vectors_engine){.model = model, .kernel = k};
    if (!arrange(model->layers, model->NL, k, &engine->layers, &engine->weights)) {
        free(engine);
        return NULL;
    }
    return engine;
}

void vectors_close(vectors_engine *engine) {
    if (engine == NULL) return;
    free(engine->layers);
    free(engine->weights);
    free(engine);
}

/* What a layer's file holds besides the weights: biases and the two normalisations. */
enum { OTHERS = 9 * WIDTH + INNER };
enum { SQUARE = WIDTH / BLOCK * WIDTH, WIDE = WIDTH / BLOCK * INNER };   /* blocks of weights */

static const size_t written_bytes = (4 * SQUARE + 2 * WIDE) * sizeof(block_q4_0) + OTHERS * sizeof(float);

/* Says where the parts of a written layer lie. The other numbers are in `floats`, since they are not aligned in a file. */
static layer_t located(const uint8_t *at, const float *floats) {
    const block_q4_0 *w = (const block_q4_0 *)at;
    return (layer_t){
        .qw = w, .kw = w + SQUARE, .vw = w + 2 * SQUARE, .aow = w + 3 * SQUARE, .fiw = w + 4 * SQUARE,
        .fow = w + 4 * SQUARE + WIDE,
        .qb = floats, .kb = floats + WIDTH, .vb = floats + 2 * WIDTH, .aob = floats + 3 * WIDTH,
        .aln_w = floats + 4 * WIDTH, .aln_b = floats + 5 * WIDTH, .fob = floats + 6 * WIDTH,
        .oln_w = floats + 7 * WIDTH, .oln_b = floats + 8 * WIDTH, .fib = floats + 9 * WIDTH,
    };
}

vectors_layers *vectors_layers_open(const vectors_engine *engine, int first, int count, const void *weights, size_t size) {
    if (engine == NULL || weights == NULL || first < 0 || count < 1 || first + count != engine->model->NL) return NULL;
    if (size != written_bytes * (size_t)count) return NULL;
    vectors_layers *found = calloc(1, sizeof *found + (size_t)count * OTHERS * sizeof(float));
    layer_t *places = calloc(count, sizeof *places);
    int is_made = 0;
    if (found != NULL && places != NULL) {
        float *floats = (float *)(found + 1);
        found->first = first;
        found->count = count;
        for (int i = 0; i < count; i++, floats += OTHERS) {
            const uint8_t *at = (const uint8_t *)weights + written_bytes * i;
            memcpy(floats, at + (4 * SQUARE + 2 * WIDE) * sizeof(block_q4_0), OTHERS * sizeof(float));
            places[i] = located(at, floats);
        }
        is_made = arrange(places, count, engine->kernel, &found->layers, &found->weights);
    }
    free(places);
    if (is_made) return found;
    free(found);
    return NULL;
}

void vectors_layers_close(vectors_layers *layers) {
    if (layers == NULL) return;
    free(layers->layers);
    free(layers->weights);
    free(layers);
}

const char *vectors_kernel(const vectors_engine *engine) { return engine->kernel->name; }

/* Takes aligned bytes of a stretch of memory; with no stretch it only counts. */
static void *taken(uint8_t *memory, size_t *used, size_t bytes) {
    void *start = memory == NULL ? NULL : memory + *used;
    *used += (bytes + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;
    return start;
}

static size_t arranged(workspace *w, uint8_t *memory, size_t tokens) {
    size_t used = 0, padded = tokens + 16;
    w->capacity = (int)tokens;
    w->state = taken(memory, &used, tokens * WIDTH * sizeof(float));
    w->kept = taken(memory, &used, tokens * WIDTH * sizeof(float));
    w->wide = taken(memory, &used, tokens * INNER * sizeof(float));
    w->context = taken(memory, &used, tokens * WIDTH * sizeof(float));
    w->added = taken(memory, &used, tokens * WIDTH * sizeof(float));
    w->keys = taken(memory, &used, padded * HEAD * sizeof(float));
    w->scores = taken(memory, &used, padded * sizeof(float));
    w->rounded = taken(memory, &used, tokens * INNER);
    w->rounded_scales = taken(memory, &used, tokens * (INNER / BLOCK) * sizeof(float));
    w->rounded_sums = taken(memory, &used, tokens * (INNER / BLOCK) * sizeof(int32_t));
    w->panel = taken(memory, &used, (size_t)WIDTH * 32);
    return used;
}

vectors_space *vectors_space_make(int tokens) {
    if (tokens < 2 || tokens > MOST_TOKENS) return NULL;
    vectors_space *space = calloc(1, sizeof *space);
    if (space == NULL) return NULL;
    uint8_t *memory = aligned_alloc(ALIGNMENT, arranged(&space->work, NULL, tokens));
    if (memory == NULL) {
        free(space);
        return NULL;
    }
    arranged(&space->work, memory, tokens);
    space->memory = memory;
    return space;
}

void vectors_space_free(vectors_space *space) {
    if (space == NULL) return;
    free(space->memory);
    free(space);
}

int vectors_tokens(const e5_model *model, const char *text, int is_query, int *tokens, int capacity) {
    const char *prefix = is_query ? "query: " : "passage: ";
    size_t before = strlen(prefix), length = strlen(text);
    if (length > 1 << 20) return -1;
    char *whole = malloc(before + length + 1);
    int *content = malloc(sizeof(int) * (before + length + 4));
    int count = -1;
    if (whole != NULL && content != NULL) {
        memcpy(whole, prefix, before);
        memcpy(whole + before, text, length + 1);
        int found = tok_content(&model->tok, whole, content, (int)(before + length) + 4);
        count = found + 2;
        if (count <= capacity) {
            tokens[0] = model->tok.bos;
            memcpy(tokens + 1, content, sizeof(int) * found);
            tokens[count - 1] = model->tok.eos;
        }
    }
    free(whole);
    free(content);
    return count;
}

/* Lays out the texts' tokens; the number of all of them, or -1 when the call is not possible. */
static int laid_out(const e5_model *m, vectors_space *space, const int *tokens, const int *counts, int texts) {
    int total = 0;
    if (texts < 1 || texts > MOST_TOKENS) return -1;
    space->starts[0] = 0;
    for (int text = 0; text < texts; text++) {
        if (counts[text] < 1 || counts[text] > space->work.capacity - total) return -1;
        total += counts[text];
        space->starts[text + 1] = total;
    }
    for (int t = 0; t < total; t++)
        if (tokens[t] < 0 || tokens[t] >= m->VOC) return -1;
    return total;
}

static void look_up(const e5_model *m, const vectors_space *space, const int *tokens, int texts) {
    for (int text = 0; text < texts; text++)
        for (int t = space->starts[text]; t < space->starts[text + 1]; t++) {
            float *state = space->work.state + (size_t)t * WIDTH;
            const float *place = m->pos + (size_t)(t - space->starts[text]) * WIDTH;
            deq_row(m->word + (size_t)tokens[t] * m->nb_word, WIDTH, state);
            for (int i = 0; i < WIDTH; i++) state[i] += place[i] + m->type[i];
        }
}

/* The mean of the tokens' states, of length 1. */
static void pool(const float *state, int tokens, float *out) {
    float length = 0;
    memset(out, 0, WIDTH * sizeof(float));
    for (int t = 0; t < tokens; t++)
        for (int i = 0; i < WIDTH; i++) out[i] += state[(size_t)t * WIDTH + i];
    for (int i = 0; i < WIDTH; i++) length += out[i] * out[i];
    length = sqrtf(length > 1e-12f ? length : 1e-12f);
    for (int i = 0; i < WIDTH; i++) out[i] /= length;
}

static void pass_all(
    const vectors_engine *engine, const layer *layers, int count, vectors_space *space, int total, int texts
) {
    for (int i = 0; i < count; i++)
        engine->kernel->pass(&layers[i], &space->work, total, space->starts, texts, engine->model->eps);
}

static void pool_all(const vectors_space *space, int texts, float *out) {
    for (int text = 0; text < texts; text++) {
        int start = space->starts[text];
        pool(space->work.state + (size_t)start * WIDTH, space->starts[text + 1] - start, out + (size_t)text * WIDTH);
    }
}

int vectors_embed(
    const vectors_engine *engine, const vectors_layers *layers, vectors_space *space, const int *tokens, const int *counts,
    int texts, float *out, float *reading
) {
    const e5_model *m = engine->model;
    if (reading != NULL && layers == NULL) return -1;
    int total = laid_out(m, space, tokens, counts, texts);
    if (total < 0) return -1;
    int common = reading == NULL ? m->NL : layers->first;
    size_t bytes = (size_t)total * WIDTH * sizeof(float);
    look_up(m, space, tokens, texts);
    engine->kernel->normalise(space->work.state, NULL, m->eln_w, m->eln_b, total, m->eps);
    pass_all(engine, engine->layers, common, space, total, texts);
    if (reading != NULL && out != NULL) memcpy(space->work.kept, space->work.state, bytes);
    if (out != NULL) {
        pass_all(engine, engine->layers + common, m->NL - common, space, total, texts);
        pool_all(space, texts, out);
    }
    if (reading != NULL) {
        if (out != NULL) memcpy(space->work.state, space->work.kept, bytes);
        pass_all(engine, layers->layers, layers->count, space, total, texts);
        pool_all(space, texts, reading);
    }
    return 0;
}

int vectors_read_after(
    const vectors_engine *engine, const vectors_layers *layers, vectors_space *space, const int *tokens, int count, int before,
    float *reading
) {
    const e5_model *m = engine->model;
    if (layers == NULL || before < 0 || before >= count || laid_out(m, space, tokens, &count, 1) < 0) return -1;
    look_up(m, space, tokens, 1);
    engine->kernel->normalise(space->work.state, NULL, m->eln_w, m->eln_b, count, m->eps);
    pass_all(engine, engine->layers, layers->first, space, count, 1);
    pass_all(engine, layers->layers, layers->count, space, count, 1);
    pool(space->work.state + (size_t)before * WIDTH, count - before, reading);
    return 0;
}
