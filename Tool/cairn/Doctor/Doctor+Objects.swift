import CairnCore
import CairnForms
import CairnObjectsEncryption
import CairnRocks
import CairnRocksGraph
import CairnSQLiteGraph
import CairnToolKit

extension Examination {
    /// The diagnosis of a database that is an object store; `nil` if it is not one. `damage` is what was found without the key.
    func objectStore(in database: RocksDB, damage: [String]) throws -> Diagnosis? {
        guard database.isObjectStore else { return nil }
        let cipher = database.objectStoreCipher
        var diagnosis = Diagnosis(.objectStore, cipher == nil ? "an object store" : "an encrypted object store")
        diagnosis.damage = damage
        diagnosis.isEncrypted = cipher != nil
        if cipher?.contains(#""change":"#) == true {
            diagnosis.state = .unfinished
            diagnosis.summary =
                "A change of its encryption was started and not finished. Nothing is lost, but nothing can be read until it is finished."
            diagnosis.advise("objects", "rekey", path, to: "finishes it; give the same old and new keys as before")
            return diagnosis
        }
        guard cipher == nil || key != nil else {
            diagnosis.conclude(damaged: "It is damaged.")
            if diagnosis.state == .intact {
                diagnosis.state = .locked
                diagnosis.summary = "Its files were read and compared with their checksums. The objects can be checked only with the key."
                diagnosis.advise("doctor", path, "--key-file", "KEY", to: "also checks the objects; or use --passphrase-file")
            } else {
                adviseAfterDamage(&diagnosis, [])
            }
            return diagnosis
        }
        var options = ObjectStoreOptions()
        options.readOnly = true
        options.createIfMissing = false
        if cipher != nil { options.cipher = try key.map { try ObjectEncryption($0) } }
        do throws(ObjectStoreError) {
            try check(ObjectStore(path: path, classes: [], options: options), &diagnosis)
        } catch {
            switch error.code {
            case .wrongKey, .unsupportedVersion, .foreignFile:
                diagnosis.state = .unavailable
                diagnosis.summary = error.sentence
            case .changeUnfinished:
                diagnosis.state = .unfinished
                diagnosis.summary = error.sentence
            default:
                diagnosis.damage.append(error.sentence)
                diagnosis.conclude(damaged: "It is too damaged to be opened.")
                adviseAfterDamage(&diagnosis, [])
            }
        }
        return diagnosis
    }

    /// The diagnosis of what several processes can have open; `foreign` is its name if another program made it.
    func shared(_ phrase: String, foreign: String, _ location: StoreLocation) throws -> Diagnosis {
        var diagnosis = Diagnosis(.objectStore, "an object store in \(phrase)")
        var options = ObjectStoreOptions()
        options.readOnly = true
        options.createIfMissing = false
        options.cipher = try key.map { try ObjectEncryption($0) }
        diagnosis.isEncrypted = options.cipher != nil
        do throws(ObjectStoreError) {
            try check(location.open(options), &diagnosis)
        } catch {
            diagnosis.summary = error.sentence
            switch error.code {
            case .foreignFile: diagnosis = .nothing(foreign, "It is not an object store: another program made it.")
            // Then it is not known what is there.
            case .notFound, .permissionDenied, .notSupported, .invalidArgument, .unavailable: throw error
            case .keyNeeded:
                diagnosis.state = .locked
                diagnosis.advise("doctor", path, "--key-file", "KEY", to: "checks the objects; or use --passphrase-file")
            case .wrongKey, .unsupportedVersion, .busy: diagnosis.state = .unavailable
            case .changeUnfinished: diagnosis.state = .unfinished
            default:
                diagnosis.damage.append(error.sentence)
                diagnosis.conclude(damaged: "It is too damaged to be opened.")
                adviseAfterDamage(&diagnosis, [])
            }
        }
        return diagnosis
    }

    private func check(_ store: ObjectStore, _ diagnosis: inout Diagnosis) throws(ObjectStoreError) {
        defer { try? store.close() }
        let report = try store.verify { show($0) }
        diagnosis.fact("classes", report.classes.count)
        diagnosis.fact("objects", report.classes.reduce(0) { $0 + $1.objectCount })
        diagnosis.fact("references", report.referenceCount)
        diagnosis.fact("names", report.nameCount)
        let listed = 20
        diagnosis.damage += report.problems.prefix(listed).map(\.reason)
        let count = report.problemCounts.values.reduce(0, +)
        if count > listed { diagnosis.damage.append("\(Numbers.grouped(count)) problems in all") }
        if !report.namesOfNothing.isEmpty {
            diagnosis.notes.append("\(Numbers.counted(report.namesOfNothing.count, "name refers", "names refer")) to deleted objects")
        }
        if let place = try? store.inspect({ try $0.movedTo() }) {
            diagnosis.notes.append("it was moved to \(place); nothing can be saved here")
        }
        if (try? store.inspect({ try $0.mayHoldFormerData() })) == true {
            diagnosis.notes.append(
                "its files may still contain data or keys that were replaced or deleted; they are removed when a program opens it for writing; on etcd, once etcd is compacted"
            )
        }
        diagnosis.conclude(
            "It is intact: everything was read, and objects, references and names are consistent.",
            damaged: "It is damaged. Objects that are not listed below can still be read."
        )
        guard diagnosis.state == .intact else { return adviseAfterDamage(&diagnosis, Set(report.problemCounts.keys)) }
        diagnosis.notes.append("index entries were only counted; programs with the classes can check their contents")
        diagnosis.advise("objects", "info", path, with: options(diagnosis), to: "shows classes and properties")
        diagnosis.advise(
            "objects",
            "export",
            path,
            with: options(diagnosis),
            to: "exports all objects in a form that every release can read; redirect it to a file"
        )
    }

    private func adviseAfterDamage(_ diagnosis: inout Diagnosis, _ kinds: Set<ObjectStoreVerification.Problem.Kind>) {
        if !kinds.isDisjoint(with: Objects.Verify.repairable) {
            adviseCopy(&diagnosis)
            diagnosis.advise(
                "objects",
                "verify",
                path,
                "--repair",
                with: options(diagnosis),
                to: "repairs what can be derived from the objects"
            )
        }
        let file = FileSystem.resolved(path)
        switch kind {
        case .sqlite:
            // A log that is left would be taken for that of the copy.
            diagnosis.advise(
                command: ["cp", "COPY", path],
                ["rm", "-f", file + "-wal", file + "-shm"],
                to: "puts back a copy that a program made with makeCheckpoint, if you have one; no program may have the store open"
            )
        case .postgres, .etcd: break
        default:
            diagnosis.advise("rocks", "restore", "BACKUPS", path, "--replace", to: "restores the latest backup, if you have backups")
        }
        diagnosis.advise("objects", "export", path, with: options(diagnosis), to: "exports what can still be read; redirect it to a file")
    }

    private func adviseCopy(_ diagnosis: inout Diagnosis) {
        let purpose = "makes a copy before anything else is tried"
        switch kind {
        case .sqlite:
            // The latest commits may be in the log only.
            let log = FileSystem.resolved(path) + "-wal"
            guard let size = try? FileSystem.system.stat(log).size, size > 0 else {
                return diagnosis.advise(command: ["cp", path, path + ".copy"], to: purpose)
            }
            diagnosis.advise(command: ["cp", path, path + ".copy"], ["cp", log, path + ".copy-wal"], to: purpose)
        case .postgres, .etcd: break
        default: diagnosis.advise(command: ["cp", "-R", path, path + ".copy"], to: purpose)
        }
    }
}
