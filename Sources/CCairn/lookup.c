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

enum { header_size = 12, removed = 1, expires = 2, of_transactions = 8 | 32 };

// Compares as many bytes in whole words, the last of which overlaps the one before.
INLINED int are_equal(const unsigned char *one, const unsigned char *other, size_t count) {
    if (__builtin_expect(count < 8, 0)) return memcmp(one, other, count) == 0;
    uint64_t differs = (cairn_word(one) ^ cairn_word(other)) | (cairn_word(one + count - 8) ^ cairn_word(other + count - 8));
#pragma clang loop unroll(disable) vectorize(disable)
    for (size_t offset = 8; offset + 8 < count; offset += 8) differs |= cairn_word(one + offset) ^ cairn_word(other + offset);
    return differs == 0;
}

// The bytes of a value of at most 8, which ends here: the 8 before, without those of what is before it in the record.
INLINED uint64_t short_value(const unsigned char *end, uint64_t count) {
    const unsigned shift = 4 * (8 - (unsigned)count);
    return cairn_word(end - 8) >> shift >> shift;
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
    return index && __atomic_load_n(index->words, __ATOMIC_ACQUIRE) == 0 && __atomic_load_n(index->words + 1, __ATOMIC_ACQUIRE) == index->table_offset;
}

// There is no record, unless a page was lost: it is full of free slots.
static cairn_found missed(const cairn_index *index) { return index->lost && __atomic_load_n(index->lost, __ATOMIC_RELAXED) ? unknown : missing; }

INLINED int is_intact(const cairn_index *index, const unsigned char *record, size_t size, checksum continued) {
    const uint32_t start = (uint32_t)index->seed ^ (uint32_t)(record - index->base);
    return ~continued(~start, record + 4, size - 4) == cairn_half_word(record);
}

// What the slot with which the search for a key ended leads to. Whether the slot has the bits of the hash need not be asked again: the key decides.
INLINED cairn_found found_at(uint64_t slot, const cairn_index *index, const unsigned char *key, size_t key_count, checksum continued) {
    if (slot == 0) return missed(index);
    const uint64_t offset = (slot & 0xffffffffff) * 4, reach = __atomic_load_n(&index->reach, __ATOMIC_RELAXED);
    if (offset + header_size > reach) return unknown;
    const unsigned char *record = index->base + offset;
    const uint64_t head = cairn_word(record + 4), value_count = head & 0xffffffff, flags = head >> 48 & 0xff;
    const uint64_t key_offset = header_size + (flags & expires) * 4, size = key_offset + key_count + value_count;
    if ((head >> 32 & 0xffff) != key_count || flags & ~(uint64_t)(removed | expires | of_transactions)) return unknown;
    if (offset + size + 3 > reach || !are_equal(record + key_offset, key, key_count)) return unknown;
    if (!is_intact(index, record, size, continued)) return unknown;
    if (flags & removed) return missing;
    return (cairn_found){value_count <= 8 && !(flags & expires) ? short_value(record + size, value_count) : (uintptr_t)record + size - value_count, head};
}

// The reader leaves, unless it is lent the value.
INLINED cairn_found left(cairn_found found, void *lines, uint32_t line) {
    if (!cairn_is_lent(found)) cairn_gate_leave(lines, line, 1);
    return found;
}

INLINED cairn_found look_up(
    const unsigned char *key, size_t key_count, const cairn_index *index, void *lines, uint32_t line, examination examine, checksum continued) {
    if (!is_current(index)) return left(unknown, lines, line);
    const uint64_t hash = cairn_hash(key, key_count, index->seed);
    return left(found_at(last_slot(index->slots, index->slot_count, hash, examine), index, key, key_count, continued), lines, line);
}

#if defined(__x86_64__) && !defined(IS_WATCHED)
// Loads of two slots are not one atomic load, but each of them is complete. What was found is loaded again. A slot counts as free if half of it is 0:
// seldom, that of a record behind 16 GiB is taken for free, and the long way finds out.
CRC32C_TARGET __attribute__((always_inline)) static inline unsigned at_once(const uint64_t *four, uint64_t hash) {
    const __m128 one = _mm_castsi128_ps(_mm_loadu_si128((const __m128i *)four)), two = _mm_castsi128_ps(_mm_loadu_si128((const __m128i *)(four + 2)));
    const __m128i low = _mm_castps_si128(_mm_shuffle_ps(one, two, _MM_SHUFFLE(2, 0, 2, 0)));
    const __m128i high = _mm_castps_si128(_mm_shuffle_ps(one, two, _MM_SHUFFLE(3, 1, 3, 1)));
    const __m128i differs = _mm_srli_epi32(_mm_xor_si128(high, _mm_set1_epi32((int32_t)(hash >> 32))), 8), none = _mm_setzero_si128();
    return (unsigned)_mm_movemask_ps(_mm_castsi128_ps(_mm_or_si128(_mm_cmpeq_epi32(differs, none), _mm_cmpeq_epi32(low, none))));
}
#else
#define at_once one_by_one
#endif

#if defined(CRC32C_TARGET)
CRC32C_TARGET __attribute__((noinline)) static cairn_found look_up_unusual(
    const void *key, size_t key_count, const cairn_index *index, void *lines, uint32_t line) {
    return look_up(key, key_count, index, lines, line, at_once, crc32c_continued);
}

// Does what `look_up` does, and nothing but that, for keys of one or two words and records that neither expire nor say that the key was removed. The
// less code, the more the processor overlaps the cache misses of one look-up with those of the next.
CRC32C_TARGET cairn_found cairn_look_up_fast(const void *key, size_t key_count, const cairn_index *index, void *lines, uint32_t line) {
    if (key_count - 8 > 8 || !is_current(index)) return look_up_unusual(key, key_count, index, lines, line);
    const uint64_t low = cairn_word(key), high = cairn_last_word(key, key_count, low);
    const uint64_t slot = last_slot(index->slots, index->slot_count, cairn_hash_words(low, high, key_count, index->seed), at_once);
    const uint64_t offset = (slot & 0xffffffffff) * 4, reach = __atomic_load_n(&index->reach, __ATOMIC_RELAXED);
    if (slot == 0) return left(missed(index), lines, line);
    if (offset + header_size > reach) return look_up_unusual(key, key_count, index, lines, line);
    const unsigned char *const record = index->base + offset, *const place = record + header_size;
    const uint64_t head = cairn_word(record + 4), value_count = head & 0xffffffff, size = header_size + key_count + value_count;
    const uint64_t usual = 0xffff | (0xff & ~(uint64_t)of_transactions) << 16;
    if ((head >> 32 & usual) != key_count || offset + size + 3 > reach || cairn_word(place) != low
        || cairn_word(place + key_count - 8) != high || !is_intact(index, record, size, crc32c_continued))
        return look_up_unusual(key, key_count, index, lines, line);
    if (value_count > 8) return (cairn_found){(uintptr_t)place + key_count, head};
    // Loaded before the gate is left: afterwards the mapping may be gone.
    const cairn_found found = {short_value(record + size, value_count), head};
    cairn_gate_leave(lines, line, 1);
    return found;
}
CRC32C_TARGET static cairn_found end_fast(const cairn_index *index, const void *key, size_t key_count, uint64_t slot) {
    return found_at(slot, index, key, key_count, crc32c_continued);
}
#else
cairn_found cairn_look_up_fast(const void *key, size_t key_count, const cairn_index *index, void *lines, uint32_t line) {
    return cairn_look_up_slow(key, key_count, index, lines, line);
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

cairn_found cairn_look_up_slow(const void *key, size_t key_count, const cairn_index *index, void *lines, uint32_t line) {
    return look_up(key, key_count, index, lines, line, one_by_one, in_software);
}

static cairn_found end_slow(const cairn_index *index, const void *key, size_t key_count, uint64_t slot) {
    return found_at(slot, index, key, key_count, in_software);
}
cairn_found cairn_look_up_end(const cairn_index *index, const void *key, size_t key_count, uint64_t slot) {
    return (cairn_looks_up_fast ? end_fast : end_slow)(index, key, key_count, slot);
}
