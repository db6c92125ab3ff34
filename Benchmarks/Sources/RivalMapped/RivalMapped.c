#if defined(__linux__)
#define _GNU_SOURCE
#endif
#include "RivalMapped.h"

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#if defined(__x86_64__)
#include <nmmintrin.h>
#define CRC_TARGET __attribute__((target("sse4.2")))
#define CRC_64(sum, word) ((uint32_t)_mm_crc32_u64(sum, word))
#define CRC_8(sum, byte) _mm_crc32_u8(sum, byte)
#elif defined(__aarch64__)
#define CRC_TARGET __attribute__((target("crc")))
#define CRC_64(sum, word) __builtin_arm_crc32cd(sum, word)
#define CRC_8(sum, byte) __builtin_arm_crc32cb(sum, byte)
#endif

enum { key_size = 12, page_size = 4096, step = 1 << 20, least_waste = 256 << 10 };
static const size_t window = (size_t)8 << 30;

typedef struct {
    uint64_t seed;
    _Atomic uint64_t index, slots; // Where the table is, and how many slots it has.
    _Alignas(64) _Atomic uint64_t end, pending, count, live, used, sequence, index_sum, check;
    uint64_t capacity;
    _Alignas(64) pthread_mutex_t lock;
} header;

typedef struct {
    uint32_t checksum, value_size;
    uint16_t key_size;
    uint8_t flags, type;
} record;

struct rival_mapped {
    char *path;
    int file;
    char *base;
    size_t least_waste;
};

static header *head(rival_mapped *store) { return (header *)store->base; }
static record *record_at(rival_mapped *store, uint64_t offset) { return (record *)(store->base + offset); }
static _Atomic uint64_t *slots(rival_mapped *store) { return (_Atomic uint64_t *)(store->base + head(store)->index); }
static uint64_t load(_Atomic uint64_t *word) { return atomic_load_explicit(word, memory_order_acquire); }
static void store_word(_Atomic uint64_t *word, uint64_t value) { atomic_store_explicit(word, value, memory_order_release); }
static size_t aligned(size_t size) { return (size + 3) & ~(size_t)3; }
static uint64_t offset_of(uint64_t slot) { return (slot & 0xffffffffff) * 4; }

static uint64_t word_at(const void *bytes) {
    uint64_t word;
    memcpy(&word, bytes, sizeof word);
    return word;
}

static uint64_t mix(uint64_t a, uint64_t b) {
    unsigned __int128 product = (unsigned __int128)a * b;
    return (uint64_t)product ^ (uint64_t)(product >> 64);
}

// Keys have 12 bytes.
static uint64_t hash(const uint8_t *key, uint64_t seed) {
    uint64_t low = word_at(key), high = word_at(key + key_size - 8);
    return mix(mix(low ^ 0xe7037ed1a0b428db, high ^ seed ^ 0xa0761d6478bd642f), 0xa0761d6478bd642f ^ key_size);
}

CRC_TARGET static uint32_t crc32c(uint32_t sum, const char *bytes, size_t size) {
    sum = ~sum;
    for (; size >= 8; bytes += 8, size -= 8) sum = CRC_64(sum, word_at(bytes));
    for (; size > 0; bytes++, size--) sum = CRC_8(sum, (uint8_t)*bytes);
    return ~sum;
}

static uint32_t checksum(rival_mapped *store, uint64_t offset) {
    record *found = record_at(store, offset);
    size_t size = sizeof *found + found->key_size + found->value_size;
    return crc32c((uint32_t)head(store)->seed ^ (uint32_t)offset, store->base + offset + 4, size - 4);
}

static uint64_t sum_of_slot(uint64_t slot, uint64_t position) {
    uint64_t mixed = (slot ^ position * 0x9e3779b97f4a7c15) * 0xd6e8feb86659fd93;
    return slot ? mixed ^ mixed >> 32 : 0;
}

static uint64_t sum_of_totals(header *header, uint64_t end) {
    uint64_t sum = end * 0x9e3779b97f4a7c15 + header->count * 0xbf58476d1ce4e5b9 + header->live * 0xd6e8feb86659fd93
        + header->used * 0xa0761d6478bd642f + header->sequence * 0xe7037ed1a0b428db + header->index_sum * 0x8ebc6af09c88c6e3;
    return sum ^ sum >> 29;
}

// The offset of the key's record, 0 if there is none; `position` becomes the slot.
static uint64_t find(rival_mapped *store, const uint8_t *key, uint64_t hash, uint64_t *position) {
    uint64_t count = load(&head(store)->slots), end = load(&head(store)->end);
    _Atomic uint64_t *table = slots(store);
    uint64_t place = (hash & 0xffffffff) * count >> 32;
    for (;; place = place + 1 == count ? 0 : place + 1) {
        uint64_t slot = load(&table[place]);
        *position = place;
        if (!slot) return 0;
        if ((slot ^ hash) >> 40) continue;
        uint64_t offset = offset_of(slot);
        if (offset + sizeof(record) + key_size > end) continue;
        record *found = record_at(store, offset);
        if (found->key_size == key_size && memcmp(found + 1, key, key_size) == 0) return offset;
    }
}

// Room for records up to `end`.
static int reserve(rival_mapped *store, uint64_t end) {
    header *header = head(store);
    if (end <= header->capacity) return 0;
    uint64_t capacity = end + step + end / 4;
    if (capacity > window) return ENOSPC;
    int error = posix_fallocate(store->file, 0, (off_t)capacity);
    if (!error) header->capacity = capacity;
    return error;
}

// An empty store with so many slots, in `path`.
static int create(const char *path, uint64_t slot_count, uint64_t seed, rival_mapped *store) {
    store->file = open(path, O_RDWR | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
    if (store->file < 0) return errno;
    if (ftruncate(store->file, page_size) != 0) return errno;
    store->base = mmap(NULL, window, PROT_READ | PROT_WRITE, MAP_SHARED, store->file, 0);
    if (store->base == MAP_FAILED) return errno;
    header *header = head(store);
    header->seed = seed;
    header->index = page_size;
    header->slots = slot_count;
    header->end = page_size + slot_count * 8;
    pthread_mutexattr_t attributes;
    pthread_mutexattr_init(&attributes);
    pthread_mutexattr_settype(&attributes, PTHREAD_MUTEX_ERRORCHECK);
    pthread_mutexattr_setpshared(&attributes, PTHREAD_PROCESS_SHARED);
#if defined(__linux__)
    pthread_mutexattr_setrobust(&attributes, PTHREAD_MUTEX_ROBUST);
#endif
    int error = pthread_mutex_init(&header->lock, &attributes);
    pthread_mutexattr_destroy(&attributes);
    if (!error) error = reserve(store, header->end);
    header->check = sum_of_totals(header, header->end);
    return error;
}

static void leave(rival_mapped *store) {
    munmap(store->base, window);
    close(store->file);
}

static void publish(rival_mapped *store, uint64_t hash, uint64_t position, uint64_t old, uint64_t offset) {
    header *header = head(store);
    uint64_t slot = (hash & ~UINT64_C(0xffffffffff)) | offset / 4;
    record *added = record_at(store, offset), *replaced = record_at(store, old);
    uint64_t live = header->live + aligned(sizeof *added + added->key_size + added->value_size);
    uint64_t before = load(&slots(store)[position]);
    if (old) live -= aligned(sizeof *replaced + replaced->key_size + replaced->value_size);
    store_word(&header->count, header->count + !old);
    store_word(&header->used, header->used + !old);
    store_word(&header->live, live);
    store_word(&header->sequence, header->sequence + 1);
    store_word(&header->index_sum, header->index_sum - sum_of_slot(before, position) + sum_of_slot(slot, position));
    store_word(&slots(store)[position], slot);
    store_word(&header->check, sum_of_totals(header, header->end));
}

// Appends what `from` has under the index, in the order of its records: a bit for each 4 bytes of it.
static int copy_live(rival_mapped *from, rival_mapped *to) {
    uint64_t words = load(&head(from)->end) / 256 + 1;
    uint64_t *bits = calloc(words, sizeof *bits);
    if (!bits) return ENOMEM;
    for (uint64_t i = 0; i < head(from)->slots; i++) {
        uint64_t offset = offset_of(load(&slots(from)[i])) / 4;
        if (offset) bits[offset / 64] |= UINT64_C(1) << offset % 64;
    }
    int error = reserve(to, load(&head(to)->end) + head(from)->live);
    for (uint64_t i = 0; i < words && !error; i++) {
        for (uint64_t rest = bits[i]; rest; rest &= rest - 1) {
            uint64_t offset = (i * 64 + (uint64_t)__builtin_ctzll(rest)) * 4, end = load(&head(to)->end), position;
            record *found = record_at(from, offset);
            size_t size = sizeof *found + found->key_size + found->value_size;
            if (found->checksum != checksum(from, offset)) continue;
            memcpy(to->base + end, found, size);
            record_at(to, end)->checksum = checksum(to, end);
            uint64_t hashed = hash((uint8_t *)(found + 1), head(to)->seed);
            find(to, (uint8_t *)(found + 1), hashed, &position);
            store_word(&head(to)->end, end + aligned(size));
            publish(to, hashed, position, 0, end);
        }
    }
    free(bits);
    return error;
}

static int is_full(rival_mapped *store) { return head(store)->used + head(store)->used / 8 + 8 > head(store)->slots; }

// With the lock: continues in a new file, with the values alone.
static int rewrite(rival_mapped *store) {
    char path[4096];
    snprintf(path, sizeof path, "%s.compact", store->path);
    rival_mapped copy = *store;
    int error = create(path, is_full(store) ? head(store)->count * 3 + 256 : head(store)->count + head(store)->count / 3 + 1, head(store)->seed, &copy);
    if (!error) error = pthread_mutex_lock(&head(&copy)->lock);
    if (!error) error = copy_live(store, &copy);
    if (!error && rename(path, store->path) != 0) error = errno;
    if (error) return error;
    pthread_mutex_unlock(&head(store)->lock);
    leave(store);
    *store = copy;
    return 0;
}

static int is_wasteful(rival_mapped *store, uint64_t end) {
    uint64_t waste = end - page_size - head(store)->live - head(store)->slots * 8;
    return waste > store->least_waste && waste * 2 > end;
}

static int set(rival_mapped *store, const uint8_t *key, const void *value, size_t size) {
    int error = pthread_mutex_lock(&head(store)->lock);
#if defined(__linux__)
    if (error == EOWNERDEAD) error = pthread_mutex_consistent(&head(store)->lock);
#endif
    if (error) return error;
    header *header = head(store);
    uint64_t end = load(&header->end), position, hashed = hash(key, header->seed);
    if (header->check != sum_of_totals(header, end)) error = EIO;
    if (!error && (is_full(store) || is_wasteful(store, end))) {
        error = rewrite(store);
        header = head(store);
        end = load(&header->end);
    }
    size_t total = aligned(sizeof(record) + key_size + size);
    if (!error) error = reserve(store, end + total);
    if (!error) {
        uint64_t old = find(store, key, hashed, &position);
        store_word(&header->pending, end + total);
        record *added = record_at(store, end);
        *added = (record){.value_size = (uint32_t)size, .key_size = key_size, .type = 2};
        memcpy(added + 1, key, key_size);
        memcpy((char *)(added + 1) + key_size, value, size);
        added->checksum = checksum(store, end);
        store_word(&header->end, end + total);
        publish(store, hashed, position, old, end);
        store_word(&header->pending, 0);
    }
    pthread_mutex_unlock(&header->lock);
    return error;
}

int rival_mapped_open(const char *path, rival_mapped **result) {
    rival_mapped *store = calloc(1, sizeof *store);
    if (!store) return ENOMEM;
    store->path = strdup(path);
    store->least_waste = least_waste;
    int error = 0;
    store->file = open(path, O_RDWR | O_CLOEXEC);
    if (store->file < 0) {
        error = create(path, 256, 0x1b873593cc9e2d51, store);
    } else {
        store->base = mmap(NULL, window, PROT_READ | PROT_WRITE, MAP_SHARED, store->file, 0);
        if (store->base == MAP_FAILED) error = errno;
        uint64_t sum = 0;
        for (uint64_t i = 0; !error && i < head(store)->slots; i++) sum += sum_of_slot(load(&slots(store)[i]), i);
        if (!error && (sum != head(store)->index_sum || head(store)->pending)) error = EIO;
    }
    *result = store;
    return error;
}

void rival_mapped_close(rival_mapped *store) {
    leave(store);
    free(store->path);
    free(store);
}

int rival_mapped_set_ints(rival_mapped *store, const uint8_t *keys, const uint32_t *order, size_t count, uint64_t base) {
    int error = 0;
    for (size_t i = 0; i < count && !error; i++) {
        uint64_t number = base + order[i];
        error = set(store, keys + (size_t)order[i] * key_size, &number, sizeof number);
    }
    return error;
}

int rival_mapped_set_strings(
    rival_mapped *store, const uint8_t *keys, const uint32_t *order, size_t count, const uint8_t *value, size_t size) {
    int error = 0;
    for (size_t i = 0; i < count && !error; i++) error = set(store, keys + (size_t)order[i] * key_size, value, size);
    return error;
}

static int get_all(
    rival_mapped *store, const uint8_t *keys, const uint32_t *order, size_t count, int copies, uint64_t *sum, uint64_t *missing) {
    for (size_t i = 0; i < count; i++) {
        const uint8_t *key = keys + (size_t)order[i] * key_size;
        uint64_t position, offset = find(store, key, hash(key, head(store)->seed), &position);
        if (!offset) {
            ++*missing;
            continue;
        }
        record *found = record_at(store, offset);
        if (found->checksum != checksum(store, offset)) return EIO;
        char *value = (char *)(found + 1) + key_size;
        if (copies) {
            char *copy = malloc(found->value_size + 1);
            if (!copy) return ENOMEM;
            memcpy(copy, value, found->value_size);
            copy[found->value_size] = 0;
            *sum += word_at(copy);
            free(copy);
        } else {
            *sum += word_at(value);
        }
    }
    return 0;
}

int rival_mapped_get(
    rival_mapped *store, const uint8_t *keys, const uint32_t *order, size_t count, uint64_t *sum, uint64_t *missing) {
    return get_all(store, keys, order, count, 0, sum, missing);
}

int rival_mapped_get_owned(
    rival_mapped *store, const uint8_t *keys, const uint32_t *order, size_t count, uint64_t *sum, uint64_t *missing) {
    return get_all(store, keys, order, count, 1, sum, missing);
}

int rival_mapped_open_often(const char *path, const uint8_t *key, size_t times, uint64_t *sum) {
    int error = 0;
    uint64_t missing = 0;
    uint32_t first = 0;
    for (size_t i = 0; i < times && !error; i++) {
        rival_mapped *store;
        error = rival_mapped_open(path, &store);
        if (!error) error = rival_mapped_get(store, key, &first, 1, sum, &missing);
        rival_mapped_close(store);
    }
    return error;
}
