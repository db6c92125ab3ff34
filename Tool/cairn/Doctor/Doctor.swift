import ArgumentParser
import CairnCore
import CairnToolKit

/// `cairn doctor`: says what a path is, and whether it is intact.
struct Doctor: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Identify a file or directory, check it, and suggest what to do next.",
        discussion: """
            Recognizes RocksDB databases and their backups, sorted files (SST) and exported column families, object stores, also in PostgreSQL and etcd, mapped stores, \
            constant databases in all layouts, MMKV and Goose files, and directories of BNRPersistence.

            Reads everything that has checksums or must be consistent. Changes nothing; it neither waits for nor disturbs a program that has the \
            store open.

            Without the key, an encrypted store is checked as far as possible. For an MMKV file, --key-file contains exactly the key that was \
            given to MMKV.

            Exit codes:
              0  it is a store, and no damage was found
              1  it is damaged, unfinished, or not a store
              2  the command line is invalid
              3  it cannot be read, or not at the moment
              4  a key file cannot be read
            """
    )

    @Argument(
        help:
            "The file or directory, also as rocksdb:PATH or sqlite:PATH, postgresql://USER@HOST/DATABASE#STORE, or etcd://HOST:PORT/PREFIX.",
        completion: .file()
    )
    var path: String
    @OptionGroup var key: KeyArguments
    @OptionGroup var password: PasswordArguments
    @Flag(help: "Print a JSON object.") var json = false

    func validate() throws { try password.validate(for: path) }

    func run() throws {
        let examination = try Examination(path: StoreLocation.path(in: path) ?? path, key: key, password: password)
        defer { examination.progress.finish() }
        let diagnosis = try examination.run()
        examination.progress.finish()
        try printing { output in
            if json { try output.write(diagnosis.json(path: path)) } else { try diagnosis.write(path: path, to: output) }
        }
        if diagnosis.status != .done { throw diagnosis.status }
    }
}

/// A run of `doctor`.
struct Examination {
    let path: String
    let kind: PathKind
    /// The key or passphrase that the user gave.
    let key: GivenKey?
    let keyFile: String?
    /// The options with which the user gave it.
    let keyOptions: [String]
    let password: PasswordArguments
    let progress = Progress(total: nil)

    init(path: String, key arguments: KeyArguments, password: PasswordArguments) throws {
        // In suggested commands, it must not look like an option.
        let path = path.hasPrefix("-") ? "./" + path : path
        self.path = path
        self.password = password
        kind = try PathKind.existing(path)
        keyFile = arguments.keyFile
        keyOptions = arguments.options
        // MMKV keys can have any length: they are read where they are needed.
        key = if case .mmkv = kind { nil } else { try arguments.read() }
    }

    func run() throws -> Diagnosis {
        var diagnosis = try examine()
        // Only the passphrase shows which objects of BNRPersistence are encrypted.
        let isKnown = if case .bnr = kind { false } else { true }
        if isKnown, !keyOptions.isEmpty, !diagnosis.isEncrypted { diagnosis.notes.append("it is not encrypted; the key was not needed") }
        if let target = PathKind.linkTarget(of: path) { diagnosis.notes.append("the path is a symbolic link to '\(target)'") }
        return diagnosis
    }

    private func examine() throws -> Diagnosis {
        switch kind {
        case .database, .export, .backups, .bnr: try refuseUnreadable(path)
        default: break
        }
        return switch kind {
        case .database(let files): try database(files: files)
        case .export(let files): try columnFamilyExport(files: files)
        case .backups: backups()
        case .bnr(let directory): try bnr(directory)
        case .mapped: try mapped()
        case .cdb(let dialect): constantDatabase(dialect)
        case .mmkv: try mmkv()
        case .goose: goose()
        case .sorted: sortedFile()
        case .sqlite: try shared("an SQLite file", foreign: "an SQLite database", .sqlite(FileLocation(path: path)))
        case .postgres: try shared("a PostgreSQL database", foreign: "a PostgreSQL schema", password.location(path))
        case .etcd: try shared("an etcd cluster", foreign: "an etcd prefix", password.location(path))
        case .directory(let names): otherDirectory(names)
        case .file(let file): otherFile(file)
        case .other: .nothing("neither a file nor a directory", "It is a device, a pipe or a socket, which cannot contain a store.")
        }
    }

    /// A file that the user may not read is not damage.
    private func refuseUnreadable(_ directory: String, depth: Int = 0) throws {
        // The lock file is not read. Files that have disappeared were deleted by a running program.
        for name in (try? FileSystem.system.list(directory)) ?? [] where name != "LOCK" {
            let place = FileSystem.join(directory, name)
            guard let status = try? FileSystem.system.stat(place) else { continue }
            do throws(SystemCallError) {
                switch status.kind {
                case .file: try FileSystem.system.close(FileSystem.system.open(place, [.read]))
                case .directory: _ = try FileSystem.system.list(place)
                case .other: break
                }
            } catch {
                guard !isMissing(error.errno) else { continue }
                throw Failure(.database, "'\(place)' cannot be read: \(error.text).", hint: "Check its permissions and the disk.")
            }
            // Backups are nested two directories deep.
            if status.kind == .directory, depth < 2 { try refuseUnreadable(place, depth: depth + 1) }
        }
    }

    /// The options that open the store in suggested commands.
    func options(_ diagnosis: Diagnosis) -> [String] { (diagnosis.isEncrypted ? keyOptions : []) + password.options(for: path) }

    /// Shows the progress of a check.
    func show(_ part: Double) { progress.show(step: "checking: \(Int(part * 100)) %") }
}

extension Diagnosis {
    static let allChecked = "It is intact: everything was read, and no damage was found."

    /// Sets the state according to the damage found; `summary` is for an intact store.
    mutating func conclude(_ summary: String = allChecked, damaged: String) {
        state = damage.isEmpty ? .intact : .damaged
        self.summary = damage.isEmpty ? summary : damaged
    }
}
