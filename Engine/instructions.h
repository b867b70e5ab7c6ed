/* Names for the instructions of the family of processors that the compiler was told. */
#ifndef HEARTH_INSTRUCTIONS_H
#define HEARTH_INSTRUCTIONS_H

#include <immintrin.h>
#include <stdint.h>

#define INLINE static inline __attribute__((always_inline))

#if defined(__AVX512VNNI__)

#define KERNEL_NAME kernel_avx512
#define KERNEL_TEXT "avx512-vnni"
enum { LANES = 16, ROWS = 7 };
typedef __m512i integers;
typedef __m512 floats;
INLINE integers load(const void *p) { return _mm512_loadu_si512(p); }
INLINE void store(void *p, integers v) { _mm512_storeu_si512(p, v); }
INLINE integers all_integers(int32_t v) { return _mm512_set1_epi32(v); }
INLINE integers low_halves(integers v) { return _mm512_and_si512(v, _mm512_set1_epi8(15)); }
INLINE integers high_halves(integers v) { return low_halves(_mm512_srli_epi16(v, 4)); }
INLINE floats load_floats(const float *p) { return _mm512_loadu_ps(p); }
INLINE void store_floats(float *p, floats v) { _mm512_storeu_ps(p, v); }
INLINE floats all_floats(float v) { return _mm512_set1_ps(v); }
INLINE floats as_floats(integers v) { return _mm512_cvtepi32_ps(v); }
INLINE floats greater(floats a, floats b) { return _mm512_max_ps(a, b); }
INLINE floats size(floats v) { return _mm512_abs_ps(v); }
INLINE floats nearest(floats v) { return _mm512_roundscale_ps(v, _MM_FROUND_TO_NEAREST_INT | _MM_FROUND_NO_EXC); }
INLINE floats power_of_two(floats v) {
    return _mm512_castsi512_ps(_mm512_slli_epi32(_mm512_add_epi32(_mm512_cvtps_epi32(v), all_integers(127)), 23));
}

#else

#if defined(__AVXVNNI__)
#define KERNEL_NAME kernel_avxvnni
#define KERNEL_TEXT "avx-vnni"
#else
#define KERNEL_NAME kernel_avx2
#define KERNEL_TEXT "avx2"
#endif
enum { LANES = 8, ROWS = 3 };
typedef __m256i integers;
typedef __m256 floats;
INLINE integers load(const void *p) { return _mm256_loadu_si256(p); }
INLINE void store(void *p, integers v) { _mm256_storeu_si256(p, v); }
INLINE integers all_integers(int32_t v) { return _mm256_set1_epi32(v); }
INLINE integers low_halves(integers v) { return _mm256_and_si256(v, _mm256_set1_epi8(15)); }
INLINE integers high_halves(integers v) { return low_halves(_mm256_srli_epi16(v, 4)); }
INLINE floats load_floats(const float *p) { return _mm256_loadu_ps(p); }
INLINE void store_floats(float *p, floats v) { _mm256_storeu_ps(p, v); }
INLINE floats all_floats(float v) { return _mm256_set1_ps(v); }
INLINE floats as_floats(integers v) { return _mm256_cvtepi32_ps(v); }
INLINE floats greater(floats a, floats b) { return _mm256_max_ps(a, b); }
INLINE floats size(floats v) { return _mm256_andnot_ps(_mm256_set1_ps(-0.0f), v); }
INLINE floats nearest(floats v) { return _mm256_round_ps(v, _MM_FROUND_TO_NEAREST_INT | _MM_FROUND_NO_EXC); }
INLINE floats power_of_two(floats v) {
    return _mm256_castsi256_ps(_mm256_slli_epi32(_mm256_add_epi32(_mm256_cvtps_epi32(v), all_integers(127)), 23));
}

#endif

/* The sums of a block begin at `first`, and take up the products of four unsigned weights and four signed activations a lane.
 * Without VNNI they grow in 16 bits, which a block cannot exceed: 32 times 15 times 127 in two halves. */
#if defined(__AVX512VNNI__)
INLINE integers sums_from(int32_t first) { return all_integers(first); }
INLINE integers grown(integers sums, integers weights, integers activations) {
    return _mm512_dpbusd_epi32(sums, weights, activations);
}
INLINE integers finished(integers sums, int32_t first) { (void)first; return sums; }
#elif defined(__AVXVNNI__)
INLINE integers sums_from(int32_t first) { return all_integers(first); }
INLINE integers grown(integers sums, integers weights, integers activations) {
    return _mm256_dpbusd_avx_epi32(sums, weights, activations);
}
INLINE integers finished(integers sums, int32_t first) { (void)first; return sums; }
#else
INLINE integers sums_from(int32_t first) { (void)first; return _mm256_setzero_si256(); }
INLINE integers grown(integers sums, integers weights, integers activations) {
    return _mm256_add_epi16(sums, _mm256_maddubs_epi16(weights, activations));
}
INLINE integers finished(integers sums, int32_t first) {
    return _mm256_add_epi32(_mm256_madd_epi16(sums, _mm256_set1_epi16(1)), all_integers(first));
}
#endif

enum { STRIDE = LANES * 4, PANEL = 2 * LANES, CHUNK_BYTES = CHUNK * BLOCK * PANEL / 2 };

/* The greatest of eight numbers. */
INLINE float greatest(__m256 v) {
    __m128 four = _mm_max_ps(_mm256_castps256_ps128(v), _mm256_extractf128_ps(v, 1));
    four = _mm_max_ps(four, _mm_movehl_ps(four, four));
    return _mm_cvtss_f32(_mm_max_ss(four, _mm_movehdup_ps(four)));
}

/* The sum of eight numbers. */
INLINE int32_t total(__m256i v) {
    __m128i four = _mm_add_epi32(_mm256_castsi256_si128(v), _mm256_extracti128_si256(v, 1));
    four = _mm_add_epi32(four, _mm_shuffle_epi32(four, 0x4e));
    return _mm_cvtsi128_si32(_mm_add_epi32(four, _mm_shuffle_epi32(four, 0xb1)));
}

#endif
