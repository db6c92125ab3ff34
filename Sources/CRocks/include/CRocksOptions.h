// Options, by RocksDB's own names.
#ifndef CROCKS_OPTIONS_H
#define CROCKS_OPTIONS_H

#include "CRocksCallbacks.h"
#include "CRocksEvents.h"
#include "CRocksObjects.h"

CRK_BEGIN

typedef struct crk_setting {
    crk_bytes name, value;
} crk_setting;

typedef struct crk_db_options crk_db_options;
crk_db_options *CRK_NULLABLE crk_db_options_create(void);
crk_status crk_db_options_set(crk_db_options *options, const crk_setting *CRK_NULLABLE settings, size_t count);
void crk_db_options_set_statistics(crk_db_options *options, crk_statistics *statistics);
// Caps the memory of all memtables at `limit` bytes, charged to `cache`.
crk_status crk_db_options_set_write_buffer_limit(crk_db_options *options, size_t limit, crk_cache *cache);
// Adds a listener; `destroy(context)` runs when the databases opened with these options, and the options, are gone.
// `file_operations`: whether each read and write of a file is reported as well.
crk_status crk_db_options_add_listener(crk_db_options *options, bool file_operations, void *context, crk_event_sink each,
    void (*destroy)(void *context));
// Passes lines of the text log to `each`; they are also written to the file only with `writes_file`.
crk_status crk_db_options_set_log(crk_db_options *options, bool writes_file, void *context, crk_log_sink each,
    void (*destroy)(void *context));
void crk_db_options_set_row_cache(crk_db_options *options, crk_cache *cache);
crk_status crk_db_options_list(const crk_db_options *options, void *context, crk_pair_sink each);
void crk_db_options_free(crk_db_options *options);

typedef struct crk_cf_options crk_cf_options;
crk_cf_options *CRK_NULLABLE crk_cf_options_create(void);
crk_status crk_cf_options_set(crk_cf_options *options, const crk_setting *CRK_NULLABLE settings, size_t count);
// Replaces the table format with a block-based one with these settings on top of RocksDB's defaults.
// `charges_readers`: whether memory that open files take outside of `block_cache` (indexes and filters, unless the settings put them in it) is
// charged to it.
crk_status crk_cf_options_set_block_based_table(crk_cf_options *options, const crk_setting *CRK_NULLABLE settings, size_t count,
    crk_cache *CRK_NULLABLE block_cache, bool charges_readers);
void crk_cf_options_set_comparator(crk_cf_options *options, crk_comparator *comparator);
void crk_cf_options_set_merge_operator(crk_cf_options *options, crk_merge_operator *merge_operator);
void crk_cf_options_set_prefix_extractor(crk_cf_options *options, crk_prefix_extractor *extractor);
// Depends on the table format, so call it last.
crk_status crk_cf_options_set_compaction_filter(crk_cf_options *options, crk_compaction_filter *filter);
void crk_cf_options_set_blob_cache(crk_cf_options *options, crk_cache *cache);
crk_status crk_cf_options_list(const crk_cf_options *options, void *context, crk_pair_sink each);
crk_status crk_table_options_list(void *context, crk_pair_sink each);  // the defaults of the block-based table
// Splits "a=1;b={c=2}" into its pairs.
crk_status crk_settings_parse(crk_bytes text, void *context, crk_pair_sink each);
void crk_cf_options_free(crk_cf_options *options);

CRK_END

#endif
