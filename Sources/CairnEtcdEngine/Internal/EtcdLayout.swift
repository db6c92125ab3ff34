import CairnCore
import CairnEngine

/// The keys of a store in etcd.
///
/// ```
/// PREFIX:c           the commit key: the format, and what the last commit wrote (`EtcdHead`). Its revisions are the versions of the store
/// PREFIX:d:KEY       the entries
/// PREFIX:t:NAME      the names of commits, which expire with their leases; revision: that of the commit
/// PREFIX:x           changed by each commit that deletes something
/// PREFIX:xA          changed by each commit that deletes keys of the area A: those that begin with this byte
/// PREFIX:y           changed by each commit that deletes keys of many areas
/// ```
///
/// A prefix has no colon, so no store is within another.
struct EtcdLayout: Sendable {
    let prefix: String

    /// Whether a store can have this prefix.
    var isValid: Bool {
        !prefix.isEmpty && prefix.utf8.count <= 128
            && prefix.split(separator: "/", omittingEmptySubsequences: false).allSatisfy { !$0.isEmpty }
            && prefix.utf8.allSatisfy {
                UInt8(ascii: "a")...UInt8(ascii: "z") ~= $0 || UInt8(ascii: "A")...UInt8(ascii: "Z") ~= $0
                    || UInt8(ascii: "0")...UInt8(ascii: "9") ~= $0 || "_-./".utf8.contains($0)
            }
    }

    /// All keys that are the prefix, or begin with it and a colon or slash: beginnings and ends.
    var ranges: [(start: [UInt8], end: [UInt8]?)] { [(key(":"), key(";")), (key("/"), key("0")), (Array(prefix.utf8), nil)] }

    /// What follows the keys of the store that has this one; `nil` if no store has it.
    static func endOfStore(with key: [UInt8]) -> [UInt8]? {
        let layout = EtcdLayout(prefix: String(decoding: key.prefix { $0 != UInt8(ascii: ":") }, as: UTF8.self))
        let isOfStore =
            [layout.commits, layout.deletions, layout.wideDeletions].contains(key)
            || key.count == layout.deletions.count + 1 && key.starts(with: layout.deletions)
            || [layout.entries, layout.name([])].contains { key.starts(with: $0) }
        return layout.isValid && isOfStore ? layout.key(";") : nil
    }

    private func key(_ kind: StaticString) -> [UInt8] { Array("\(prefix)\(kind)".utf8) }

    var commits: [UInt8] { key(":c") }
    var deletions: [UInt8] { key(":x") }
    var wideDeletions: [UInt8] { key(":y") }
    func deletions(in areas: EtcdAreas) -> [[UInt8]] { areas.bytes.map { $0.sorted().map { deletions + [$0] } } ?? [wideDeletions] }
    func name(_ name: [UInt8]) -> [UInt8] { key(":t:") + name }

    var entries: [UInt8] { key(":d:") }
    /// Greater than the key of each entry.
    var entriesEnd: [UInt8] { key(":d;") }
    func entry(_ key: RawSpan) -> [UInt8] { entries + [UInt8](copying: key) }
    /// The first byte of the key of an entry; `nil` for the empty key.
    func area(_ entry: [UInt8]) -> UInt8? { entry.dropFirst(entries.count).first }
    func lower(_ range: KeyRange) -> [UInt8] { entries + range.lowerBound }
    func upper(_ range: KeyRange) -> [UInt8] { range.upperBound.map { entries + $0 } ?? entriesEnd }
}
