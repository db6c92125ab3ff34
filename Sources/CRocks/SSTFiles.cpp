// Sorted files: written, read, ingested.
#include "SSTFiles.hpp"

#include <rocksdb/sst_file_writer.h>

#include <set>

namespace {

rocksdb::Options file_options(const rocksdb::ColumnFamilyOptions &options) {
    return rocksdb::Options(rocksdb::DBOptions(), options);
}

rocksdb::Status timestamps_status() { return rocksdb::Status::NotSupported("keys with timestamps are not supported"); }

}  // namespace

rocksdb::Status crk::check_file(const std::string &path, const rocksdb::ColumnFamilyOptions &options, bool range_deletions) {
    rocksdb::Status status = check_footer(rocksdb::Env::Default(), path);
    if (!status.ok()) { return status; }
    rocksdb::SstFileReader reader(file_options(options));
    status = reader.Open(path);
    if (!status.ok()) { return status; }
    const auto properties = reader.GetTableProperties();
    const std::string &order = properties->comparator_name;
    if (!order.empty() && order != options.comparator->Name()) {
        return rocksdb::Status::InvalidArgument(
            "the keys of the file are in the order '" + order + "', those of the column family in '" + options.comparator->Name() + "'", path);
    }
    bool known = false;
    if (options.merge_operator == nullptr && rocksdb::GetMergeOperands(properties->user_collected_properties, &known) > 0) {
        return rocksdb::Status::InvalidArgument("the file holds merge operands, but the column family has no merge operator", path);
    }
    if (!range_deletions && properties->num_range_deletions > 0) {
        return rocksdb::Status::NotSupported("the file holds range deletions, which a row cache would not see", path);
    }
    return rocksdb::Status::OK();
}

struct crk_sst_writer {
    std::shared_ptr<const rocksdb::Comparator> comparator;  // the options have a raw pointer
    rocksdb::Options options;
    std::unique_ptr<rocksdb::SstFileWriter> object;
    bool finished = false;
    crk::FamilyTraits traits;
    rocksdb::Status failure;  // the file cannot become whole after it
};

crk_status crk_sst_writer_open(const char *path, const crk_cf_options *options, crk_sst_writer **out) {
    return crk::guarded([&] {
        if (options->object.comparator->timestamp_size() > 0) { return timestamps_status(); }
        auto writer = std::make_unique<crk_sst_writer>();
        writer->comparator = options->comparator;
        writer->options = file_options(options->object);
        writer->traits.read(options->object.merge_operator.get());
        writer->object = std::make_unique<rocksdb::SstFileWriter>(rocksdb::EnvOptions(), writer->options);
        rocksdb::Status status = writer->object->Open(path);
        if (status.ok()) { *out = writer.release(); }
        return status;
    });
}
crk_status crk_sst_writer_add(crk_sst_writer *writer, crk_operation operation, crk_bytes key, crk_bytes value) {
    return crk::guarded([&]() -> rocksdb::Status {
        if (writer->finished) { return rocksdb::Status::InvalidArgument("the file is already finished"); }
        if (!writer->failure.ok()) { return writer->failure; }
        const auto k = crk::slice(key), v = crk::slice(value);
        rocksdb::SstFileWriter &object = *writer->object;
        rocksdb::Status status;
        switch (operation) {
        case CRK_PUT: status = object.Put(k, v); break;
        case CRK_MERGE:
            if (writer->traits.adds_numbers && v.size() != 8) { return crk::wrong_number(v); }
            status = object.Merge(k, v);
            break;
        case CRK_DELETE: status = object.Delete(k); break;
        case CRK_SINGLE_DELETE: return rocksdb::Status::NotSupported("sorted files cannot hold single deletes");
        case CRK_DELETE_RANGE:
            if (!writer->options.table_factory->IsDeleteRangeSupported()) {
                return rocksdb::Status::NotSupported("the file format does not support range deletions");
            }
            if (writer->options.comparator->Compare(k, v) > 0) {
                return rocksdb::Status::InvalidArgument("the end of the range comes before its start");
            }
            status = object.DeleteRange(k, v);
            break;
        }
        if (!status.ok() && !status.IsInvalidArgument()) { writer->failure = status; }
        return status;
    });
}
uint64_t crk_sst_writer_size(crk_sst_writer *writer) { return writer->object->FileSize(); }
crk_status crk_sst_writer_finish(crk_sst_writer *writer, void *context, void (*found)(void *, const crk_sst_info *)) {
    return crk::guarded([&]() -> rocksdb::Status {
        if (writer->finished) { return rocksdb::Status::InvalidArgument("the file is already finished"); }
        if (!writer->failure.ok()) { return writer->failure; }
        rocksdb::ExternalSstFileInfo info;
        rocksdb::Status status = writer->object->Finish(&info);
        if (!status.ok()) { return status; }
        writer->finished = true;
        const crk_sst_info lent{crk::lend(info.smallest_key), crk::lend(info.largest_key), crk::lend(info.smallest_range_del_key),
            crk::lend(info.largest_range_del_key), info.file_size, info.num_entries, info.num_range_del_entries};
        found(context, &lent);
        return status;
    });
}
void crk_sst_writer_free(crk_sst_writer *writer) { delete writer; }

struct crk_sst_file {
    std::shared_ptr<const rocksdb::Comparator> comparator;  // the options have a raw pointer
    rocksdb::Options options;
    std::unique_ptr<rocksdb::SstFileReader> object;
    bool unreadable = false;  // holds merge operands without an operator
};
struct crk_sst_reader { std::shared_ptr<crk_sst_file> file; };

namespace {

rocksdb::Status check_reading(const crk_sst_file &file, const rocksdb::ReadOptions &options) {
    if (file.unreadable) { return rocksdb::Status::InvalidArgument("the file holds merge operands, but no merge operator is given"); }
    if (options.tailing || options.read_tier == rocksdb::kPersistedTier || options.read_tier == rocksdb::kMemtableTier) {
        return rocksdb::Status::NotSupported("a file has neither a tail nor a log nor a memtable");
    }
    return rocksdb::Status::OK();
}

}  // namespace

crk_status crk_sst_reader_open(const char *path, const crk_cf_options *options, crk_sst_reader **out) {
    return crk::guarded([&]() -> rocksdb::Status {
        if (options->object.comparator->timestamp_size() > 0) { return timestamps_status(); }
        rocksdb::Status status = crk::check_footer(rocksdb::Env::Default(), path);
        if (!status.ok()) { return status; }
        auto file = std::make_shared<crk_sst_file>();
        file->comparator = options->comparator;
        file->options = file_options(options->object);
        file->object = std::make_unique<rocksdb::SstFileReader>(file->options);
        status = file->object->Open(path);
        if (!status.ok()) { return status; }
        const auto properties = file->object->GetTableProperties();
        const std::string &order = properties->comparator_name;
        if (!order.empty() && order != options->object.comparator->Name()) {
            return rocksdb::Status::InvalidArgument(
                "the keys of the file are in the order '" + order + "', but '" + options->object.comparator->Name() + "' was given");
        }
        bool known = false;
        file->unreadable = options->object.merge_operator == nullptr
            && rocksdb::GetMergeOperands(properties->user_collected_properties, &known) > 0;
        *out = new crk_sst_reader{file};
        return status;
    });
}
crk_status crk_sst_reader_cursor(crk_sst_reader *reader, const crk_read_options *options, const crk_range *range, crk_cursor **out) {
    return crk::guarded([&]() -> rocksdb::Status {
        crk_sst_file &file = *reader->file;
        rocksdb::Status status = check_reading(file, options->object);
        if (!status.ok()) { return status; }
        auto cursor = std::make_unique<crk_cursor>();
        cursor->keep = reader->file;
        cursor->options = options->object;
        cursor->set_order(file.options.comparator);
        cursor->backward_refused = file.options.table_factory->IsInstanceOf("PlainTable");
        cursor->set_range(*range);
        cursor->iterator.reset(file.object->NewIterator(cursor->options));
        status = cursor->iterator->status();
        if (status.ok()) { *out = cursor.release(); }
        return status;
    });
}
crk_status crk_sst_reader_get(crk_sst_reader *reader, const crk_read_options *options, crk_bytes key, void *context, crk_sink found) {
    return crk::guarded([&]() -> rocksdb::Status {
        rocksdb::Status status = check_reading(*reader->file, options->object);
        if (!status.ok()) { return status; }
        std::unique_ptr<rocksdb::Iterator> iterator(reader->file->object->NewIterator(options->object));
        iterator->Seek(crk::slice(key));
        if (!iterator->Valid()) { return iterator->status().ok() ? rocksdb::Status::NotFound() : iterator->status(); }
        if (reader->file->options.comparator->Compare(iterator->key(), crk::slice(key)) != 0) { return rocksdb::Status::NotFound(); }
        found(context, crk::lend(iterator->value()));
        return rocksdb::Status::OK();
    });
}
crk_status crk_sst_reader_verify(crk_sst_reader *reader, const crk_read_options *options) {
    return crk::guarded([&] { return reader->file->object->VerifyChecksum(options->object); });
}
crk_status crk_sst_reader_properties(crk_sst_reader *reader, void *context, crk_pair_sink each) {
    return crk::guarded([&] {
        const auto properties = reader->file->object->GetTableProperties();
        const auto number = [&](const char *name, uint64_t value) { each(context, crk::lend(name), crk::lend(std::to_string(value))); };
        const auto text = [&](const char *name, const std::string &value) { each(context, crk::lend(name), crk::lend(value)); };
        number("data_size", properties->data_size);
        number("index_size", properties->index_size);
        number("filter_size", properties->filter_size);
        number("raw_key_size", properties->raw_key_size);
        number("raw_value_size", properties->raw_value_size);
        number("num_data_blocks", properties->num_data_blocks);
        number("num_entries", properties->num_entries);
        number("num_deletions", properties->num_deletions);
        number("num_merge_operands", properties->num_merge_operands);
        number("num_range_deletions", properties->num_range_deletions);
        number("format_version", properties->format_version);
        number("column_family_id", properties->column_family_id);
        number("creation_time", properties->creation_time);
        number("file_creation_time", properties->file_creation_time);
        text("db_id", properties->db_id);
        text("db_session_id", properties->db_session_id);
        text("column_family_name", properties->column_family_name);
        text("filter_policy_name", properties->filter_policy_name);
        text("comparator_name", properties->comparator_name);
        text("merge_operator_name", properties->merge_operator_name);
        text("prefix_extractor_name", properties->prefix_extractor_name);
        text("compression_name", properties->compression_name);
        text("compression_options", properties->compression_options);
        for (const auto &entry : properties->user_collected_properties) { each(context, crk::lend(entry.first), crk::lend(entry.second)); }
        return rocksdb::Status::OK();
    });
}
void crk_sst_reader_free(crk_sst_reader *reader) { delete reader; }

crk_status crk_ingest(crk_db *db, const crk_ingest_options *options, size_t count, const crk_ingest_group *groups) {
    return crk::in_database(db, [&]() -> crk_status {
        if (db->read_only) { return crk::to_status(crk::read_only_status()); }
        if (db->environment != nullptr) { return crk::convert(crk::environment_status("ingesting sorted files")); }
        crk::refuse_paused(db);
        rocksdb::IngestExternalFileOptions ingest;
        ingest.move_files = options->move_files;
        ingest.failed_move_fall_back_to_copy = options->copy_if_move_fails;
        ingest.snapshot_consistency = options->snapshot_consistency;
        ingest.allow_global_seqno = options->allow_global_sequence_number;
        ingest.allow_blocking_flush = options->allow_blocking_flush;
        ingest.ingest_behind = options->ingest_behind;
        ingest.write_global_seqno = options->write_global_sequence_number;
        ingest.verify_checksums_before_ingest = options->verify_checksums;
        ingest.verify_checksums_readahead_size = options->verify_readahead;
        ingest.verify_file_checksum = options->verify_file_checksum;
        ingest.fail_if_not_bottommost_level = options->fail_if_not_bottommost;
        std::vector<rocksdb::IngestExternalFileArg> arguments;
        std::set<std::string> seen;
        for (size_t i = 0; i < count; ++i) {
            crk_column_family *family = groups[i].family;
            if (family->db != db) { return crk::make_status(CRK_REFUSED, "the column families do not all belong to the same database"); }
            if (family->dropped) { return crk::make_status(CRK_COLUMN_FAMILY_DROPPED, "the column family was dropped"); }
            rocksdb::ColumnFamilyDescriptor descriptor;
            rocksdb::Status status = family->handle->GetDescriptor(&descriptor);
            if (!status.ok()) { return crk::to_status(status); }
            rocksdb::IngestExternalFileArg argument;
            argument.column_family = family->handle;
            argument.options = ingest;
            for (size_t k = 0; k < groups[i].count; ++k) {
                const std::string path = groups[i].paths[k];
                if (!seen.insert(path).second) { return crk::make_status(CRK_REFUSED, "the file is listed twice: " + path); }
                status = crk::check_file(path, descriptor.options, db->db->GetDBOptions().row_cache == nullptr);
                if (!status.ok()) { return crk::to_status(status); }
                argument.external_files.push_back(path);
            }
            arguments.push_back(std::move(argument));
        }
        rocksdb::Status status = db->db->IngestExternalFiles(arguments);
        crk::wrote(db);
        return crk::convert(status);
    });
}
