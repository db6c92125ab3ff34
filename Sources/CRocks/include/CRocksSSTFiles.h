// Sorted files: writing, reading and ingesting them; exporting and importing column families as sets of them.
#ifndef CROCKS_SST_FILES_H
#define CROCKS_SST_FILES_H

#include "CRocksOperations.h"

CRK_BEGIN

// Lent until the callback returns.
typedef struct crk_sst_info {
    crk_bytes smallest, largest;                // of keys put, merged, deleted
    crk_bytes smallest_range, largest_range;    // of deleted ranges
    uint64_t file_size, entries, range_deletions;
} crk_sst_info;

// Belongs to one thread at a time.
typedef struct crk_sst_writer crk_sst_writer;
crk_status crk_sst_writer_open(const char *path, const crk_cf_options *options, crk_sst_writer *CRK_NULLABLE *CRK_NULLABLE writer);
crk_status crk_sst_writer_add(crk_sst_writer *writer, crk_operation operation, crk_bytes key, crk_bytes value);
uint64_t crk_sst_writer_size(crk_sst_writer *writer);
crk_status crk_sst_writer_finish(crk_sst_writer *writer, void *context, void (*found)(void *context, const crk_sst_info *info));
// Without `crk_sst_writer_finish` the file is left incomplete.
void crk_sst_writer_free(crk_sst_writer *writer);

// May be used on any thread. Its cursors keep it alive.
typedef struct crk_sst_reader crk_sst_reader;
crk_status crk_sst_reader_open(const char *path, const crk_cf_options *options, crk_sst_reader *CRK_NULLABLE *CRK_NULLABLE reader);
// `options` must not have a snapshot.
crk_status crk_sst_reader_cursor(crk_sst_reader *reader, const crk_read_options *options, const crk_range *range,
    crk_cursor *CRK_NULLABLE *CRK_NULLABLE cursor);
// CRK_NOT_FOUND: missing.
crk_status crk_sst_reader_get(crk_sst_reader *reader, const crk_read_options *options, crk_bytes key, void *context, crk_sink found);
crk_status crk_sst_reader_verify(crk_sst_reader *reader, const crk_read_options *options);
// RocksDB's properties as text, by name; then user-collected ones, with their names.
crk_status crk_sst_reader_properties(crk_sst_reader *reader, void *context, crk_pair_sink each);
void crk_sst_reader_free(crk_sst_reader *reader);

typedef struct crk_ingest_options {
    bool move_files, copy_if_move_fails, snapshot_consistency, allow_global_sequence_number, allow_blocking_flush, ingest_behind;
    bool write_global_sequence_number, verify_checksums, verify_file_checksum, fail_if_not_bottommost;
    size_t verify_readahead;
} crk_ingest_options;

typedef struct crk_ingest_group {
    crk_column_family *CRK_NULLABLE family;
    size_t count;
    const char *CRK_NULLABLE const *CRK_NULLABLE paths;
} crk_ingest_group;

// Ingests all files of all groups, or none; all column families must belong to `db`.
crk_status crk_ingest(crk_db *db, const crk_ingest_options *options, size_t count, const crk_ingest_group *groups);

// A file of an exported column family.
typedef struct crk_exported_file {
    crk_bytes name;  // without a directory
    int32_t level;
    uint64_t size, smallest_sequence_number, largest_sequence_number;
    crk_bytes smallest, largest;
} crk_exported_file;

// Creates the directory `path`. Calls `comparator` with the name of the comparator, and `each` with every file.
crk_status crk_export_column_family(crk_column_family *family, const char *path, void *context, crk_sink comparator,
    void (*each)(void *context, const crk_exported_file *file));
crk_status crk_import_column_family(crk_db *db, const char *name, const crk_cf_options *options, const char *path, bool move_files,
    const char *comparator, size_t count, const crk_exported_file *CRK_NULLABLE files,
    crk_column_family *CRK_NULLABLE *CRK_NULLABLE family);

CRK_END

#endif
