import CairnCore
import CairnMapped
import CairnMappedEncryption
import CairnMappedImport
import CairnObjectsBNR
import CairnToolKit

extension Examination {
    // MARK: Other formats that can be imported

    func mmkv() throws -> Diagnosis {
        var diagnosis = Diagnosis(.mmkv, "an MMKV file")
        let hasMeta = (try? FileSystem.system.stat(path + ".crc"))?.kind == .file
        if !hasMeta { diagnosis.notes.append("\(path).crc is missing, so what was read cannot be verified") }
        var cipher: MappedImportCipher?
        do throws(MappedStoreError) { _ = try MappedImport.mmkv(path: path) } catch {
            if error.code == .keyNeeded {
                diagnosis.phrase = "an encrypted MMKV file"
                diagnosis.isEncrypted = true
            }
            // An unencrypted file needs no key; a file that cannot be read may be encrypted.
            cipher = try keyFile.map { MappedImportCipher.aes(key: try KeyFile.bytes($0)) }
        }
        do throws(MappedStoreError) {
            let found = try MappedImport.mmkv(path: path, cipher: cipher)
            concludeForeign(
                &diagnosis,
                found.report,
                hasMeta ? "It is intact: it matches its checksum." : "It is intact, as far as can be checked without the .crc file."
            )
            let key = cipher == nil ? [] : keyFile.map { ["--mmkv-key-file", $0] } ?? []
            diagnosis.advise(
                command: ["cairn", "mapped", "import", "STORE", path, "--format", "mmkv", "--create"] + key,
                to: "imports its values into the mapped store STORE"
            )
        } catch {
            switch error.code {
            case .keyNeeded:
                diagnosis.state = .locked
                diagnosis.summary = "Nothing more can be said without the key that was given to MMKV."
                diagnosis.advise("doctor", path, "--key-file", "KEY", to: "checks it; KEY contains exactly the key")
            case .malformedInput:
                diagnosis.damage.append(error.message)
                diagnosis.conclude(damaged: "It is too damaged for any record to be read.")
                diagnosis.notes.append("restore the file and its .crc file from a backup; if it is encrypted, try again with --key-file")
            default:
                diagnosis.state = .unavailable
                diagnosis.summary = error.sentence
            }
        }
        return diagnosis
    }

    func goose() -> Diagnosis {
        var diagnosis = Diagnosis(.goose, "a Goose file")
        do throws(MappedStoreError) {
            let found = try MappedImport.goose(path: path)
            concludeForeign(
                &diagnosis,
                found.report,
                "It is intact: its records can be read to the end. The format has no checksums, so damage within values cannot be detected."
            )
            diagnosis.advise(
                "mapped",
                "import",
                "STORE",
                path,
                "--format",
                "goose",
                "--create",
                to: "imports its values into the mapped store STORE"
            )
        } catch {
            diagnosis.damage.append(error.message)
            diagnosis.conclude(damaged: "It is too damaged for any record to be read.")
        }
        return diagnosis
    }

    private func concludeForeign(_ diagnosis: inout Diagnosis, _ report: MappedImportReport, _ summary: String) {
        diagnosis.fact("keys", report.importedCount)
        diagnosis.fact("records", report.recordCount)
        if let damage = report.damage { diagnosis.damage.append(damage) }
        if !report.unverifiedKeys.isEmpty, report.damage != nil {
            diagnosis.damage.append("\(Numbers.counted(report.unverifiedKeys.count, "value has", "values have")) no valid checksum")
        }
        for left in report.leftOut { diagnosis.notes.append("key '\(left.key)' cannot be imported: \(left.reason)") }
        diagnosis.notes += report.warnings
        diagnosis.conclude(summary, damaged: "It is damaged. Everything that could be read can be imported.")
    }

    func bnr(_ directory: BNRDirectory) throws -> Diagnosis {
        var diagnosis = Diagnosis(.bnrpersistence, "a BNRPersistence store")
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
        for name in directory.otherNames {
            let reason = "it does not begin like a Tokyo Cabinet database; if it has objects, it is damaged"
            diagnosis.notes.append("\(name) was not checked: \(reason)")
        }
        diagnosis.fact("classes", directory.classNames.joined(separator: ", "))
        diagnosis.fact("objects", objects)
        if passphrase == nil {
            diagnosis.notes.append("the passphrase is needed to find out whether objects are encrypted: --passphrase-file")
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
            "It is intact: its files can be read to the end. They have no checksums, so damage within objects cannot be detected.",
            damaged: "It is damaged. Everything outside of the damage can be imported."
        )
        diagnosis.notes.append("a layout is needed to read the objects: see docs/formats/bnrpersistence.md")
        let isWhole = diagnosis.state == .intact
        diagnosis.advise(
            "objects",
            "import-bnr",
            path,
            "STORE",
            "--layout",
            "LAYOUT",
            "--create",
            with: isWhole ? [] : ["--salvage"],
            to: isWhole ? "imports its objects into the object store STORE" : "imports what can be read into STORE"
        )
        return diagnosis
    }

    private func note(_ diagnosis: inout Diagnosis, _ name: String, _ file: TokyoCabinetHashFile) {
        if file.wasLeftOpen { diagnosis.notes.append("\(name) was not closed by its program, or is still open") }
    }

    // MARK: Other files and directories

    func otherFile(_ file: FileSample) -> Diagnosis {
        if file.size == 0 {
            return .nothing("an empty file", "'cairn mapped set --create' can create a mapped store in its place.")
        }
        if file.isBlank, file.size <= 16 << 10 {
            return .nothing(
                "a file of zeros",
                "A program may have died while creating a mapped store here. Another can create one in its place."
            )
        }
        var diagnosis = Diagnosis.nothing(
            file.phrase ?? "an unknown file",
            "It is not a Cairn store, and its contents were not checked."
        )
        let (directory, name) = FileSystem.split(path)
        if name.hasSuffix(".crc"), case .mmkv? = try? PathKind.of(String(path.dropLast(4))) {
            diagnosis.phrase = "the .crc file of an MMKV file"
            diagnosis.advise("doctor", String(path.dropLast(4)), to: "checks both files")
        } else if (try? FileSystem.system.stat(FileSystem.join(directory, "CURRENT"))) != nil {
            diagnosis.phrase = "a file of a RocksDB database"
            diagnosis.advise("doctor", directory, to: "checks the database")
        } else if file.starts(with: "ToKyO CaBiNeT\n") {
            diagnosis.advise("doctor", directory, to: "checks the directory, which BNRPersistence may have written")
        } else if name.hasSuffix(".cdb") {
            diagnosis.summary =
                "It has the name of a constant database but not the header of one; it was truncated or overwritten. Create it again, or restore a copy."
        } else if name.hasSuffix(".sst") {
            diagnosis.summary =
                "It has the name of a sorted RocksDB file but not the footer of one; it was truncated or never finished."
        } else if name.hasSuffix(".plist") || name.hasSuffix(".json") {
            diagnosis.advise("mapped", "import", "STORE", path, "--create", to: "imports its members into the mapped store STORE")
        } else if file.isText {
            diagnosis.advise("rocks", "import", "DATABASE", path, "--create", to: "imports its records, if it is JSON Lines or CSV")
        }
        return diagnosis
    }

    func otherDirectory(_ names: [String]) -> Diagnosis {
        guard !names.isEmpty else {
            return .nothing(
                "an empty directory",
                "'cairn rocks put --create' and 'cairn objects import --create' can create a store in its place."
            )
        }
        var diagnosis = Diagnosis.nothing("a directory", "It is not a Cairn store.")
        diagnosis.fact("entries", names.count)
        let (looked, listed) = (1000, 10)
        let found = names.prefix(looked).compactMap { name -> (path: String, phrase: String)? in
            let place = FileSystem.join(path, name)
            return (try? PathKind.of(place))?.phrase.map { (place, $0) }
        }
        if !found.isEmpty {
            diagnosis.summary = "It is not a Cairn store, but \(Numbers.counted(found.count, "entry looks", "entries look")) like one."
        }
        for (place, phrase) in found.prefix(listed) { diagnosis.advise("doctor", place, to: "checks what looks like \(phrase)") }
        if names.count > looked { diagnosis.notes.append("only the first \(Numbers.grouped(looked)) entries were examined") }
        return diagnosis
    }
}
