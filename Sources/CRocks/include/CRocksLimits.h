// Objects that databases share to stay within limits: rate limiters, file managers, write buffer managers, task limiters.
#ifndef CROCKS_LIMITS_H
#define CROCKS_LIMITS_H

#include "CRocksOptions.h"
#include "CRocksEnvironments.h"

CRK_BEGIN

typedef struct crk_rate_limiter crk_rate_limiter;
// `mode` is rocksdb::RateLimiter::Mode. Refused if a refill period has so few bytes that no request would ever be granted.
crk_status crk_rate_limiter_create(int64_t bytes_per_second, int64_t refill_micros, int32_t fairness, uint8_t mode, bool auto_tuned,
    crk_rate_limiter *CRK_NULLABLE *CRK_NULLABLE limiter);
crk_status crk_rate_limiter_set_bytes_per_second(crk_rate_limiter *limiter, int64_t bytes_per_second);
int64_t crk_rate_limiter_bytes_per_second(const crk_rate_limiter *limiter);
int64_t crk_rate_limiter_total_bytes(const crk_rate_limiter *limiter);
int64_t crk_rate_limiter_total_requests(const crk_rate_limiter *limiter);
void crk_rate_limiter_release(crk_rate_limiter *limiter);
void crk_db_options_set_rate_limiter(crk_db_options *options, crk_rate_limiter *limiter);

typedef struct crk_file_manager crk_file_manager;
crk_status crk_file_manager_create(crk_environment *CRK_NULLABLE environment, int64_t deleted_bytes_per_second, double max_trash_ratio,
    uint64_t max_delete_chunk, crk_file_manager *CRK_NULLABLE *CRK_NULLABLE manager);
void crk_file_manager_set_max_space(crk_file_manager *manager, uint64_t bytes);  // 0: no limit
void crk_file_manager_set_compaction_buffer(crk_file_manager *manager, uint64_t bytes);
void crk_file_manager_set_deletion_rate(crk_file_manager *manager, int64_t bytes_per_second);  // 0: no limit
int64_t crk_file_manager_deletion_rate(const crk_file_manager *manager);
bool crk_file_manager_is_full(const crk_file_manager *manager);
uint64_t crk_file_manager_total_size(const crk_file_manager *manager);
uint64_t crk_file_manager_trash_size(const crk_file_manager *manager);
// Each tracked file with its size in decimal digits.
void crk_file_manager_files(const crk_file_manager *manager, void *context, crk_pair_sink each);
void crk_file_manager_release(crk_file_manager *manager);
// Refused if the manager was made for another environment.
crk_status crk_db_options_set_file_manager(crk_db_options *options, crk_file_manager *manager);

typedef struct crk_write_buffer_manager crk_write_buffer_manager;
crk_write_buffer_manager *CRK_NULLABLE crk_write_buffer_manager_create(size_t limit, crk_cache *CRK_NULLABLE cache);
void crk_write_buffer_manager_set_limit(crk_write_buffer_manager *manager, size_t limit);
size_t crk_write_buffer_manager_limit(const crk_write_buffer_manager *manager);
size_t crk_write_buffer_manager_usage(const crk_write_buffer_manager *manager);
void crk_write_buffer_manager_release(crk_write_buffer_manager *manager);
void crk_db_options_set_write_buffer_manager(crk_db_options *options, crk_write_buffer_manager *manager);

typedef struct crk_task_limiter crk_task_limiter;
crk_task_limiter *CRK_NULLABLE crk_task_limiter_create(const char *name, int32_t limit);
void crk_task_limiter_set_limit(crk_task_limiter *limiter, int32_t limit);
int32_t crk_task_limiter_running(const crk_task_limiter *limiter);
void crk_task_limiter_release(crk_task_limiter *limiter);
void crk_cf_options_set_task_limiter(crk_cf_options *options, crk_task_limiter *limiter);

// Marks a new file for compaction if at least `deletions` of `window` consecutive entries, or a fraction of `ratio` of all entries, are deletions;
// ratio 0: no ratio.
crk_status crk_cf_options_compact_on_deletion(crk_cf_options *options, size_t window, size_t deletions, double ratio);

CRK_END

#endif
