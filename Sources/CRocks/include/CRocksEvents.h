// What RocksDB reports while it works: events, and lines of its text log.
#ifndef CROCKS_EVENTS_H
#define CROCKS_EVENTS_H

#include "CRocksStatus.h"

CRK_BEGIN

typedef enum crk_event_kind {
    CRK_FLUSH_BEGAN, CRK_FLUSH_COMPLETED,
    CRK_COMPACTION_BEGAN, CRK_COMPACTION_COMPLETED, CRK_SUBCOMPACTION_BEGAN, CRK_SUBCOMPACTION_COMPLETED,
    CRK_MEMTABLE_SEALED,
    CRK_TABLE_FILE_CREATION_BEGAN, CRK_TABLE_FILE_CREATED, CRK_TABLE_FILE_DELETED,
    CRK_BLOB_FILE_CREATION_BEGAN, CRK_BLOB_FILE_CREATED, CRK_BLOB_FILE_DELETED,
    CRK_COLUMN_FAMILY_HANDLE_DELETED,
    CRK_EXTERNAL_FILE_INGESTED,
    CRK_BACKGROUND_ERROR, CRK_RECOVERY_BEGAN, CRK_RECOVERY_ENDED,
    CRK_STALL_CHANGED,
    CRK_FILE_OPERATION, CRK_IO_FAILURE,
} crk_event_kind;

typedef struct crk_event_file {
    crk_bytes path;
    int32_t level;
    bool is_output;
} crk_event_file;

// One struct for all events: fields that do not apply to an event are zero. Bytes are lent for the call.
typedef struct crk_event {
    crk_event_kind kind;
    crk_bytes column_family, path, other_path;
    // RocksDB's constant: the reason for a flush, compaction or file; the source of an error; the operation; the new state of writes, and the
    // previous one.
    const char *reason, *other_reason;
    const char *compression, *blob_compression;
    uint32_t column_family_id;
    int32_t job, part, input_level, output_level;
    uint64_t thread_id;
    bool slows_writes, stops_writes, is_manual, is_full;
    uint64_t first_sequence, last_sequence;
    uint64_t entries, deletions, output_entries, replaced;
    uint64_t size, input_size, offset;
    uint64_t nanoseconds, cpu_nanoseconds;
    crk_status status, other_status;  // owned by the receiver
    const crk_event_file *CRK_NULLABLE files;
    size_t file_count;
} crk_event;
typedef void (*crk_event_sink)(void *context, const crk_event *event);

// `level`: 0 debug, 1 info, 2 warn, 3 error, 4 fatal, 5 header.
typedef void (*crk_log_sink)(void *context, uint8_t level, crk_bytes text);

CRK_END

#endif
