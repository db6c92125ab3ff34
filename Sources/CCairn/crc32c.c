// CRC32C (Castagnoli, reflected polynomial 0x82F63B78) with SSE4.2 or ARMv8 instructions, or with tables.
#include "CCairn.h"
#include "crc32c.h"

#include <pthread.h>

// Software: eight tables, eight bytes a step.

// table[k][b] is the state after byte `b` and `k` zero bytes.
static uint32_t table[8][256];
static pthread_once_t table_once = PTHREAD_ONCE_INIT;

static void fill_table(void) {
    for (uint32_t byte = 0; byte < 256; byte++) {
        uint32_t state = byte;
        for (int bit = 0; bit < 8; bit++) state = (state >> 1) ^ (state & 1 ? 0x82F63B78u : 0);
        table[0][byte] = state;
    }
    for (int zeros = 1; zeros < 8; zeros++) {
        for (int byte = 0; byte < 256; byte++) {
            uint32_t state = table[zeros - 1][byte];
            table[zeros][byte] = (state >> 8) ^ table[0][state & 0xFF];
        }
    }
}

uint32_t cairn_crc32c_software(uint32_t checksum, const void *bytes, size_t count) {
    pthread_once(&table_once, fill_table);
    const unsigned char *next = bytes;
    uint32_t state = ~checksum;
    for (; count >= 8; next += 8, count -= 8) {
        uint64_t word = load_little_endian(next) ^ state;
        state = 0;
        for (int byte = 0; byte < 8; byte++) state ^= table[7 - byte][(word >> (8 * byte)) & 0xFF];
    }
    for (; count > 0; next++, count--) state = (state >> 8) ^ table[0][(state ^ *next) & 0xFF];
    return ~state;
}

// Hardware: `hardware` continues the state, `detect_hardware` asks the processor.

#if defined(CRC32C_TARGET)
CRC32C_TARGET static uint32_t hardware(uint32_t state, const unsigned char *next, size_t count) {
    return crc32c_continued(state, next, count);
}
#endif

#if defined(__x86_64__)

#include <cpuid.h>

static int detect_hardware(void) {
    unsigned a, b, c, d;
    return __get_cpuid(1, &a, &b, &c, &d) && (c & bit_SSE4_2);
}

#elif defined(__aarch64__)

#if defined(__linux__)
#include <sys/auxv.h>
#endif

static int detect_hardware(void) {
#if defined(__APPLE__)
    return 1;
#elif defined(__linux__)
    return (getauxval(AT_HWCAP) & (1 << 7)) != 0; // HWCAP_CRC32, which old headers lack.
#else
    return 0;
#endif
}

#else

static uint32_t hardware(uint32_t state, const unsigned char *next, size_t count) {
    return ~cairn_crc32c_software(~state, next, count);
}
static int detect_hardware(void) { return 0; }

#endif

int cairn_crc32c_has_hardware(void) {
    // Asking is slow under a hypervisor, so the answer is kept: 0 unknown, 1 no, 2 yes. Threads that race store the same.
    static _Atomic int known;
    int answer = __c11_atomic_load(&known, __ATOMIC_RELAXED);
    if (answer == 0) {
        answer = detect_hardware() ? 2 : 1;
        __c11_atomic_store(&known, answer, __ATOMIC_RELAXED);
    }
    return answer == 2;
}

uint32_t cairn_crc32c(uint32_t checksum, const void *bytes, size_t count) {
    if (!cairn_crc32c_has_hardware()) return cairn_crc32c_software(checksum, bytes, count);
    return ~hardware(~checksum, bytes, count);
}
