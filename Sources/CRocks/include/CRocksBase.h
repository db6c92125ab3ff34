// Common to all headers of CRocks: C linkage, nullability, bytes.
#ifndef CROCKS_BASE_H
#define CROCKS_BASE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#if defined(__clang__)
#define CRK_NULLABLE _Nullable
// Holds a pointer, but is safe to use from Swift: only this shim dereferences it.
#define CRK_SAFE __attribute__((swift_attr("@safe")))
#define CRK_ASSUME_BEGIN _Pragma("clang assume_nonnull begin")
#define CRK_ASSUME_END _Pragma("clang assume_nonnull end")
#else
#define CRK_NULLABLE
#define CRK_SAFE
#define CRK_ASSUME_BEGIN
#define CRK_ASSUME_END
#endif

#ifdef __cplusplus
#define CRK_BEGIN extern "C" { CRK_ASSUME_BEGIN
#define CRK_END CRK_ASSUME_END }
#else
#define CRK_BEGIN CRK_ASSUME_BEGIN
#define CRK_END CRK_ASSUME_END
#endif

CRK_BEGIN

typedef struct crk_bytes {
    const void *CRK_NULLABLE data;
    size_t size;
} crk_bytes;

// Receives lent bytes; they are valid until it returns.
typedef void (*crk_sink)(void *context, crk_bytes bytes);
// Receives a lent pair; both are valid until it returns.
typedef void (*crk_pair_sink)(void *context, crk_bytes name, crk_bytes value);

CRK_END

#endif
