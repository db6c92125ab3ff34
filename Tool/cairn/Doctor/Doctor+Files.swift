import CairnCDB
import CairnCore
import CairnMapped
import CairnMappedEncryption
import CairnToolKit

extension Examination {
    // MARK: Mapped stores

    func mapped() throws -> Diagnosis {
        var diagnosis = Diagnosis(.mappedStore, "a mapped store")
        // The first process to open the file locks it for recovery; opening it now would wait for that.
        do throws(FileError) {
            let file = try File(path, [.read])
            try FileLock(file, .shared).release()
            let header = try file.read(Int(min(file.status().size, 4096)), at: 0)
            examineIdentity(header, &diagnosis)
        } catch {
            guard error.code == .locked else { throw error }
            diagnosis.state = .unavailable
            diagnosis.summary = "Another program is opening and recovering it at the moment. Try again."
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

    /// Checks both copies of the header, as in docs/formats/mapped.md. Nothing else can be read without the key.
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
        if !copies.allSatisfy(isRight) { diagnosis.damage.append("one copy of the header is damaged; the other one was used") }
        diagnosis.conclude(damaged: "It is damaged, but can still be opened with its key.")
        diagnosis.advise("doctor", path, "--key-file", "KEY", to: "also checks the values; or use --passphrase-file")
        guard diagnosis.state == .intact else { return }
        diagnosis.state = .locked
        diagnosis.summary = "Its header matches its checksum. The values can be checked only with the key."
    }

    private func check(_ store: MappedStore, _ diagnosis: inout Diagnosis) throws(MappedStoreError) {
        let found = try store.verify { show($0) }
        let report = store.openReport
        diagnosis.fact("values", found.intactCount)
        let (file, live) = (try store.fileSize, try store.liveSize)
        diagnosis.fact("file", bytes: file.bytes, "\(file), \(live) in use")
        diagnosis.damage += Damage.all(report, found).map(\.what)
        if report.unfinishedChanges > 0 {
            diagnosis.notes.append(
                "\(Numbers.counted(report.unfinishedChanges, "change was", "changes were")) unfinished when a process died, and rolled back"
            )
        }
        try store.close()
        concludeMapped(&diagnosis, opens: true)
    }

    private func concludeMapped(_ diagnosis: inout Diagnosis, opens: Bool) {
        diagnosis.conclude(
            "It is intact: every value was read and compared with its checksum.",
            damaged: opens ? "It is damaged. Everything not listed below is intact." : "It is too damaged to be opened."
        )
        guard diagnosis.state == .damaged else {
            diagnosis.advise("mapped", "list", path, with: options(diagnosis), to: "prints keys, types and values")
            return diagnosis.advise(
                "mapped",
                "backup",
                path,
                path + ".backup",
                with: options(diagnosis),
                to: "makes a copy; other programs can keep using the store"
            )
        }
        if opens {
            diagnosis.advise("mapped", "export", path, path + ".json", with: options(diagnosis), to: "saves what can still be read")
            diagnosis.advise(
                "mapped",
                "compact",
                path,
                with: options(diagnosis),
                to: "rewrites the file; to repair a damaged value, set it again"
            )
        }
        diagnosis.advise(
            "mapped",
            "restore",
            path,
            "BACKUP",
            with: options(diagnosis),
            to: "restores the values from BACKUP, if you have one"
        )
    }

    // MARK: Constant databases

    func constantDatabase(_ dialect: CDBDialect) -> Diagnosis {
        let isStandard = dialect == .standard
        var diagnosis = Diagnosis(
            .cdb,
            isStandard ? "a constant database (cdb)" : "a constant database in the 64-bit layout \(dialect.rawValue)"
        )
        do throws(CDBError) {
            let reader = try CDBReader(path: path, access: .positioned, dialect: dialect)
            diagnosis.fact("size", bytes: reader.byteCount.bytes, reader.byteCount.description)
            diagnosis.fact("layout", dialect.rawValue)
            try reader.verify { show($0) }
            diagnosis.fact("records", try reader.count)
        } catch {
            diagnosis.damage.append(error.message)
        }
        diagnosis.conclude(
            "It is intact: records and hash tables match. The format has no checksums, so damage within values cannot be detected.",
            damaged: "It is damaged."
        )
        let layout = isStandard ? "" : " --dialect \(dialect.rawValue)"
        let arguments = [path] + (isStandard ? [] : ["--dialect", dialect.rawValue])
        if diagnosis.state == .intact {
            diagnosis.advise(command: ["cairn", "cdb", "dump"] + arguments, to: "prints all records")
            diagnosis.advise(command: ["cairn", "cdb", "query", path, "KEY"] + arguments.dropFirst(), to: "prints the values of KEY")
        } else {
            diagnosis.advise(
                command: ["cairn", "cdb", "dump"] + arguments,
                to: "prints the records before the damage; redirect it to a file"
            )
            diagnosis.notes.append("create the file again from its source with 'cairn cdb create\(layout)', or restore a copy")
        }
        return diagnosis
    }
}
