#pragma once

// Valgrind's requests are macros around inline assembly, which Swift does not import. They do nothing outside of valgrind. Only
// counting instructions needs the header, so the program is built without it as well, and then says that it cannot count.
#if __has_include(<valgrind/callgrind.h>)
#include <valgrind/callgrind.h>

static inline int cvalgrind_counts(void) { return RUNNING_ON_VALGRIND != 0; }

static inline void cvalgrind_begin(void) {
    CALLGRIND_START_INSTRUMENTATION;
    CALLGRIND_ZERO_STATS;
}

static inline void cvalgrind_end(const char *name) {
    CALLGRIND_DUMP_STATS_AT(name);
    CALLGRIND_STOP_INSTRUMENTATION;
}
#else
static inline int cvalgrind_counts(void) { return 0; }
static inline void cvalgrind_begin(void) {}
static inline void cvalgrind_end(const char *name) { (void)name; }
#endif
