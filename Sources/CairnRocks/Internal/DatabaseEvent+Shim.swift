import CRocks
import CairnCore

extension DatabaseEvent {
    /// Copies what the shim lends and takes ownership of its statuses; `nil` for an unknown kind.
    @unsafe init?(_ event: crk_event) {
        let error = unsafe event.status.isOK ? nil : event.status.error(event.attempt, code: nil)
        let otherError = unsafe event.other_status.isOK ? nil : event.other_status.error("recovering", code: nil)
        switch unsafe event.kind {
        case CRK_FLUSH_BEGAN: self = unsafe .flushBegan(Flush(event))
        case CRK_FLUSH_COMPLETED: self = unsafe .flushCompleted(Flush(event))
        case CRK_COMPACTION_BEGAN: self = unsafe .compactionBegan(Compaction(event, error))
        case CRK_COMPACTION_COMPLETED: self = unsafe .compactionCompleted(Compaction(event, error))
        case CRK_SUBCOMPACTION_BEGAN: self = unsafe .subcompactionBegan(Compaction(event, error))
        case CRK_SUBCOMPACTION_COMPLETED: self = unsafe .subcompactionCompleted(Compaction(event, error))
        case CRK_MEMTABLE_SEALED: self = unsafe .memtableSealed(Memtable(event))
        case CRK_TABLE_FILE_CREATION_BEGAN: self = unsafe .tableFileCreationBegan(FileCreation(event, error))
        case CRK_TABLE_FILE_CREATED: self = unsafe .tableFileCreated(FileCreation(event, error))
        case CRK_TABLE_FILE_DELETED: self = unsafe .tableFileDeleted(FileDeletion(event, error))
        case CRK_BLOB_FILE_CREATION_BEGAN: self = unsafe .blobFileCreationBegan(FileCreation(event, error))
        case CRK_BLOB_FILE_CREATED: self = unsafe .blobFileCreated(FileCreation(event, error))
        case CRK_BLOB_FILE_DELETED: self = unsafe .blobFileDeleted(FileDeletion(event, error))
        case CRK_COLUMN_FAMILY_HANDLE_DELETED:
            self = unsafe .columnFamilyReleased(name: event.column_family.text, id: event.column_family_id)
        case CRK_EXTERNAL_FILE_INGESTED: self = unsafe .externalFileIngested(Ingestion(event))
        case CRK_BACKGROUND_ERROR: self = unsafe .backgroundError(BackgroundError(event, error))
        case CRK_RECOVERY_BEGAN: self = unsafe .recoveryBegan(BackgroundError(event, error))
        case CRK_RECOVERY_ENDED:
            self = .recoveryEnded(Recovery(oldError: error ?? RocksError(.unknown, "unknown error"), newError: otherError))
        case CRK_STALL_CHANGED: self = unsafe .stallChanged(Stall(event))
        case CRK_FILE_OPERATION: self = unsafe .fileOperation(FileOperation(event, error))
        case CRK_IO_FAILURE: self = unsafe .ioFailure(FileOperation(event, error))
        default: return nil
        }
    }
}

extension crk_event {
    /// The attempted operation, for an error's message.
    @unsafe fileprivate var attempt: String {
        let target = unsafe path.size > 0 ? " on '\(path.text)'" : ""
        return switch unsafe kind {
        case CRK_BACKGROUND_ERROR, CRK_RECOVERY_BEGAN, CRK_RECOVERY_ENDED: "working in the background"
        case CRK_COMPACTION_COMPLETED, CRK_SUBCOMPACTION_COMPLETED: "compacting"
        default: "working\(target)"
        }
    }
}

extension DatabaseEvent.Flush {
    @unsafe fileprivate init(_ event: crk_event) {
        unsafe columnFamily = event.column_family.text
        unsafe columnFamilyID = event.column_family_id
        unsafe job = Int(event.job)
        unsafe threadID = event.thread_id
        unsafe reason = String(cString: event.reason)
        unsafe path = event.path.text
        unsafe slowsWrites = event.slows_writes
        unsafe stopsWrites = event.stops_writes
        unsafe sequenceNumbers = min(event.first_sequence, event.last_sequence)...event.last_sequence
        unsafe entryCount = Int(event.entries)
        unsafe deletionCount = Int(event.deletions)
    }
}

extension DatabaseEvent.Compaction {
    @unsafe fileprivate init(_ event: crk_event, _ error: RocksError?) {
        unsafe columnFamily = event.column_family.text
        unsafe columnFamilyID = event.column_family_id
        unsafe job = Int(event.job)
        unsafe threadID = event.thread_id
        unsafe part = max(0, Int(event.part))
        unsafe reason = String(cString: event.reason)
        unsafe inputLevel = Int(event.input_level)
        unsafe outputLevel = Int(event.output_level)
        var inputs: [DatabaseEvent.File] = [], outputs: [DatabaseEvent.File] = []
        for index in unsafe 0..<event.file_count {
            guard let file = unsafe event.files?[index] else { break }
            let copy = unsafe DatabaseEvent.File(path: file.path.text, level: Int(file.level))
            if unsafe file.is_output { outputs.append(copy) } else { inputs.append(copy) }
        }
        (self.inputs, self.outputs) = (inputs, outputs)
        unsafe inputEntryCount = Int(event.entries)
        unsafe inputDeletionCount = Int(event.deletions)
        unsafe replacedEntryCount = Int(event.replaced)
        unsafe outputEntryCount = Int(event.output_entries)
        unsafe inputSize = .bytes(Int64(clamping: event.input_size))
        unsafe outputSize = .bytes(Int64(clamping: event.size))
        unsafe duration = .nanoseconds(Int64(clamping: event.nanoseconds))
        unsafe processorTime = .nanoseconds(Int64(clamping: event.cpu_nanoseconds))
        unsafe isManual = event.is_manual
        unsafe isFull = event.is_full
        unsafe compression = Compression(rawValue: String(cString: event.compression))
        self.error = error
    }
}

extension DatabaseEvent.Memtable {
    @unsafe fileprivate init(_ event: crk_event) {
        unsafe columnFamily = event.column_family.text
        unsafe firstSequenceNumber = event.first_sequence
        unsafe earliestSequenceNumber = event.last_sequence
        unsafe entryCount = Int(event.entries)
        unsafe deletionCount = Int(event.deletions)
    }
}

extension DatabaseEvent.FileCreation {
    @unsafe fileprivate init(_ event: crk_event, _ error: RocksError?) {
        unsafe columnFamily = event.column_family.text
        unsafe job = Int(event.job)
        unsafe reason = String(cString: event.reason)
        unsafe path = event.path.text
        unsafe size = .bytes(Int64(clamping: event.size))
        unsafe entryCount = Int(event.entries)
        unsafe deletionCount = Int(event.deletions)
        self.error = error
    }
}

extension DatabaseEvent.FileDeletion {
    @unsafe fileprivate init(_ event: crk_event, _ error: RocksError?) {
        unsafe job = Int(event.job)
        unsafe path = event.path.text
        self.error = error
    }
}

extension DatabaseEvent.Ingestion {
    @unsafe fileprivate init(_ event: crk_event) {
        unsafe columnFamily = event.column_family.text
        unsafe externalPath = event.other_path.text
        unsafe path = event.path.text
        unsafe sequenceNumber = event.first_sequence
        unsafe entryCount = Int(event.entries)
    }
}

extension DatabaseEvent.BackgroundError {
    @unsafe fileprivate init(_ event: crk_event, _ error: RocksError?) {
        unsafe reason = String(cString: event.reason)
        self.error = error ?? RocksError(.unknown, "unknown error")
    }
}

extension DatabaseEvent.Stall {
    @unsafe fileprivate init(_ event: crk_event) {
        unsafe columnFamily = event.column_family.text
        unsafe current = State(constant: String(cString: event.reason))
        unsafe previous = State(constant: String(cString: event.other_reason))
    }
}

extension DatabaseEvent.Stall.State {
    fileprivate init(constant: String) {
        self =
            switch constant {
            case "kDelayed": .delayed
            case "kStopped": .stopped
            default: .normal
            }
    }
}

extension DatabaseEvent.FileOperation {
    @unsafe fileprivate init(_ event: crk_event, _ error: RocksError?) {
        unsafe operation = String(cString: event.reason)
        unsafe path = event.path.text
        unsafe offset = Int(clamping: event.offset)
        unsafe size = .bytes(Int64(clamping: event.size))
        unsafe duration = .nanoseconds(Int64(clamping: event.nanoseconds))
        self.error = error
    }
}
