import CairnCDB
import CairnCore
import CairnMapped
import CairnMappedEncryption
import CairnToolKit

extension Examination {
    // MARK: Mapped stores

    func mapped() throws -> Diagnosis {
        var diagnosis = Diagnosis(.mappedStore, "a mapped store")
        // Whoever opens the file first has it alone while it is brought into order: opening would wait for that.
        do throws(FileError) {
            let file = try File(path, [.read])
            try FileLock(file, .shared).release()
            let header = try file.read(Int(min(file.status().size, 4096)), at: 0)
            examineIdentity(header, &diagnosis)
        } catch {
            guard error.code == .locked else { throw error }
            diagnosis.state = .unavailable
            diagnosis.summary = "A program is opening it at this moment, and brings it into order before anybody may look. Ask again."
            return diagnosis
        }
        if diagnosis.isEncrypted, key == nil { return diagnosis }
        var options = MappedStoreOptions()
        options.readOnly = true
        if diagnosis.isEncrypted { options.cipher = try key.map { try MappedEncryption($0) } }
        do throws(MappedStoreError) {
            try check(MappedStore(path: path, options: options), &diagnosis)
        } catch {
            switch error.code {
            case .corruption, .truncated:
                diagnosis.damage.append(error.message)
                concludeMapped(&diagnosis, opens: false)
            default:
                diagnosis.state = .unavailable
                diagnosis.summary = error.sentence
            }
        }
        return diagnosis
    }

    /// Looks at both copies of what the file says of itself, as docs/formats/mapped.md describes them; without the key nothing else can be read.
    private func examineIdentity(_ header: [UInt8], _ diagnosis: inout Diagnosis) {
        func isRight(_ copy: ArraySlice<UInt8>) -> Bool {
            let sum = copy.suffix(4).reversed().reduce(0 as UInt32) { $0 << 8 | UInt32($1) }
            return copy.count == 1024 && CRC32C.checksum(of: Array(copy.prefix(1020))) == sum
        }
        let copies = [header.prefix(1024), header.dropFirst(3072).prefix(1024)]
        guard let good = copies.first(where: isRight) else { return }
        guard good[good.startIndex + 32] == 1 else { return }
        diagnosis.phrase = "an encrypted mapped store"
        diagnosis.isEncrypted = true
        guard key == nil else { return }
        if !copies.allSatisfy(isRight) { diagnosis.damage.append("one copy of the header; the other served") }
        diagnosis.conclude(damaged: "It is damaged, though not so that it could not be opened with its key.")
        diagnosis.advise("doctor", path, "--key-file", "KEY", to: "checks the values too; or --passphrase-file")
        guard diagnosis.state == .whole else { return }
        diagnosis.state = .locked
        diagnosis.summary = "What it says of itself has its checksum. The values can be checked with the key only."
    }

    private func check(_ store: MappedStore, _ diagnosis: inout Diagnosis) throws(MappedStoreError) {
        let found = try store.verify { show($0) }
        let report = store.openReport
        diagnosis.fact("values", found.intactCount)
        let (file, live) = (try store.fileSize, try store.liveSize)
        diagnosis.fact("file", bytes: file.bytes, "\(file), of which \(live) are in use")
        diagnosis.damage += MappedDamage.lines(report, found)
        if report.unfinishedChanges > 0 {
            diagnosis.notes.append(
                "\(Numbers.counted(report.unfinishedChanges, "change was", "changes were")) not finished when a process died: they never happened"
            )
        }
        try store.close()
        concludeMapped(&diagnosis, opens: true)
    }

    private func concludeMapped(_ diagnosis: inout Diagnosis, opens: Bool) {
        diagnosis.conclude(
            "It is whole: every value was read and compared with its checksum.",
            damaged: opens ? "It is damaged. What is not named below is not concerned." : "It is damaged so that it cannot be opened."
        )
        guard diagnosis.state == .damaged else {
            diagnosis.advise("mapped", "list", path, with: options(diagnosis), to: "prints keys, types and values")
            return diagnosis.advise(
                "mapped",
                "backup",
                path,
                path + ".backup",
                with: options(diagnosis),
                to: "keeps a copy; programs may have it open meanwhile"
            )
        }
        if opens {
            diagnosis.advise("mapped", "export", path, path + ".json", with: options(diagnosis), to: "saves what can still be read")
            diagnosis.advise(
                "mapped",
                "compact",
                path,
                with: options(diagnosis),
                to: "writes the file anew; a damaged value is mended by setting it again"
            )
        }
        diagnosis.advise(
            "mapped",
            "restore",
            path,
            "BACKUP",
            with: options(diagnosis),
            to: "puts back the values of BACKUP, if you have one"
        )
    }

    // MARK: Constant databases

    func constantDatabase(_ dialect: CDBDialect) -> Diagnosis {
        let isStandard = dialect == .standard
        var diagnosis = Diagnosis(
            .cdb,
            isStandard ? "a constant database (cdb)" : "a constant database of the 64-bit layout \(dialect.rawValue)"
        )
        do throws(CDBError) {
            let reader = try CDBReader(path: path, access: .positioned, dialect: dialect)
            diagnosis.fact("size", bytes: reader.byteCount.bytes, reader.byteCount.description)
            diagnosis.fact("layout", dialect.rawValue)
            try reader.verify { show($0) }
            diagnosis.fact("records", try reader.count())
        } catch {
            diagnosis.damage.append(error.message)
        }
        diagnosis.conclude(
            "It is whole: records and hash tables belong together. The format has no checksums, so damage inside of values cannot be seen.",
            damaged: "It is damaged."
        )
        let layout = isStandard ? "" : " --dialect \(dialect.rawValue)"
        let arguments = [path] + (isStandard ? [] : ["--dialect", dialect.rawValue])
        if diagnosis.state == .whole {
            diagnosis.advise(command: ["cairn", "cdb", "dump"] + arguments, to: "prints all records")
            diagnosis.advise(command: ["cairn", "cdb", "query", path, "KEY"] + arguments.dropFirst(), to: "prints the values of KEY")
        } else {
            diagnosis.advise(command: ["cairn", "cdb", "dump"] + arguments, to: "prints the records before the damage; send it to a file")
            diagnosis.notes.append("make the file anew of what it was made of, with 'cairn cdb create\(layout)', or restore a copy")
        }
        return diagnosis
    }
}
