// Options changed while a database is open, and compared with those on disk.
#ifndef CROCKS_LIVE_OPTIONS_H
#define CROCKS_LIVE_OPTIONS_H

#include "CRocksDatabase.h"

CRK_BEGIN

// All or none of the settings are in force afterwards, and stored with the database.
crk_status crk_set_db_options(crk_db *db, const crk_setting *CRK_NULLABLE settings, size_t count);
crk_status crk_set_cf_options(crk_column_family *family, const crk_setting *CRK_NULLABLE settings, size_t count);

// What RocksDB finds in these options that would keep the database at `path` from being opened with them, or damage it.
crk_status crk_check_options(const char *path, const crk_db_options *options, size_t count, const char *CRK_NULLABLE const *CRK_NULLABLE names,
    crk_cf_options *CRK_NULLABLE const *CRK_NULLABLE family_options);

CRK_END

#endif
