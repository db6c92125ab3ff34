#if defined(__linux__)
#define _GNU_SOURCE // memmem
#endif
#include "CCairn.h"

#include <string.h>

int cairn_contains(const void *bytes, size_t count, const void *part, size_t part_count) {
    return memmem(bytes, count, part, part_count) != NULL;
}
