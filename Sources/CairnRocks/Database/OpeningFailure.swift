import CRocks
import CairnCore

/// What is known about a database that could not be opened, to suggest a remedy.
struct OpeningFailure {
    let path: String
    /// Whether there is a database at the path.
    let exists: Bool
    let options: DatabaseOptions
    /// The options of each column family that was to be opened.
    let families: [String: ColumnFamilyOptions]

    /// The error for the status that opening returned. Frees the status.
    func error(_ status: crk_status) -> RocksError {
        let isMissing = status.isPathMissing && !exists
        return status.error(
            "opening the database at '\(path)'",
            code: isMissing ? .notFound : nil,
            remedy: isMissing ? status.missingParent(of: path) : remedy(for: status)
        )
    }

    private func remedy(for status: crk_status) -> String? {
        let text = status.text
        if let mark = text.firstRange(of: "does not match existing comparator ") {
            return remedy(comparator: String(text[mark.upperBound...]))
        }
        if text.contains("no merge operator is given") { return "give it in the options of the column family, in \(Self.places)" }
        if text.contains("merge_operator != nullptr") { return remedyForMerges }
        if status.code == UInt8(CRK_NO_SPACE.rawValue), RocksError.Subcode(rawValue: status.subcode) != .spaceLimit {
            return "free space on the disk and open it again; meanwhile, it can be opened for reading only"
        }
        // No remedy if a file is not readable or no descriptors are left: the file is intact.
        let (isMissing, isDamaged) = (text.contains("No such file"), status.code == UInt8(CRK_CORRUPTION.rawValue))
        if isMissing || isDamaged, let file = dataFile(in: text) {
            let what = isMissing ? "the file '\(file)' is missing: put it back" : "if '\(file)' is damaged: replace it"
            return "\(what), restore a backup, or repair the database, which keeps the data in the other files"
        }
        // The mode may have refused a damaged log.
        let strict: [WALRecoveryMode] = [.tolerateCorruptedTail, .absoluteConsistency]
        guard status.code == UInt8(CRK_CORRUPTION.rawValue), strict.contains(options.walRecoveryMode) else { return nil }
        let remedy = "repairing the database, or opening it with walRecoveryMode .pointInTime, keeps the data before it"
        return "nothing was changed; if the write-ahead log is damaged, \(remedy)"
    }

    /// The first data file that RocksDB's text names. RocksDB looks for a table under LevelDB's name last, and reports that name.
    private func dataFile(in text: String) -> String? {
        let names = text.split { "/ :".contains($0) }
        guard let name = names.first(where: { [".sst", ".ldb", ".blob"].contains(where: $0.hasSuffix) }) else { return nil }
        return name.hasSuffix(".ldb") ? name.dropLast(4) + ".sst" : String(name)
    }

    private static let places = "`tables:` or `columnFamilies:`"

    /// The options that the database was last used with; empty if they cannot be read.
    private var stored: [OptionsFile.Family] { (try? OptionsFile(ofDatabaseAt: path).families) ?? [] }

    /// RocksDB names the comparator that a column family was created with, but not the column family.
    private func remedy(comparator name: String) -> String {
        let family = stored.first { $0.settings["comparator"] == name && families[$0.name].map { $0.comparatorName != name } == true }
        let owner = family.map { "column family '\($0.name)'" } ?? "a column family"
        let option =
            if name == KeyComparator.historyName {
                "set keepsHistory"
            } else if let builtIn = KeyComparator.builtInNames[name] {
                "set comparator to .\(builtIn)"
            } else {
                "set comparator to the one with that name"
            }
        return "\(owner) was created with the comparator '\(name)'; \(option) in its options, in \(Self.places)"
    }

    /// The write-ahead log holds operands of a column family that has no merge operator now. RocksDB does not say which.
    private var remedyForMerges: String {
        let lacking = stored.filter { family in
            guard let name = family.settings["merge_operator"], name != "nullptr", let given = families[family.name] else { return false }
            return given.mergeOperator == nil && given.settings["merge_operator"] == nil
        }
        guard !lacking.isEmpty else {
            return "the write-ahead log holds merges; give the merge operator of the column family in \(Self.places)"
        }
        let owners = lacking.map { "column family '\($0.name)' had the merge operator '\($0.settings["merge_operator"]!)'" }
        return "\(owners.joined(separator: ", ")); give it in \(Self.places)"
    }
}
