// The look-up of a key in the index of a mapped store; docs/formats/mapped.md has the format. In C, since only here the instruction for checksums is
// inlined.
#include "CCairn.h"
#include "crc32c.h"

#if defined(__SANITIZE_THREAD__)
#define IS_WATCHED 1
#elif defined(__has_feature)
#if __has_feature(thread_sanitizer)
#define IS_WATCHED 1
#endif
#endif

#define INLINED __attribute__((always_inline)) static inline

typedef uint32_t (*checksum)(uint32_t state, const unsigned char *next, size_t count);

enum { header_size = 12, records_start = 4096, is_table = 16, expires = 2 };

// Compares as many bytes in whole words, the last of which overlaps the one before.
INLINED int are_equal(const unsigned char *one, const unsigned char *other, size_t count) {
    if (__builtin_expect(count < 8, 0)) return memcmp(one, other, count) == 0;
#pragma clang loop unroll(disable)
    for (size_t offset = 0; offset < count - 8; offset += 8) {
        if (cairn_word(one + offset) != cairn_word(other + offset)) return 0;
    }
    return cairn_word(one + count - 8) == cairn_word(other + count - 8);
}

// The bytes of a value of at most 8, read no further than they reach: others may be writing what follows.
INLINED uint64_t short_value(const unsigned char *value, size_t count) {
    if (count == 8) return cairn_word(value);
    if (count >= 4) return cairn_half_word(value) | (uint64_t)cairn_half_word(value + count - 4) << (8 * (count - 4));
    if (count == 0) return 0;
    return value[0] | (uint64_t)value[count / 2] << (8 * (count / 2)) | (uint64_t)value[count - 1] << (8 * (count - 1));
}

// Whether the search for `hash` ends with this slot: it is free, or has the same bits.
INLINED unsigned ends(uint64_t slot, uint64_t hash) { return (unsigned)(slot == 0) | (unsigned)((slot ^ hash) >> 40 == 0); }
INLINED uint64_t slot_at(const uint64_t *slots, uint64_t position) { return __atomic_load_n(slots + position, __ATOMIC_ACQUIRE); }

// Which of four slots end the search, as bits.
typedef unsigned (*examination)(const uint64_t *four, uint64_t hash);

INLINED unsigned one_by_one(const uint64_t *four, uint64_t hash) {
    return ends(slot_at(four, 0), hash) | ends(slot_at(four, 1), hash) << 1 | ends(slot_at(four, 2), hash) << 2 | ends(slot_at(four, 3), hash) << 3;
}

// The slot with which the search ends. Where that is cannot be predicted, and a wrong guess waits for the slot: so four are examined at once, without
// a branch between them.
INLINED uint64_t last_slot(const uint64_t *slots, uint64_t count, uint64_t hash, examination examine) {
    uint64_t position = (hash & 0xffffffff) * count >> 32;
    while (__builtin_expect(position + 4 <= count, 1)) {
        const unsigned found = examine(slots + position, hash);
        if (__builtin_expect(found != 0, 1)) return slot_at(slots, position + (unsigned)__builtin_ctz(found));
        position += 4;
    }
    for (uint64_t left = count; left > 0; left--) {
        position = position < count ? position : 0;
        uint64_t slot = slot_at(slots, position++);
        if (ends(slot, hash)) return slot;
    }
    return 0;
}

static const cairn_found unknown = {0, CAIRN_UNKNOWN}, missing = {0, CAIRN_MISSING};

// Whether this is the index of the store.
INLINED int is_current(const cairn_index *index) {
    return __atomic_load_n(index->state, __ATOMIC_ACQUIRE) == 0 && __atomic_load_n(index->table, __ATOMIC_ACQUIRE) == index->table_offset;
}

// What the slot with which the search for a key ended leads to.
INLINED cairn_found found_at(
    uint64_t slot, const cairn_index *index, const unsigned char *key, size_t key_count, uint64_t hash, checksum continued) {
    const unsigned char *base = index->base;
    const uint64_t reach = __atomic_load_n(&index->reach, __ATOMIC_RELAXED), seed = index->seed;
    if (slot == 0) return missing;
    uint64_t offset = (slot & 0xffffffffff) * 4;
    if ((slot ^ hash) >> 40 != 0 || offset < records_start || offset + header_size > reach) return unknown;
    const unsigned char *record = base + offset;
    uint64_t head = cairn_word(record + 4), value_count = head & 0xffffffff, key_offset = header_size + (head >> 48 & expires) * 4;
    uint64_t size = key_offset + key_count + value_count;
    if ((head >> 32 & 0xffff) != key_count || head >> 48 & is_table || offset + size + 3 > reach) return unknown;
    if (!are_equal(record + key_offset, key, key_count)) return unknown;
    if (~continued(~((uint32_t)seed ^ (uint32_t)offset), record + 4, size - 4) != cairn_half_word(record)) return unknown;
    const unsigned char *value = record + key_offset + key_count;
    return (cairn_found){value_count <= 8 && key_offset == header_size ? short_value(value, value_count) : (uintptr_t)value, head};
}

INLINED cairn_found look_up(const cairn_index *index, const unsigned char *key, size_t key_count, examination examine, checksum continued) {
    if (!is_current(index)) return unknown;
    uint64_t hash = cairn_hash(key, key_count, index->seed);
    return found_at(last_slot(index->slots, index->slot_count, hash, examine), index, key, key_count, hash, continued);
}

#if defined(__x86_64__) && !defined(IS_WATCHED)
// Loads of two slots are not one atomic load, but each of them is complete. What was found is loaded again.
CRC32C_TARGET __attribute__((always_inline)) static inline unsigned at_once(const uint64_t *four, uint64_t hash) {
    const __m128i free = _mm_setzero_si128(), wanted = _mm_set1_epi64x((int64_t)hash);
    const __m128i low = _mm_loadu_si128((const __m128i *)four), high = _mm_loadu_si128((const __m128i *)(four + 2));
    const __m128i low_found = _mm_or_si128(
        _mm_cmpeq_epi64(_mm_srli_epi64(_mm_xor_si128(low, wanted), 40), free), _mm_cmpeq_epi64(low, free));
    const __m128i high_found = _mm_or_si128(
        _mm_cmpeq_epi64(_mm_srli_epi64(_mm_xor_si128(high, wanted), 40), free), _mm_cmpeq_epi64(high, free));
    return (unsigned)_mm_movemask_ps(_mm_shuffle_ps(_mm_castsi128_ps(low_found), _mm_castsi128_ps(high_found), _MM_SHUFFLE(2, 0, 2, 0)));
}
#else
#define at_once one_by_one
#endif

#if defined(CRC32C_TARGET)
CRC32C_TARGET cairn_found cairn_look_up_fast(const cairn_index *index, const void *key, size_t key_count) {
    return look_up(index, key, key_count, at_once, crc32c_continued);
}
CRC32C_TARGET static cairn_found end_fast(const cairn_index *index, const void *key, size_t key_count, uint64_t hash, uint64_t slot) {
    return found_at(slot, index, key, key_count, hash, crc32c_continued);
}
#else
cairn_found cairn_look_up_fast(const cairn_index *index, const void *key, size_t key_count) {
    return cairn_look_up_slow(index, key, key_count);
}
#define end_fast end_slow
#endif

int cairn_looks_up_any(const cairn_index *index) { return is_current(index); }

uint64_t cairn_look_up_begin(const cairn_index *index, const void *key, size_t key_count) {
    uint64_t hash = cairn_hash(key, key_count, index->seed);
    __builtin_prefetch(index->slots + ((hash & 0xffffffff) * index->slot_count >> 32));
    return hash;
}

uint64_t cairn_look_up_slot(const cairn_index *index, uint64_t hash) {
    uint64_t slot = last_slot(index->slots, index->slot_count, hash, one_by_one);
    const unsigned char *record = index->base + (slot & 0xffffffffff) * 4;
    // Many records reach into a second line.
    __builtin_prefetch(record);
    __builtin_prefetch(record + 64);
    return slot;
}

int cairn_looks_up_fast;
__attribute__((constructor)) static void prepare(void) { cairn_looks_up_fast = cairn_crc32c_has_hardware(); }

static uint32_t in_software(uint32_t state, const unsigned char *next, size_t count) { return ~cairn_crc32c_software(~state, next, count); }

cairn_found cairn_look_up_slow(const cairn_index *index, const void *key, size_t key_count) {
    return look_up(index, key, key_count, one_by_one, in_software);
}

static cairn_found end_slow(const cairn_index *index, const void *key, size_t key_count, uint64_t hash, uint64_t slot) {
    return found_at(slot, index, key, key_count, hash, in_software);
}
cairn_found cairn_look_up_end(const cairn_index *index, const void *key, size_t key_count, uint64_t hash, uint64_t slot) {
    return (cairn_looks_up_fast ? end_fast : end_slow)(index, key, key_count, hash, slot);
}
