// CRC32C with the processor's instruction, inlined into what calls it: functions marked with CRC32C_TARGET, on processors that have it.
#ifndef CRC32C_H
#define CRC32C_H

#include <stddef.h>
#include <stdint.h>
#include <string.h>

static inline uint64_t load_little_endian(const unsigned char *bytes) {
    uint64_t word;
    memcpy(&word, bytes, sizeof word);
#if __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
    word = __builtin_bswap64(word);
#endif
    return word;
}

#if defined(__x86_64__)

#include <nmmintrin.h>

#define CRC32C_TARGET __attribute__((target("sse4.2")))

// Continues the state.
CRC32C_TARGET __attribute__((always_inline)) static inline uint32_t crc32c_continued(uint32_t state, const unsigned char *next, size_t count) {
    uint64_t wide = state;
    const unsigned char *const last = next + (count & ~(size_t)7);
#pragma clang loop unroll(disable)
    for (; next != last; next += 8) wide = _mm_crc32_u64(wide, load_little_endian(next));
    state = (uint32_t)wide;
    if (count & 4) {
        uint32_t word;
        memcpy(&word, next, sizeof word);
        state = _mm_crc32_u32(state, word);
        next += 4;
    }
    if (count & 2) {
        uint16_t word;
        memcpy(&word, next, sizeof word);
        state = _mm_crc32_u16(state, word);
        next += 2;
    }
    return count & 1 ? _mm_crc32_u8(state, *next) : state;
}

#elif defined(__aarch64__)

#define CRC32C_TARGET __attribute__((target("crc")))

CRC32C_TARGET __attribute__((always_inline)) static inline uint32_t crc32c_continued(uint32_t state, const unsigned char *next, size_t count) {
#pragma clang loop unroll(disable)
    for (; count >= 8; next += 8, count -= 8) state = __builtin_arm_crc32cd(state, load_little_endian(next));
#pragma clang loop unroll(disable)
    for (; count > 0; next++, count--) state = __builtin_arm_crc32cb(state, *next);
    return state;
}

#endif
#endif
