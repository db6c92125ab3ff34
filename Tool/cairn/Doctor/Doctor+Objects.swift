import CairnCore
import CairnObjectsEncryption
import CairnRocks
import CairnRocksGraph
import CairnToolKit

extension Examination {
    /// The object store that a database is; `nil` if it is none. What is there without its key was checked: `damage` is what was found.
    func objectStore(in database: RocksDB, damage: [String]) throws -> Diagnosis? {
        guard database.isObjectStore else { return nil }
        let cipher = database.objectStoreCipher
        var diagnosis = Diagnosis(.objectStore, cipher == nil ? "an object store" : "an encrypted object store")
        diagnosis.damage = damage
        diagnosis.isEncrypted = cipher != nil
        if cipher?.contains(#""change":"#) == true {
            diagnosis.state = .unfinished
            diagnosis.summary =
                "A change of its encryption was begun and has not ended. Nothing is lost, and nothing can be read until it has."
            diagnosis.advise("objects", "rekey", path, to: "goes on with it; give the old key and the new one as before")
            return diagnosis
        }
        guard cipher == nil || key != nil else {
            diagnosis.conclude(damaged: "It is damaged.")
            if diagnosis.state == .whole {
                diagnosis.state = .locked
                diagnosis.summary = "Its files were read and compared with their checksums. The objects can be checked with the key only."
                diagnosis.advise("doctor", path, "--key-file", "KEY", to: "checks the objects too; or --passphrase-file")
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
            default:
                diagnosis.damage.append(error.sentence)
                diagnosis.conclude(damaged: "It is damaged so that it cannot be opened.")
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
            diagnosis.notes.append("\(Numbers.counted(report.namesOfNothing.count, "name leads", "names lead")) to nothing any more")
        }
        diagnosis.conclude(
            "It is whole: everything was read, and objects, references and names belong together.",
            damaged: "It is damaged. Objects that are not named below can still be read."
        )
        guard diagnosis.state == .whole else { return adviseAfterDamage(&diagnosis, Set(report.problemCounts.keys)) }
        diagnosis.notes.append("what indexes must hold is known to programs with the classes only; their entries were counted")
        diagnosis.advise("objects", "info", path, with: options(diagnosis), to: "shows classes and properties")
        diagnosis.advise(
            "objects",
            "export",
            path,
            with: options(diagnosis),
            to: "prints all objects, as a backup that every release can read; send it to a file"
        )
    }

    private func adviseAfterDamage(_ diagnosis: inout Diagnosis, _ kinds: Set<ObjectStoreVerification.Problem.Kind>) {
        if !kinds.isDisjoint(with: Objects.Check.mendable) {
            diagnosis.advise(command: ["cp", "-R", path, path + ".copy"], to: "keeps everything as it is, before anything else is tried")
            diagnosis.advise("objects", "check", path, "--repair", with: options(diagnosis), to: "mends what follows from the objects")
        }
        diagnosis.advise("rocks", "restore", "BACKUPS", path, "--replace", to: "puts back the latest backup, if you have backups")
        diagnosis.advise("objects", "export", path, with: options(diagnosis), to: "prints what can still be read; send it to a file")
    }
}
