// Environments: where a database's files are.
#ifndef CROCKS_ENVIRONMENTS_H
#define CROCKS_ENVIRONMENTS_H

#include "CRocksOptions.h"

CRK_BEGIN

typedef struct crk_environment crk_environment;
// Files in memory, until the last user is gone.
crk_environment *CRK_NULLABLE crk_environment_create_memory(void);
// Files on disk; everything but their first 4096 bytes is encrypted.
// `crypt` combines `size` bytes of a file with the key stream of `nonce` (16 bytes, different for each file), starting at byte `offset` of the
// stream; applying it twice restores the original. Called on any thread. False: failure.
crk_environment *CRK_NULLABLE crk_environment_create_encrypted(void *context,
    bool (*crypt)(void *context, crk_bytes nonce, uint64_t offset, void *data, size_t size), void (*destroy)(void *context));
void crk_environment_release(crk_environment *environment);
void crk_db_options_set_environment(crk_db_options *options, crk_environment *environment);

// In the options' environment:
bool crk_file_exists(const char *path, const crk_db_options *options);
crk_status crk_list_files(const char *directory, const crk_db_options *options, void *context, crk_sink each);
// CRK_WRONG_KEY: the file is encrypted with another key, is not encrypted although it should be, or is encrypted although it should not be.
crk_status crk_check_encryption(const char *path, const crk_db_options *options);

CRK_END

#endif
