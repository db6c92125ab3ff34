import CairnCore
import CairnRocks
import CairnToolKit

extension Examination {
    /// A RocksDB database, or an object store in one.
    func database(files: [String]) throws -> Diagnosis {
        if isEncrypted(files) { return encryptedDatabase(files) }
        var diagnosis = Diagnosis(.rocksdb, "a RocksDB database")
        guard files.contains("CURRENT") else {
            diagnosis.damage.append("the file CURRENT, which names the manifest, is missing")
            concludeRocks(&diagnosis, opens: false)
            return diagnosis
        }
        let holder = try? LockHolder.process(holding: FileSystem.join(path, "LOCK"))
        // A running program may delete files before they are read here. Real damage is found in every attempt.
        for _ in 0..<(holder == nil ? 1 : 5) {
            diagnosis = try checkedDatabase()
            if diagnosis.state != .damaged { break }
        }
        if let holder { diagnosis.notes.append("process \(holder) has it open; this is its state at that moment") }
        return diagnosis
    }

    private func checkedDatabase() throws -> Diagnosis {
        var diagnosis = Diagnosis(.rocksdb, "a RocksDB database")
        let database: RocksDB
        do {
            database = try DatabaseOpener(path: path).open(.readOnly)
        } catch let error as RocksError where error.code == .corruption || error.code == .ioError || error.code == .notFound {
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
        progress.show(step: "checking the files")
        let found = RocksVerification(database)
        let damage = found.damage.map(\.what)
        if let store = try objectStore(in: database, damage: damage) { return store }
        diagnosis.damage = damage
        diagnosis.fact("column families", found.families.count)
        diagnosis.fact("entries", found.families.reduce(0) { $0 + $1.entries })
        let bytes = found.families.reduce(0) { $0 + $1.bytes }
        diagnosis.fact("data", bytes: bytes, ByteCount(bytes: bytes).description)
        for family in found.families where family.state == .unread {
            diagnosis.notes.append(
                "column family '\(family.name)' has a merge operator that only its program has: checksums were compared, but entries were not read"
            )
        }
        let isRead = !found.families.contains { $0.state == .unread }
        concludeRocks(&diagnosis, opens: true, isRead: isRead)
        return diagnosis
    }

    private func concludeRocks(_ diagnosis: inout Diagnosis, opens: Bool, isRead: Bool = true) {
        diagnosis.conclude(
            isRead
                ? "It is intact: everything was read and compared with its checksums."
                : "Its checksums match, but some of its entries cannot be read here.",
            damaged: opens
                ? "It is damaged. Everything that is intact can still be read."
                : "It is too damaged to be opened."
        )
        guard diagnosis.state == .damaged else {
            diagnosis.advise("rocks", "scan", path, "--limit", "10", to: "prints the first entries")
            return diagnosis.advise(
                "rocks",
                "backup",
                path,
                "BACKUPS",
                to: "makes a backup in the directory BACKUPS; no program may have the database open"
            )
        }
        diagnosis.advise("rocks", "restore", "BACKUPS", path, "--replace", to: "restores the latest backup, if you have backups")
        if opens { diagnosis.advise("rocks", "export", path, to: "exports what can still be read; redirect it to a file") }
        diagnosis.advise(command: ["cp", "-R", path, path + ".copy"], to: "makes a copy before anything else is tried")
        diagnosis.advise("rocks", "repair", path, "--yes", to: "the last resort: rebuilds the database from the files that can be read")
    }

    // MARK: Encrypted databases

    private static let mark = "CAIRNENC"

    private func sample(_ name: String) -> FileSample? {
        let place = FileSystem.join(path, name)
        guard let status = try? FileSystem.system.stat(place), status.kind == .file else { return nil }
        return try? FileSample(place, size: status.size)
    }

    /// Whether the files of the database begin as those of encrypted environments.
    private func isEncrypted(_ files: [String]) -> Bool {
        files.contains { ($0 == "CURRENT" || $0.hasPrefix("MANIFEST-")) && sample($0)?.starts(with: Self.mark) == true }
    }

    private func encryptedDatabase(_ files: [String]) -> Diagnosis {
        var diagnosis = Diagnosis(.rocksdb, "an encrypted RocksDB database")
        diagnosis.isEncrypted = true
        let samples = files.filter { $0 != "LOCK" }.map { (name: $0, sample: sample($0)) }
        for (name, sample) in samples {
            guard let sample else { continue }
            if sample.size > 0, !sample.starts(with: Self.mark) {
                diagnosis.damage.append("\(name) does not have the header of an encrypted file")
            }
        }
        if !files.contains("CURRENT") {
            diagnosis.damage.append("the file CURRENT, which names the manifest, is missing")
        }
        diagnosis.fact("files", samples.count)
        diagnosis.conclude(damaged: "It is damaged: some of its files are not what the database wrote.")
        if diagnosis.state == .intact {
            diagnosis.state = .locked
            diagnosis.summary = """
                Its files have valid headers. Everything else is encrypted, including the checksums, and this tool cannot decrypt it. The program \
                that has the key can check it with verifyChecksums().
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
            "It is intact: everything was read and compared with its checksums.",
            damaged: "It is damaged."
        )
        let directory = FileSystem.split(path).directory
        if (try? FileSystem.system.stat(FileSystem.join(directory, "CURRENT"))) != nil {
            diagnosis.notes.append("it belongs to the database '\(directory)'; do not move it")
            diagnosis.advise("doctor", directory, to: "checks the database")
        } else if diagnosis.state == .intact {
            diagnosis.advise("rocks", "ingest", "DATABASE", path, to: "adds its entries to the database DATABASE")
        } else {
            diagnosis.notes.append("write it again, or get another copy")
        }
        return diagnosis
    }

    /// Verifies the file and returns its properties. Tries all comparators that the tool knows.
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
        throw refusal ?? RocksError(.notSupported, "reading '\(path)': its comparator is not known")
    }

    func columnFamilyExport(files: [String]) throws -> Diagnosis {
        var diagnosis = Diagnosis(.columnFamilyExport, "an exported column family")
        let list = sample("CAIRN-EXPORT")
        let bytes = try list.map { try ByteInput(path: $0.path, isText: false).readAll() } ?? []
        let sum = bytes.suffix(4).reversed().reduce(0 as UInt32) { $0 << 8 | UInt32($1) }
        if bytes.count < 13 || CRC32C.checksum(of: Array(bytes.dropLast(4))) != sum {
            diagnosis.damage.append("the list of its files, CAIRN-EXPORT, does not match its checksum")
        }
        let sorted = files.filter { $0.hasSuffix(".sst") }
        for name in sorted {
            do throws(RocksError) { _ = try checkSorted(FileSystem.join(path, name)) } catch {
                guard error.code == .corruption || error.code == .ioError || error.code == .isDirectory else {
                    diagnosis.state = .unavailable
                    diagnosis.summary = "It cannot be read here: \(error.sentence)"
                    return diagnosis
                }
                diagnosis.damage.append(error.message)
            }
        }
        diagnosis.fact("files", sorted.count)
        diagnosis.conclude("It is intact: its files match their checksums.", damaged: "It is damaged.")
        diagnosis.notes.append(
            diagnosis.state == .intact
                ? "RocksDB.importColumnFamily(_:from:) imports it" : "export the column family again"
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
            "It is intact: all files were read and compared with their checksums.",
            damaged: "Some of its backups cannot be restored."
        )
        diagnosis.advise("rocks", "backups", path, "--verify", to: "lists and verifies the backups")
        if diagnosis.state == .damaged {
            diagnosis.advise(
                "rocks",
                "backups",
                path,
                "--delete",
                "ID",
                to: "deletes the damaged backup with the number ID; the others are kept"
            )
        } else {
            diagnosis.advise("rocks", "restore", path, "COPY", to: "restores the latest backup to the directory COPY")
        }
        return diagnosis
    }
}
