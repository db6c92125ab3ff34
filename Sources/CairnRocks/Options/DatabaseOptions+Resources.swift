public import CairnCore

// Threads, files and logs.
extension DatabaseOptions {
    /// How many flushes and compactions may run at once. Default: 2. Changes on a live database.
    public var maxBackgroundJobs: Int {
        get { self["max_background_jobs"] }
        set { self["max_background_jobs"] = newValue }
    }
    /// How many files may be open at once; -1: all. Default: -1. Changes on a live database.
    public var maxOpenFiles: Int {
        get { self["max_open_files"] }
        set { self["max_open_files"] = newValue }
    }
    /// After how many bytes written a file's dirty pages are handed to the device, to smooth writing; zero: never. Default: zero. Changes on a
    /// live database.
    public var bytesPerSync: ByteCount {
        get { self["bytes_per_sync"] }
        set { self["bytes_per_sync"] = newValue }
    }
    /// How many information logs (`LOG.old.*`) are kept. Default: 1000. Cannot change on a live database.
    public var keepLogFileCount: Int {
        get { self["keep_log_file_num"] }
        set { self["keep_log_file_num"] = newValue }
    }
}
