import CairnCore
import CairnRocks
import CairnToolKit

extension Examination {
    /// A RocksDB database, or what lives in one.
    func database(files: [String]) throws -> Diagnosis {
        if isEncrypted(files) { return encryptedDatabase(files) }
        var diagnosis = Diagnosis(.rocksdb, "a RocksDB database")
        guard files.contains("CURRENT") else {
            diagnosis.damage.append("the file CURRENT is missing, which says which of the other files count")
            concludeRocks(&diagnosis, opens: false)
            return diagnosis
        }
        let holder = try? LockHolder.process(holding: FileSystem.join(path, "LOCK"))
        // A program at work deletes files that this is about to read: what is damaged stays so.
        for _ in 0..<(holder == nil ? 1 : 5) {
            diagnosis = try checkedDatabase()
            if diagnosis.state != .damaged { break }
        }
        if let holder { diagnosis.notes.append("process \(holder) has it open; this is how it was at that moment") }
        return diagnosis
    }

    private func checkedDatabase() throws -> Diagnosis {
        var diagnosis = Diagnosis(.rocksdb, "a RocksDB database")
        let database: RocksDB
        do {
            database = try DatabaseOpener(path: path).open(.readOnly)
        } catch let error as RocksError where error.code == .corruption || error.code == .ioError || error.code == .databaseNotFound {
            diagnosis.damage.append(error.message)
            concludeRocks(&diagnosis, opens: false)
            return diagnosis
        } catch {
            guard let failure = Failure(error) else { throw error }
            diagnosis.state = .unavailable
            diagnosis.summary = "It cannot be opened here: \(failure.message)"
            if let hint = failure.hint { diagnosis.notes.append(hint) }
            return diagnosis
        }
        defer { try? database.close() }
        var report = VerifyReport()
        progress.show(step: "checking the files")
        report.check(database)
        if let store = try objectStore(in: database, damage: report.damage) { return store }
        diagnosis.damage = report.damage
        diagnosis.fact("column families", report.families.count)
        diagnosis.fact("entries", report.families.reduce(0) { $0 + $1.entries })
        let bytes = report.families.reduce(0) { $0 + $1.bytes }
        diagnosis.fact("data", bytes: bytes, ByteCount(bytes: bytes).description)
        for family in report.families where family.state == .unread {
            diagnosis.notes.append(
                "column family '\(family.name)' merges by an operator of its own program: checksums were compared, entries not read"
            )
        }
        concludeRocks(&diagnosis, opens: true)
        return diagnosis
    }

    private func concludeRocks(_ diagnosis: inout Diagnosis, opens: Bool) {
        diagnosis.conclude(
            "It is whole: everything was read and compared with its checksums.",
            damaged: opens
                ? "It is damaged. What is not damaged can still be read."
                : "It is damaged so that it cannot be opened."
        )
        guard diagnosis.state == .damaged else {
            diagnosis.advise("rocks", "scan", path, "--limit", "10", to: "prints the first entries")
            return diagnosis.advise(
                "rocks",
                "backup",
                path,
                "BACKUPS",
                to: "keeps a copy in the directory BACKUPS; the database must not be open"
            )
        }
        diagnosis.advise("rocks", "restore", "BACKUPS", path, "--replace", to: "puts back the latest backup, if you have backups")
        if opens { diagnosis.advise("rocks", "export", path, to: "prints what can still be read; send it to a file") }
        diagnosis.advise(command: ["cp", "-R", path, path + ".copy"], to: "keeps everything as it is, before anything else is tried")
        diagnosis.advise("rocks", "repair", path, "--yes", to: "the last resort: makes a database of the files that can be read")
    }

    // MARK: Encrypted databases

    private static let mark = "CAIRNENC"

    private func sample(_ name: String) -> FileSample? {
        let place = FileSystem.join(path, name)
        guard let status = try? FileSystem.system.stat(place), status.kind == .file else { return nil }
        return try? FileSample(place, size: status.size)
    }

    /// Whether the database was written in an encrypted environment, as its files say.
    private func isEncrypted(_ files: [String]) -> Bool {
        files.contains { ($0 == "CURRENT" || $0.hasPrefix("MANIFEST-")) && sample($0)?.starts(with: Self.mark) == true }
    }

    private func encryptedDatabase(_ files: [String]) -> Diagnosis {
        var diagnosis = Diagnosis(.rocksdb, "an encrypted RocksDB database")
        diagnosis.isEncrypted = true
        let samples = files.filter { $0 != "LOCK" }.map { (name: $0, sample: sample($0)) }
        for (name, sample) in samples {
            guard let sample else { continue }
            if sample.size > 0, !sample.starts(with: Self.mark) { diagnosis.damage.append("\(name) does not begin as encrypted files do") }
        }
        if !files.contains("CURRENT") {
            diagnosis.damage.append("the file CURRENT is missing, which says which of the other files count")
        }
        diagnosis.fact("files", samples.count)
        diagnosis.conclude(damaged: "It is damaged: not all of its files are what the database wrote.")
        if diagnosis.state == .whole {
            diagnosis.state = .locked
            diagnosis.summary = """
                Its files begin as they must. All else is encrypted, the checksums too, and this tool takes no key for these: the program \
                that has the key can check it, with verifyChecksums().
                """
        }
        return diagnosis
    }

    // MARK: Sorted files and exports

    func sortedFile() -> Diagnosis {
        var diagnosis = Diagnosis(.sortedFile, "a sorted file (SST) of RocksDB")
        do throws(RocksError) {
            let properties = try checkSorted(path)
            for (name, key) in [("entries", "num_entries"), ("deletions", "num_deletions")] {
                if let text = properties[key], let count = Int64(text) { diagnosis.fact(name, count) }
            }
            if let name = properties["column_family_name"], !name.isEmpty { diagnosis.fact("column family", name) }
            if let name = properties["comparator"] ?? properties["comparator_name"] { diagnosis.fact("order", name) }
        } catch {
            if error.code == .corruption || error.code == .ioError {
                diagnosis.damage.append(error.message)
            } else {
                diagnosis.state = .unavailable
                diagnosis.summary = "It cannot be read here: \(error.sentence)"
                return diagnosis
            }
        }
        diagnosis.conclude(
            "It is whole: everything was read and compared with its checksums.",
            damaged: "It is damaged."
        )
        let directory = FileSystem.split(path).directory
        if (try? FileSystem.system.stat(FileSystem.join(directory, "CURRENT"))) != nil {
            diagnosis.notes.append("it belongs to the database '\(directory)': leave it there")
            diagnosis.advise("doctor", directory, to: "checks the database")
        } else if diagnosis.state == .whole {
            diagnosis.advise("rocks", "ingest", "DATABASE", path, to: "takes its entries into the database DATABASE")
        } else {
            diagnosis.notes.append("write it anew, or get it from where it came from")
        }
        return diagnosis
    }

    /// Its properties. The order is a program's own where it is none of those that the tool knows: checksums need none.
    private func checkSorted(_ path: String) throws(RocksError) -> [String: String] {
        var refusal: RocksError?
        for order in [nil] + KeyOrder.allCases.map(Optional.some) {
            var options = ColumnFamilyOptions()
            if let order { options.comparator = order.comparator }
            do throws(RocksError) {
                let file = try SSTFileReader(path: path, options: options)
                try file.verifyChecksums()
                return try file.properties()
            } catch {
                guard error.code == .invalidArgument else { throw error }
                refusal = refusal ?? error
            }
        }
        throw refusal ?? RocksError(.notSupported, "reading '\(path)': its order is not known")
    }

    func columnFamilyExport(files: [String]) throws -> Diagnosis {
        var diagnosis = Diagnosis(.columnFamilyExport, "an exported column family")
        let list = sample("CAIRN-EXPORT")
        let bytes = try list.map { try ByteInput(path: $0.path, isText: false).readAll() } ?? []
        let sum = bytes.suffix(4).reversed().reduce(0 as UInt32) { $0 << 8 | UInt32($1) }
        if bytes.count < 13 || CRC32C.checksum(of: Array(bytes.dropLast(4))) != sum {
            diagnosis.damage.append("the list of its files, CAIRN-EXPORT, does not have its checksum")
        }
        let sorted = files.filter { $0.hasSuffix(".sst") }
        for name in sorted {
            do throws(RocksError) { _ = try checkSorted(FileSystem.join(path, name)) } catch {
                if error.code == .corruption || error.code == .ioError { diagnosis.damage.append(error.message) }
            }
        }
        diagnosis.fact("files", sorted.count)
        diagnosis.conclude("It is whole: its files have their checksums.", damaged: "It is damaged.")
        diagnosis.notes.append(
            diagnosis.state == .whole
                ? "RocksDB.importColumnFamily(_:from:) makes a column family of it" : "export the column family again"
        )
        return diagnosis
    }

    // MARK: Backups

    func backups() -> Diagnosis {
        var diagnosis = Diagnosis(.backups, "a directory of backups of a RocksDB database")
        do throws(RocksError) {
            let engine = try BackupEngine(path: path, readOnly: true)
            let good = try engine.backups()
            diagnosis.damage = try engine.corruptedBackups().map { "backup \($0) cannot be restored" }
            for backup in good {
                progress.show(step: "checking backup \(backup.id)")
                do throws(RocksError) { try engine.verify(backup.id) } catch { diagnosis.damage.append(error.message) }
            }
            diagnosis.fact("backups", good.count)
            if let latest = good.last { diagnosis.fact("latest", "backup \(latest.id) of \(latest.time)") }
        } catch {
            diagnosis.damage.append(error.message)
        }
        diagnosis.conclude(
            "It is whole: all files were read and compared with their checksums.",
            damaged: "Not all of its backups can be restored."
        )
        diagnosis.advise("rocks", "backups", path, "--verify", to: "lists the backups and checks each")
        if diagnosis.state == .damaged {
            diagnosis.advise(
                "rocks",
                "backups",
                path,
                "--delete",
                "ID",
                to: "removes the damaged backup with the number ID; the others stay"
            )
        } else {
            diagnosis.advise("rocks", "restore", path, "COPY", to: "writes the latest backup to the directory COPY")
        }
        return diagnosis
    }
}
