// Options changed while a database is open, and compared with those on disk.
#ifndef CROCKS_LIVE_OPTIONS_H
#define CROCKS_LIVE_OPTIONS_H

#include "CRocksDatabase.h"

CRK_BEGIN

// Afterwards, either all of the settings are in force and stored with the database, or none.
crk_status crk_set_db_options(crk_db *db, const crk_setting *CRK_NULLABLE settings, size_t count);
crk_status crk_set_cf_options(crk_column_family *family, const crk_setting *CRK_NULLABLE settings, size_t count);

// Checks whether the database at `path` can be opened with these options without failing or being damaged.
crk_status crk_check_options(const char *path, const crk_db_options *options, size_t count, const char *CRK_NULLABLE const *CRK_NULLABLE names,
    crk_cf_options *CRK_NULLABLE const *CRK_NULLABLE family_options);

CRK_END

#endif
