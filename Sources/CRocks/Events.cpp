// RocksDB's listener, as one function that gets events.
#include "Callbacks.hpp"

#include <rocksdb/listener.h>

namespace {

#define NAME(Enum, constant) case rocksdb::Enum::constant: return #constant;

const char *name_of(rocksdb::FlushReason reason) {
    switch (reason) {
        NAME(FlushReason, kOthers) NAME(FlushReason, kGetLiveFiles) NAME(FlushReason, kShutDown)
        NAME(FlushReason, kExternalFileIngestion) NAME(FlushReason, kManualCompaction) NAME(FlushReason, kWriteBufferManager)
        NAME(FlushReason, kWriteBufferFull) NAME(FlushReason, kTest) NAME(FlushReason, kDeleteFiles)
        NAME(FlushReason, kAutoCompaction) NAME(FlushReason, kManualFlush) NAME(FlushReason, kErrorRecovery)
        NAME(FlushReason, kErrorRecoveryRetryFlush) NAME(FlushReason, kWalFull)
    default: return "unknown";
    }
}

const char *name_of(rocksdb::CompactionReason reason) {
    switch (reason) {
        NAME(CompactionReason, kLevelL0FilesNum) NAME(CompactionReason, kLevelMaxLevelSize)
        NAME(CompactionReason, kUniversalSizeAmplification) NAME(CompactionReason, kUniversalSizeRatio)
        NAME(CompactionReason, kUniversalSortedRunNum) NAME(CompactionReason, kFIFOMaxSize) NAME(CompactionReason, kFIFOReduceNumFiles)
        NAME(CompactionReason, kFIFOTtl) NAME(CompactionReason, kManualCompaction) NAME(CompactionReason, kFilesMarkedForCompaction)
        NAME(CompactionReason, kBottommostFiles) NAME(CompactionReason, kTtl) NAME(CompactionReason, kFlush)
        NAME(CompactionReason, kExternalSstIngestion) NAME(CompactionReason, kPeriodicCompaction)
        NAME(CompactionReason, kChangeTemperature) NAME(CompactionReason, kForcedBlobGC) NAME(CompactionReason, kRoundRobinTtl)
    default: return "unknown";
    }
}

const char *name_of(rocksdb::TableFileCreationReason reason) {
    switch (reason) {
        NAME(TableFileCreationReason, kFlush) NAME(TableFileCreationReason, kCompaction) NAME(TableFileCreationReason, kRecovery)
        NAME(TableFileCreationReason, kMisc)
    default: return "unknown";
    }
}

const char *name_of(rocksdb::BlobFileCreationReason reason) {
    switch (reason) {
        NAME(BlobFileCreationReason, kFlush) NAME(BlobFileCreationReason, kCompaction) NAME(BlobFileCreationReason, kRecovery)
    default: return "unknown";
    }
}

const char *name_of(rocksdb::BackgroundErrorReason reason) {
    switch (reason) {
        NAME(BackgroundErrorReason, kFlush) NAME(BackgroundErrorReason, kCompaction) NAME(BackgroundErrorReason, kWriteCallback)
        NAME(BackgroundErrorReason, kMemTable) NAME(BackgroundErrorReason, kManifestWrite) NAME(BackgroundErrorReason, kFlushNoWAL)
        NAME(BackgroundErrorReason, kManifestWriteNoWAL)
    default: return "unknown";
    }
}

const char *name_of(rocksdb::WriteStallCondition condition) {
    switch (condition) {
        NAME(WriteStallCondition, kNormal) NAME(WriteStallCondition, kDelayed) NAME(WriteStallCondition, kStopped)
    default: return "unknown";
    }
}

const char *name_of(rocksdb::FileOperationType type) {
    switch (type) {
        NAME(FileOperationType, kRead) NAME(FileOperationType, kWrite) NAME(FileOperationType, kTruncate) NAME(FileOperationType, kClose)
        NAME(FileOperationType, kFlush) NAME(FileOperationType, kSync) NAME(FileOperationType, kFsync)
        NAME(FileOperationType, kRangeSync) NAME(FileOperationType, kAppend) NAME(FileOperationType, kPositionedAppend)
        NAME(FileOperationType, kOpen)
    default: return "unknown";
    }
}

const char *name_of(rocksdb::CompressionType type) {
    switch (type) {
        NAME(CompressionType, kNoCompression) NAME(CompressionType, kSnappyCompression) NAME(CompressionType, kZlibCompression)
        NAME(CompressionType, kBZip2Compression) NAME(CompressionType, kLZ4Compression) NAME(CompressionType, kLZ4HCCompression)
        NAME(CompressionType, kXpressCompression) NAME(CompressionType, kZSTD) NAME(CompressionType, kDisableCompressionOption)
    default: return "unknown";
    }
}

#undef NAME

// Never holds RocksDB up: an event that cannot be copied for lack of memory is dropped.
class Listener final : public rocksdb::EventListener {
public:
    Listener(bool file_operations, void *context, crk_event_sink each, void (*destroy)(void *))
        : context_(context, destroy), each_(each), file_operations_(file_operations) {}
    const char *Name() const override { return "cairn.events"; }

    void OnFlushBegin(rocksdb::DB *, const rocksdb::FlushJobInfo &info) override { flush(CRK_FLUSH_BEGAN, info); }
    void OnFlushCompleted(rocksdb::DB *, const rocksdb::FlushJobInfo &info) override { flush(CRK_FLUSH_COMPLETED, info); }
    void OnCompactionBegin(rocksdb::DB *, const rocksdb::CompactionJobInfo &info) override { compaction(CRK_COMPACTION_BEGAN, info); }
    void OnCompactionCompleted(rocksdb::DB *, const rocksdb::CompactionJobInfo &info) override {
        compaction(CRK_COMPACTION_COMPLETED, info);
    }
    void OnSubcompactionBegin(const rocksdb::SubcompactionJobInfo &info) override { part(CRK_SUBCOMPACTION_BEGAN, info); }
    void OnSubcompactionCompleted(const rocksdb::SubcompactionJobInfo &info) override { part(CRK_SUBCOMPACTION_COMPLETED, info); }

    void OnMemTableSealed(const rocksdb::MemTableInfo &info) override {
        crk_event event = make(CRK_MEMTABLE_SEALED, info.cf_name);
        event.first_sequence = info.first_seqno;
        event.last_sequence = info.earliest_seqno;
        event.entries = info.num_entries;
        event.deletions = info.num_deletes;
        send(event);
    }
    void OnColumnFamilyHandleDeletionStarted(rocksdb::ColumnFamilyHandle *handle) override {
        crk_event event = make(CRK_COLUMN_FAMILY_HANDLE_DELETED, handle->GetName());
        event.column_family_id = handle->GetID();
        send(event);
    }
    void OnExternalFileIngested(rocksdb::DB *, const rocksdb::ExternalFileIngestionInfo &info) override {
        crk_event event = make(CRK_EXTERNAL_FILE_INGESTED, info.cf_name);
        event.path = crk::lend(info.internal_file_path);
        event.other_path = crk::lend(info.external_file_path);
        event.first_sequence = info.global_seqno;
        event.entries = info.table_properties.num_entries;
        send(event);
    }

    void OnTableFileCreationStarted(const rocksdb::TableFileCreationBriefInfo &info) override {
        send(created(CRK_TABLE_FILE_CREATION_BEGAN, info, name_of(info.reason)));
    }
    void OnTableFileCreated(const rocksdb::TableFileCreationInfo &info) override {
        crk_event event = created(CRK_TABLE_FILE_CREATED, info, name_of(info.reason));
        event.size = info.file_size;
        event.entries = info.table_properties.num_entries;
        event.deletions = info.table_properties.num_deletions;
        send(event, &info.status);
    }
    void OnTableFileDeleted(const rocksdb::TableFileDeletionInfo &info) override { deleted(CRK_TABLE_FILE_DELETED, info); }
    void OnBlobFileCreationStarted(const rocksdb::BlobFileCreationBriefInfo &info) override {
        send(created(CRK_BLOB_FILE_CREATION_BEGAN, info, name_of(info.reason)));
    }
    void OnBlobFileCreated(const rocksdb::BlobFileCreationInfo &info) override {
        crk_event event = created(CRK_BLOB_FILE_CREATED, info, name_of(info.reason));
        event.size = info.total_blob_bytes;
        event.entries = info.total_blob_count;
        send(event, &info.status);
    }
    void OnBlobFileDeleted(const rocksdb::BlobFileDeletionInfo &info) override { deleted(CRK_BLOB_FILE_DELETED, info); }

    void OnBackgroundError(rocksdb::BackgroundErrorReason reason, rocksdb::Status *error) override {
        crk_event event = make(CRK_BACKGROUND_ERROR, {});
        event.reason = name_of(reason);
        send(event, error);
    }
    void OnErrorRecoveryBegin(rocksdb::BackgroundErrorReason reason, rocksdb::Status error, bool *) override {
        crk_event event = make(CRK_RECOVERY_BEGAN, {});
        event.reason = name_of(reason);
        send(event, &error);
    }
    void OnErrorRecoveryEnd(const rocksdb::BackgroundErrorRecoveryInfo &info) override {
        send(make(CRK_RECOVERY_ENDED, {}), &info.old_bg_error, &info.new_bg_error);
    }
    void OnStallConditionsChanged(const rocksdb::WriteStallInfo &info) override {
        crk_event event = make(CRK_STALL_CHANGED, info.cf_name);
        event.reason = name_of(info.condition.cur);
        event.other_reason = name_of(info.condition.prev);
        send(event);
    }

    bool ShouldBeNotifiedOnFileIO() override { return file_operations_; }
    void OnFileReadFinish(const rocksdb::FileOperationInfo &info) override { operation(info); }
    void OnFileWriteFinish(const rocksdb::FileOperationInfo &info) override { operation(info); }
    void OnFileFlushFinish(const rocksdb::FileOperationInfo &info) override { operation(info); }
    void OnFileSyncFinish(const rocksdb::FileOperationInfo &info) override { operation(info); }
    void OnFileRangeSyncFinish(const rocksdb::FileOperationInfo &info) override { operation(info); }
    void OnFileTruncateFinish(const rocksdb::FileOperationInfo &info) override { operation(info); }
    void OnFileCloseFinish(const rocksdb::FileOperationInfo &info) override { operation(info); }
    void OnIOError(const rocksdb::IOErrorInfo &info) override {
        crk_event event = make(CRK_IO_FAILURE, {});
        event.path = crk::lend(info.file_path);
        event.reason = name_of(info.operation);
        event.size = info.length;
        event.offset = info.offset;
        const rocksdb::Status status = info.io_status;
        send(event, &status);
    }

private:
    static crk_event make(crk_event_kind kind, const rocksdb::Slice &family) {
        crk_event event{};
        event.kind = kind;
        event.column_family = crk::lend(family);
        event.reason = event.other_reason = event.compression = event.blob_compression = "";
        return event;
    }
    static crk_event created(crk_event_kind kind, const rocksdb::FileCreationBriefInfo &info, const char *reason) {
        crk_event event = make(kind, info.cf_name);
        event.path = crk::lend(info.file_path);
        event.job = info.job_id;
        event.reason = reason;
        return event;
    }
    void deleted(crk_event_kind kind, const rocksdb::FileDeletionInfo &info) {
        crk_event event = make(kind, {});
        event.path = crk::lend(info.file_path);
        event.job = info.job_id;
        send(event, &info.status);
    }
    void operation(const rocksdb::FileOperationInfo &info) {
        crk_event event = make(CRK_FILE_OPERATION, {});
        event.path = crk::lend(info.path);
        event.reason = name_of(info.type);
        event.offset = info.offset;
        event.size = info.length;
        event.nanoseconds = static_cast<uint64_t>(info.duration.count());
        send(event, &info.status);
    }
    void flush(crk_event_kind kind, const rocksdb::FlushJobInfo &info) {
        crk_event event = make(kind, info.cf_name);
        event.column_family_id = info.cf_id;
        event.path = crk::lend(info.file_path);
        event.reason = name_of(info.flush_reason);
        event.blob_compression = name_of(info.blob_compression_type);
        event.job = info.job_id;
        event.thread_id = info.thread_id;
        event.slows_writes = info.triggered_writes_slowdown;
        event.stops_writes = info.triggered_writes_stop;
        event.first_sequence = info.smallest_seqno;
        event.last_sequence = info.largest_seqno;
        event.entries = info.table_properties.num_entries;
        event.deletions = info.table_properties.num_deletions;
        send(event);
    }
    template <class Info> static crk_event job(crk_event_kind kind, const Info &info) {
        crk_event event = make(kind, info.cf_name);
        event.column_family_id = info.cf_id;
        event.reason = name_of(info.compaction_reason);
        event.compression = name_of(info.compression);
        event.blob_compression = name_of(info.blob_compression_type);
        event.job = info.job_id;
        event.thread_id = info.thread_id;
        event.input_level = info.base_input_level;
        event.output_level = info.output_level;
        event.entries = info.stats.num_input_records;
        event.deletions = info.stats.num_input_deletion_records;
        event.output_entries = info.stats.num_output_records;
        event.replaced = info.stats.num_records_replaced;
        event.input_size = info.stats.total_input_bytes;
        event.size = info.stats.total_output_bytes;
        event.is_manual = info.stats.is_manual_compaction;
        event.is_full = info.stats.is_full_compaction;
        event.nanoseconds = info.stats.elapsed_micros * 1000;
        event.cpu_nanoseconds = info.stats.cpu_micros * 1000;
        return event;
    }
    void part(crk_event_kind kind, const rocksdb::SubcompactionJobInfo &info) {
        crk_event event = job(kind, info);
        event.part = info.subcompaction_job_id;
        send(event, &info.status);
    }
    void compaction(crk_event_kind kind, const rocksdb::CompactionJobInfo &info) {
        try {
            std::vector<crk_event_file> files;
            add(info.input_files, info.input_file_infos, false, files);
            add(info.output_files, info.output_file_infos, true, files);
            crk_event event = job(kind, info);
            event.files = files.data();
            event.file_count = files.size();
            send(event, &info.status);
        } catch (...) {
        }
    }
    static void add(const std::vector<std::string> &paths, const std::vector<rocksdb::CompactionFileInfo> &infos, bool is_output,
        std::vector<crk_event_file> &files) {
        for (size_t i = 0; i < paths.size(); ++i) {
            files.push_back({crk::lend(paths[i]), i < infos.size() ? infos[i].level : -1, is_output});
        }
    }

    void send(crk_event event, const rocksdb::Status *status = nullptr, const rocksdb::Status *other = nullptr) {
        if (status != nullptr && !status->ok()) { event.status = crk::to_status(*status); }
        if (other != nullptr && !other->ok()) { event.other_status = crk::to_status(*other); }
        crk::CallbackScope scope;
        each_(context_.get(), &event);
    }

    crk::Context context_;
    crk_event_sink each_;
    bool file_operations_;
};

}  // namespace

crk_status crk_db_options_add_listener(crk_db_options *options, bool file_operations, void *context, crk_event_sink each,
    void (*destroy)(void *)) {
    return crk::guarded([&] {
        options->object.listeners.push_back(std::make_shared<Listener>(file_operations, context, each, destroy));
        return rocksdb::Status::OK();
    });
}
