import CairnCore
import CairnMapped
import CairnMappedEncryption
import CairnMappedImport
import CairnObjectsBNR
import CairnToolKit

extension Examination {
    // MARK: Stores of others that can be imported

    func mmkv() throws -> Diagnosis {
        var diagnosis = Diagnosis(.mmkv, "a file of MMKV")
        let hasMeta = (try? FileSystem.system.stat(path + ".crc"))?.kind == .file
        if !hasMeta { diagnosis.notes.append("its companion \(path).crc is not there, so nothing vouches for what was read") }
        var cipher: MappedImportCipher?
        do throws(MappedStoreError) { _ = try MappedImport.mmkv(path: path) } catch {
            if error.code == .keyNeeded {
                diagnosis.phrase = "an encrypted file of MMKV"
                diagnosis.isEncrypted = true
            }
            // A plain file needs none, and what cannot be read may be encrypted.
            cipher = try keyFile.map { MappedImportCipher.aes(key: try ByteInput(path: $0, isText: false).readAll()) }
        }
        do throws(MappedStoreError) {
            let found = try MappedImport.mmkv(path: path, cipher: cipher)
            concludeForeign(
                &diagnosis,
                found.report,
                "It is whole: \(hasMeta ? "its checksum is right." : "as far as can be told without the .crc file.")"
            )
            let key = cipher == nil ? [] : keyFile.map { ["--mmkv-key-file", $0] } ?? []
            diagnosis.advise(
                command: ["cairn", "mapped", "import", "STORE", path, "--format", "mmkv", "--create"] + key,
                to: "stores its values in the mapped store STORE"
            )
        } catch {
            switch error.code {
            case .keyNeeded:
                diagnosis.state = .locked
                diagnosis.summary = "Without the key that was given to MMKV nothing more can be told."
                diagnosis.advise("doctor", path, "--key-file", "KEY", to: "checks it; KEY holds the key byte for byte")
            case .malformedInput:
                diagnosis.damage.append(error.message)
                diagnosis.conclude(damaged: "It is damaged so that no record can be read.")
                diagnosis.notes.append("restore file and .crc file from a backup; if the store is encrypted, try again with --key-file")
            default:
                diagnosis.state = .unavailable
                diagnosis.summary = error.sentence
            }
        }
        return diagnosis
    }

    func goose() -> Diagnosis {
        var diagnosis = Diagnosis(.goose, "a file of Goose")
        do throws(MappedStoreError) {
            let found = try MappedImport.goose(path: path)
            concludeForeign(
                &diagnosis,
                found.report,
                "It is whole: its records follow each other to the end. The format has no checksums, so damage inside of values cannot be seen."
            )
            diagnosis.advise(
                "mapped",
                "import",
                "STORE",
                path,
                "--format",
                "goose",
                "--create",
                to: "stores its values in the mapped store STORE"
            )
        } catch {
            diagnosis.damage.append(error.message)
            diagnosis.conclude(damaged: "It is damaged so that no record can be read.")
        }
        return diagnosis
    }

    private func concludeForeign(_ diagnosis: inout Diagnosis, _ report: MappedImportReport, _ summary: String) {
        diagnosis.fact("keys", report.importedCount)
        diagnosis.fact("records", report.recordCount)
        if let damage = report.damage { diagnosis.damage.append(damage) }
        if !report.unverifiedKeys.isEmpty, report.damage != nil {
            diagnosis.damage.append("no checksum vouches for \(Numbers.counted(report.unverifiedKeys.count, "key", "keys"))")
        }
        for left in report.leftOut { diagnosis.notes.append("key '\(left.key)' cannot be taken over: \(left.reason)") }
        diagnosis.notes += report.warnings
        diagnosis.conclude(summary, damaged: "It is damaged. What could be read can be imported.")
    }

    func bnr(_ directory: BNRDirectory) throws -> Diagnosis {
        var diagnosis = Diagnosis(.bnrpersistence, "a store of BNRPersistence")
        let passphrase: String? = if case .passphrase(let text)? = key { text } else { nil }
        var (objects, encrypted) = (0, 0)
        for name in directory.classNames {
            progress.show(step: "checking \(name)")
            do throws(BNRError) {
                let file = try directory.openClass(name, passphrase: passphrase)
                diagnosis.damage += file.damage.map { "\(name): \($0)" }
                objects += file.rows.count
                if passphrase != nil { encrypted += file.rows.count { file.content(row: $0)?.wasEncrypted == true } }
                note(&diagnosis, name, file.file)
            } catch {
                diagnosis.damage.append(error.message)
            }
        }
        diagnosis.fact("classes", directory.classNames.joined(separator: ", "))
        diagnosis.fact("objects", objects)
        if passphrase == nil {
            diagnosis.notes.append("whether objects are encrypted, only the passphrase tells: --passphrase-file")
        } else {
            diagnosis.fact("encrypted objects", encrypted)
        }
        do throws(BNRError) {
            if let names = try directory.openNames() {
                diagnosis.fact("names", names.records.count)
                diagnosis.damage += names.damage.map { "NamedBuffers: \($0)" }
                note(&diagnosis, "NamedBuffers", names)
            }
        } catch {
            diagnosis.damage.append(error.message)
        }
        diagnosis.conclude(
            "It is whole: its files can be read to their ends. They have no checksums, so damage inside of objects cannot be seen.",
            damaged: "It is damaged. What is outside of the damage can be imported."
        )
        diagnosis.notes.append("what the objects hold, only a layout tells: docs/formats/bnrpersistence.md")
        let isWhole = diagnosis.state == .whole
        diagnosis.advise(
            "objects",
            "import-bnr",
            path,
            "STORE",
            "--layout",
            "LAYOUT",
            "--create",
            with: isWhole ? [] : ["--salvage"],
            to: isWhole ? "stores its objects in the object store STORE" : "stores what can be read in STORE"
        )
        return diagnosis
    }

    private func note(_ diagnosis: inout Diagnosis, _ name: String, _ file: TokyoCabinetHashFile) {
        if file.wasLeftOpen { diagnosis.notes.append("\(name) was not closed by the program that wrote it, or is still open there") }
    }

    // MARK: No stores

    func otherFile(_ file: FileSample) -> Diagnosis {
        if file.size == 0 {
            return .nothing("an empty file", "It holds nothing. A mapped store may be made in its place: 'cairn mapped set' with --create.")
        }
        if file.isBlank, file.size <= 16 << 10 {
            return .nothing(
                "a file of zeros",
                "A program may have died while it was making a mapped store; another can make one in its place."
            )
        }
        var diagnosis = Diagnosis.nothing(
            file.foreignPhrase ?? (file.isText ? "a file of text" : "a file that Cairn does not know"),
            "It is no store of Cairn's, and nothing in it was checked."
        )
        let (directory, name) = FileSystem.split(path)
        if name.hasSuffix(".crc"), case .mmkv? = try? PathKind.of(String(path.dropLast(4))) {
            diagnosis.phrase = "the companion of a file of MMKV"
            diagnosis.advise("doctor", String(path.dropLast(4)), to: "checks both")
        } else if (try? FileSystem.system.stat(FileSystem.join(directory, "CURRENT"))) != nil {
            diagnosis.phrase = "a file of a RocksDB database"
            diagnosis.advise("doctor", directory, to: "checks the database")
        } else if file.starts(with: "ToKyO CaBiNeT\n") {
            diagnosis.advise("doctor", directory, to: "checks the directory, in case BNRPersistence wrote it")
        } else if name.hasSuffix(".cdb") {
            diagnosis.summary =
                "By its name it is a constant database, but it does not begin as one: it was cut short or overwritten. Make it anew, or restore a copy."
        } else if name.hasSuffix(".sst") {
            diagnosis.summary =
                "By its name it is a sorted file of RocksDB, but it does not end as one: it was cut short or never finished."
        } else if name.hasSuffix(".plist") || name.hasSuffix(".json") {
            diagnosis.advise("mapped", "import", "STORE", path, "--create", to: "stores its members in the mapped store STORE")
        } else if file.isText {
            diagnosis.advise("rocks", "import", "DATABASE", path, "--create", to: "stores its records, if it is JSON Lines or CSV")
        }
        return diagnosis
    }

    func otherDirectory(_ names: [String]) -> Diagnosis {
        guard !names.isEmpty else {
            return .nothing(
                "an empty directory",
                "It holds nothing. 'cairn rocks put' and 'cairn objects import' make stores with --create."
            )
        }
        var diagnosis = Diagnosis.nothing("a directory without a store of its own", "It is no store of Cairn's.")
        diagnosis.fact("entries", names.count)
        let (looked, listed) = (1000, 10)
        let found = names.prefix(looked).compactMap { name -> (path: String, phrase: String)? in
            let place = FileSystem.join(path, name)
            return (try? PathKind.of(place))?.phrase.map { (place, $0) }
        }
        if !found.isEmpty {
            diagnosis.summary = "It is no store of Cairn's itself; \(Numbers.counted(found.count, "entry looks", "entries look")) like one."
        }
        for (place, phrase) in found.prefix(listed) { diagnosis.advise("doctor", place, to: "checks what looks like \(phrase)") }
        if names.count > looked { diagnosis.notes.append("only the first \(Numbers.grouped(looked)) entries were looked at") }
        return diagnosis
    }
}
