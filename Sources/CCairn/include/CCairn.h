// Small C helpers for CairnCore. Every symbol starts with `cairn_`; only <stddef.h> and <stdint.h> are included.
// Nothing here keeps a pointer after it returns, and every function may be called from any thread.
#ifndef CCAIRN_H
#define CCAIRN_H

#include <stddef.h>
#include <stdint.h>

// CRC32C: continues `checksum` (0 to begin) over `count` bytes. `bytes` may be NULL when `count` is 0.

// With the processor's instruction where it has one, else with tables.
uint32_t cairn_crc32c(uint32_t checksum, const void *bytes, size_t count);
// With tables, on any processor.
uint32_t cairn_crc32c_software(uint32_t checksum, const void *bytes, size_t count);
// 1 where this processor has CRC32C instructions, else 0.
int cairn_crc32c_has_hardware(void);

// Mapped stores: the hash of keys, and the look-up of one.

static inline uint64_t cairn_mix(uint64_t a, uint64_t b) {
    unsigned __int128 product = (unsigned __int128)a * b;
    return (uint64_t)(product >> 64) ^ (uint64_t)product;
}
static inline uint64_t cairn_word(const unsigned char *bytes) {
    uint64_t word;
    __builtin_memcpy(&word, bytes, sizeof word);
    return word;
}
static inline uint32_t cairn_half_word(const unsigned char *bytes) {
    uint32_t word;
    __builtin_memcpy(&word, bytes, sizeof word);
    return word;
}

// The last 8 of 8 to 16 bytes, of which `low` are the first 8. A short key was often just stored, as two words: a load that overlaps both would wait
// until the processor is done with all that came before, so none does.
static inline uint64_t cairn_last_word(const unsigned char *bytes, size_t count, uint64_t low) {
    const size_t rest = count - 8, shift = 8 * rest;
    uint64_t high;
    if (rest == 0) return low;
    if (rest == 8) return cairn_word(bytes + 8);
    if (rest >= 4) {
        high = cairn_half_word(bytes + 8) | (uint64_t)cairn_half_word(bytes + count - 4) << (shift - 32);
    } else {
        high = bytes[8] | (uint64_t)bytes[8 + rest / 2] << (8 * (rest / 2)) | (uint64_t)bytes[count - 1] << (shift - 8);
    }
    return low >> shift | high << (64 - shift);
}

static const uint64_t cairn_hash_first = 0xa0761d6478bd642f, cairn_hash_second = 0xe7037ed1a0b428db;
// The hash of a key of at most 16 bytes, given in two words.
static inline uint64_t cairn_hash_words(uint64_t low, uint64_t high, size_t count, uint64_t seed) {
    return cairn_mix(cairn_mix(low ^ cairn_hash_second, high ^ seed ^ cairn_hash_first), cairn_hash_first ^ count);
}

// 64 bits, fast for short keys, seeded by the file, so that no one can choose keys that collide in all of them. `key` may be NULL when `count` is 0.
static inline uint64_t cairn_hash(const void *key, size_t count, uint64_t seed) {
    const unsigned char *next = (const unsigned char *)key;
    uint64_t low = 0, high = 0;
    size_t rest = count;
    if (!key) return cairn_mix(seed ^ cairn_hash_first, cairn_hash_second);
#pragma clang loop unroll(disable)
    for (; rest > 16; next += 16, rest -= 16) {
        const uint64_t state = seed ^ cairn_hash_first;
        seed = cairn_mix(cairn_word(next) ^ cairn_hash_second, cairn_word(next + 8) ^ state) ^ cairn_hash_first;
    }
    if (rest >= 8) {
        low = cairn_word(next);
        high = cairn_last_word(next, rest, low);
    } else if (rest >= 4) {
        low = cairn_half_word(next);
        high = cairn_half_word(next + rest - 4);
    } else if (rest > 0) {
        low = next[0] | (uint64_t)next[rest / 2] << 8;
        high = next[rest - 1];
    }
    return cairn_hash_words(low, high, count, seed);
}

// What a look-up needs to know of a store that is not encrypted.
typedef struct {
    // Where the file is mapped, and up to which offset it may be read: read and written atomically.
    const unsigned char *base;
    uint64_t reach;
    const uint64_t *slots;
    uint64_t slot_count;
    uint64_t seed;
    // Two words of the header, that must be 0 and `table_offset`.
    const uint64_t *words;
    uint64_t table_offset;
    // What `cairn_guard` sets when a page was lost, or NULL.
    const uint32_t *lost;
} cairn_index;

typedef struct {
    // The value, if it has at most 8 bytes and no deadline, in the lowest bytes; otherwise where it is, and it is lent.
    uint64_t value;
    // What the record has behind its checksum: length of the value (32 bits), length of the key (16), flags (8), type (8). Or one of the two below,
    // which are no heads of records.
    uint64_t head;
} cairn_found;

// There is no record of the key, or one that says that it was removed, for certain.
static const uint64_t CAIRN_MISSING = UINT64_MAX;
// Others have to find out: the index is not the store's any more, or the slot with these bits of the hash does not lead to an intact record of the key.
static const uint64_t CAIRN_UNKNOWN = UINT64_MAX - 1;

static inline int cairn_is_lent(cairn_found found) {
    return found.head < CAIRN_UNKNOWN && ((found.head & 0xffffffff) > 8 || found.head >> 48 & 2);
}

// Looks up a key while others may be changing slots and writing records: with the processor's instruction for checksums, or without. Leaves the gate
// that the caller entered, see below, unless the value is lent. Without an index nothing is known.
cairn_found cairn_look_up_fast(const void *key, size_t key_count, const cairn_index *index, void *lines, uint32_t line);
cairn_found cairn_look_up_slow(const void *key, size_t key_count, const cairn_index *index, void *lines, uint32_t line);
// Whether the processor has the instruction; 0 until the program is loaded.
extern int cairn_looks_up_fast;
static inline cairn_found cairn_look_up(const void *key, size_t key_count, const cairn_index *index, void *lines, uint32_t line) {
    if (__builtin_expect(cairn_looks_up_fast, 1)) return cairn_look_up_fast(key, key_count, index, lines, line);
    return cairn_look_up_slow(key, key_count, index, lines, line);
}

// The same for many keys at once. Each step is made for all of them before the next one, so that the memory that it reads is on its way for all.
// Whether the index is the store's: otherwise, nothing is known of any key.
int cairn_looks_up_any(const cairn_index *index);
// Returns the hash.
uint64_t cairn_look_up_begin(const cairn_index *index, const void *key, size_t key_count);
// Returns the slot with which the search for the hash ends.
uint64_t cairn_look_up_slot(const cairn_index *index, uint64_t hash);
cairn_found cairn_look_up_end(const cairn_index *index, const void *key, size_t key_count, uint64_t slot);

// Files: what Swift cannot call (variadic functions, macros) or what differs between C libraries.

// Whether `part` occurs in `bytes`; the empty part always does.
int cairn_contains(const void *bytes, size_t count, const void *part, size_t part_count);

// Writes the system's words for `error` to `text`, ended by a zero byte.
void cairn_error_text(int error, char *text, size_t capacity);

// Locks `count` bytes of the file, 0 meaning all from `start` on, without or with waiting; returns 0, or -1 with `errno` (EAGAIN if there is
// a conflicting lock). Linux: open file description locks. Elsewhere: flock, which always locks the whole file.
int cairn_lock(int descriptor, int exclusive, int waits, int64_t start, int64_t count);
int cairn_unlock(int descriptor);

// Memory: fetches the line that holds `address` into the cache, without waiting for it. Any address will do; none is read.
static inline void cairn_prefetch(const void *address) { __builtin_prefetch(address); }

// Memory shared between processes: locks, waiting, and what happens when the file under a mapping is cut.

// The room that a lock takes, at an address divisible by 16.
#define CAIRN_SHARED_LOCK_SIZE 128

// Makes a free lock of the memory at `lock`. No one may be using it. Returns 0, or an error number: ENOTSUP where the system has no locks
// that survive the death of their owner.
int cairn_shared_lock_init(void *lock);
// Whether the lock was made in another PID namespace. It must not be taken then: it names its owner by thread id.
int cairn_shared_lock_is_foreign(const void *lock);
// Takes the lock: 0, or an error number: EDEADLK if this thread holds it, ETIMEDOUT if others held it for so many nanoseconds. If the owner died
// meanwhile, that is not an error: what it was doing is for the caller to find out. ESTALE where there is no lock in the memory: its file was cut.
// ESRCH where the lock is held by a thread that does not exist, and for some seconds did not: it is damaged, or was not made in this boot.
int cairn_shared_lock(void *lock, uint64_t nanoseconds);
// The same without waiting: EBUSY where another thread or process holds it.
int cairn_shared_trylock(void *lock);
// 0, or ESTALE where the file was cut while the lock was held: the memory must then stay mapped for as long as this thread lives.
int cairn_shared_unlock(void *lock);

// Waits until `cairn_wake_all` is called for `word`, in any process, or `nanoseconds` have passed; returns at once unless it holds `expected`.
// May return early.
void cairn_wait(uint32_t *word, uint32_t expected, uint64_t nanoseconds);
void cairn_wake_all(uint32_t *word);

// Makes the pages of a writable mapping ready at once. Returns 0, or -1 with `errno`: EINVAL where the system cannot.
int cairn_populate(void *start, size_t length);

// Survives what kills other programs: touching a page of a mapping that lies beyond the end of its file, or that the disk cannot give
// (SIGBUS). Such a page becomes private memory full of zeros, and `*lost` becomes 1. Faults elsewhere go where they went before.
// Returns a token for `cairn_unguard`, or -1 where too many mappings are guarded.
int cairn_guard(const void *start, size_t length, uint32_t *lost);
void cairn_unguard(int token);
// Whether no page was lost, as of what was read before; `lost` is NULL for a mapping that is not guarded. Inline, and without a reference to what owns the
// mapping: locked instructions between two look-ups would keep the processor from overlapping their cache misses.
static inline _Bool cairn_is_whole(const uint32_t *lost) {
    if (!lost) return 1;
    __atomic_thread_fence(__ATOMIC_ACQUIRE);
    return __atomic_load_n(lost, __ATOMIC_RELAXED) == 0;
}

// Runs `body` with `context` on a separate thread, which nobody waits for. Returns 0, or an error number.
int cairn_start_thread(void (*body)(void *context), void *context);

// An identifier of this thread, different from those of all other living threads; never 0.
uintptr_t cairn_thread_id(void);
// How often this process is the child of a fork, since its oldest ancestor was loaded.
uint32_t cairn_fork_count(void);
// Has the memory be full of zeros in every child that is forked, before `fork` returns there: for what counts threads, of which a child has
// none of its parent's. Until `cairn_keep_on_fork`, before the memory is given back.
void cairn_zero_on_fork(void *memory, size_t size);
void cairn_keep_on_fork(void *memory);
// Identifies this boot of the machine: 16 bytes, or zeros if unknown.
void cairn_boot_id(unsigned char bytes[16]);

// Gates: lines of memory on which threads count themselves, one thread on each if they are not too many. A thread that waits until a line was
// seen at 0 knows that all who were there before have left.
//
// A thread that has a line for itself needs no locked instruction: it is the one who looks at the lines that makes all threads of the
// process run through a barrier, with `cairn_gate_fence`. Where the system has no such call, and for threads that share a line, counting is
// locked.

#define CAIRN_GATE_LINES 64u
#define CAIRN_GATE_STRIDE 128u
#define CAIRN_GATE_OWN 1u
#define CAIRN_GATE_SHARED 2u

// The offset of this thread's line, plus one of the two above; 0 as long as the thread has none.
extern _Thread_local uint32_t cairn_slot_of_thread;
static inline uint32_t cairn_slot_of_this_thread(void) { return cairn_slot_of_thread; }
// Gives this thread a line, which it gives back when it ends.
uint32_t cairn_take_slot(void);

// Adds `amount` to this thread's line of `lines`, which is at `slot`. What the thread loads then, it loads after it was counted.
static inline void cairn_gate_enter_at(void *lines, uint32_t slot, int64_t amount) {
    int64_t *line = (int64_t *)((char *)lines + (slot & ~(CAIRN_GATE_STRIDE - 1)));
    if (__builtin_expect((slot & CAIRN_GATE_OWN) != 0, 1)) {
        __atomic_store_n(line, __atomic_load_n(line, __ATOMIC_RELAXED) + amount, __ATOMIC_RELAXED);
        __atomic_signal_fence(__ATOMIC_SEQ_CST);
    } else {
        __atomic_fetch_add(line, amount, __ATOMIC_SEQ_CST);
    }
}

// The same for a thread that may have no line yet; returns what `cairn_gate_leave` wants to know.
static inline uint32_t cairn_gate_enter(void *lines, int64_t amount) {
    uint32_t slot = cairn_slot_of_thread;
    if (__builtin_expect(slot == 0, 0)) slot = cairn_take_slot();
    cairn_gate_enter_at(lines, slot, amount);
    return slot;
}

// Takes `amount` off again, on the same thread.
static inline void cairn_gate_leave(void *lines, uint32_t slot, int64_t amount) {
    int64_t *line = (int64_t *)((char *)lines + (slot & ~(CAIRN_GATE_STRIDE - 1)));
    if (__builtin_expect((slot & CAIRN_GATE_OWN) != 0, 1)) {
        __atomic_store_n(line, __atomic_load_n(line, __ATOMIC_RELAXED) - amount, __ATOMIC_RELEASE);
    } else {
        __atomic_fetch_sub(line, amount, __ATOMIC_RELEASE);
    }
}

// What the threads of a line have counted, as of the last `cairn_gate_fence` at least.
static inline int64_t cairn_gate_count(void *lines, uint32_t number) {
    return __atomic_load_n((int64_t *)((char *)lines + number * CAIRN_GATE_STRIDE), __ATOMIC_SEQ_CST);
}

// Between what was stored before and looking at the lines. Returns 0, or -1 where the system refuses now what it allowed once: nothing is
// known of the lines then.
int cairn_gate_fence(void);

#endif
