// Column families as sets of files: exported from one database, imported into another.
#include "Directories.hpp"
#include "SSTFiles.hpp"

#include <rocksdb/utilities/checkpoint.h>

crk_status crk_export_column_family(crk_column_family *family, const char *path, void *context, crk_sink comparator,
    void (*each)(void *, const crk_exported_file *)) {
    return crk::in_family(family, [&](auto &) -> rocksdb::Status {
        rocksdb::DB *db = family->db->db;
        if (family->db->read_only) { return crk::read_only_status(); }
        if (family->db->environment != nullptr) { return crk::environment_status("an export"); }
        crk::refuse_paused(family->db);
        std::unique_ptr<rocksdb::ExportImportFilesMetaData> metadata;
        rocksdb::Status status = crk::make_directory(db->GetEnv(), path, db->GetName(), [&](const std::string &place) {
            rocksdb::Checkpoint *made = nullptr;
            rocksdb::Status status = rocksdb::Checkpoint::Create(db, &made);
            std::unique_ptr<rocksdb::Checkpoint> checkpoint(made);
            if (!status.ok()) { return status; }
            rocksdb::ExportImportFilesMetaData *raw = nullptr;
            status = checkpoint->ExportColumnFamily(family->handle, place, &raw);
            metadata.reset(raw);
            if (!status.ok()) { return status; }
            for (const auto &file : metadata->files) {
                // RocksDB copies the sorted files alone, which then name blobs that are not there.
                if (file.oldest_blob_file_number != 0) {
                    return rocksdb::Status::NotSupported("the column family keeps values in blob files, which RocksDB does not export");
                }
            }
            return status;
        });
        if (!status.ok()) { return status; }
        comparator(context, crk::lend(metadata->db_comparator_name));
        for (const auto &file : metadata->files) {
            rocksdb::Slice name(file.name);
            if (name.starts_with("/")) { name.remove_prefix(1); }
            const crk_exported_file lent{crk::lend(name), file.level, file.size, file.smallest_seqno, file.largest_seqno,
                crk::lend(file.smallestkey), crk::lend(file.largestkey)};
            each(context, &lent);
        }
        return status;
    });
}

crk_status crk_import_column_family(crk_db *db, const char *name, const crk_cf_options *options, const char *path, bool move_files,
    const char *comparator, size_t count, const crk_exported_file *files, crk_column_family **out) {
    return crk::in_database(db, [&]() -> rocksdb::Status {
        if (db->read_only) { return crk::read_only_status(); }
        if (db->environment != nullptr) { return crk::environment_status("an import"); }
        // RocksDB would not prepare its locks, without which nothing can be written.
        if (db->pessimistic != nullptr) {
            return rocksdb::Status::NotSupported("a database opened for transactions cannot import column families; open it without transactions, and import there");
        }
        rocksdb::ExportImportFilesMetaData metadata;
        metadata.db_comparator_name = comparator;
        for (size_t i = 0; i < count; ++i) {
            rocksdb::LiveFileMetaData file;
            const std::string file_name = crk::slice(files[i].name).ToString();
            file.column_family_name = name;
            file.db_path = file.directory = path;
            file.relative_filename = file_name;
            file.name = "/" + file_name;
            file.level = files[i].level;
            file.size = files[i].size;
            file.smallest_seqno = files[i].smallest_sequence_number;
            file.largest_seqno = files[i].largest_sequence_number;
            file.smallestkey = crk::slice(files[i].smallest).ToString();
            file.largestkey = crk::slice(files[i].largest).ToString();
            if (file.level < 0 || file.level >= options->object.num_levels) {
                return rocksdb::Status::InvalidArgument("a file is in level " + std::to_string(file.level) + ", but the column family would have only "
                    + std::to_string(options->object.num_levels) + " levels");
            }
            const std::string full = file.db_path + file.name;
            uint64_t size = 0;
            rocksdb::Status status = rocksdb::Env::Default()->GetFileSize(full, &size);
            if (status.ok() && size != file.size) {
                status = rocksdb::Status::Corruption(
                    "the file has " + std::to_string(size) + " bytes, but was exported with " + std::to_string(file.size), full);
            }
            if (status.ok()) { status = crk::check_file(full, options->object, db->db->GetDBOptions().row_cache == nullptr); }
            if (!status.ok()) { return status; }
            metadata.files.push_back(std::move(file));
        }
        {
            std::lock_guard<std::mutex> lock(db->registry);
            if (options->comparator) { db->comparators.push_back(options->comparator); }
        }
        rocksdb::ImportColumnFamilyOptions import;
        import.move_files = move_files;
        rocksdb::ColumnFamilyHandle *handle = nullptr;
        rocksdb::Status status = db->db->CreateColumnFamilyWithImport(options->object, name, import, metadata, &handle);
        if (status.ok()) { *out = crk::adopt(db, handle); }
        return status;
    });
}
