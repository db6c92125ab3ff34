import CairnMapped
import CairnTestSupport
import Foundation
import Testing

/// What `cairn doctor --json` said.
struct DoctorAnswer {
    let status: Int32
    let kind: String
    let state: String
    let phrase: String
    let isEncrypted: Bool
    let summary: String
    let facts: [String: Any]
    let damage: [String]
    let notes: [String]
    /// The commands.
    let next: [String]
}

extension Playground {
    /// Runs `cairn doctor`, and checks what holds for all answers: that text and JSON agree, and that nothing was changed.
    func examine(_ path: String, _ arguments: [String], sourceLocation: SourceLocation) throws -> DoctorAnswer {
        let before = try everything()
        let result = try runTool("cairn", ["doctor", path, "--json"] + arguments)
        let text = try runTool("cairn", ["doctor", path] + arguments)
        #expect(try everything() == before, "doctor changed something", sourceLocation: sourceLocation)
        let object = try #require(
            try JSONSerialization.jsonObject(with: Data(result.standardOutput.utf8)) as? [String: Any],
            "\(result)",
            sourceLocation: sourceLocation
        )
        let next = try #require(object["next"] as? [[String: String]])
        let answer = DoctorAnswer(
            status: result.status,
            kind: try #require(object["kind"] as? String),
            state: try #require(object["state"] as? String),
            phrase: try #require(object["is"] as? String),
            isEncrypted: try #require(object["encrypted"] as? Bool),
            summary: try #require(object["summary"] as? String),
            facts: try #require(object["facts"] as? [String: Any]),
            damage: try #require(object["damage"] as? [String]),
            notes: try #require(object["notes"] as? [String]),
            next: next.map { $0["command"] ?? "" }
        )
        #expect(object["path"] as? String == path, sourceLocation: sourceLocation)
        let statuses: [String: Int32] = ["intact": 0, "locked": 0, "damaged": 1, "unfinished": 1, "none": 1, "unavailable": 3]
        #expect(statuses[answer.state] == answer.status, "\(answer)", sourceLocation: sourceLocation)
        #expect((answer.state == "damaged") == !answer.damage.isEmpty, "\(answer)", sourceLocation: sourceLocation)
        #expect(result.standardError == "" && text.standardError == "" && text.status == result.status, sourceLocation: sourceLocation)
        #expect(
            text.standardOutput.hasPrefix("\(path) is \(answer.phrase).\n\(answer.summary)\n"),
            "\(text.standardOutput)",
            sourceLocation: sourceLocation
        )
        for command in answer.next { #expect(text.standardOutput.contains("  \(command)\n"), sourceLocation: sourceLocation) }
        return answer
    }

    /// Every file of the directory, with its bytes, size, and when it was changed.
    private func everything() throws -> [String: String] {
        var found: [String: String] = [:]
        for name in try FileManager.default.subpathsOfDirectory(atPath: directory.path) {
            let attributes = try FileManager.default.attributesOfItem(atPath: path(name))
            let isFile = attributes[.type] as? FileAttributeType == .typeRegular
            // A process that holds the lock of a RocksDB database loses it by closing any descriptor of the lock file.
            let hash = isFile && !name.hasSuffix("/LOCK") ? FileManager.default.contents(atPath: path(name))?.hashValue ?? -1 : 0
            found[name] = "\(attributes[.size] ?? 0) \(attributes[.modificationDate] ?? "") \(attributes[.posixPermissions] ?? 0) \(hash)"
        }
        return found
    }

    /// The paths of what is in a directory.
    func files(in path: String) throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: path).sorted().map { path + "/" + $0 }
    }

    /// Changes a byte of a file.
    func flip(_ path: String, at offset: Int) throws {
        var bytes = try Data(contentsOf: URL(fileURLWithPath: path))
        try #require(offset < bytes.count)
        bytes[offset] ^= 0xFF
        try bytes.write(to: URL(fileURLWithPath: path))
    }

    /// Makes a mapped store of these and returns its path.
    func mapped(_ name: String, _ entries: KeyValuePairs<String, MappedVariant>) throws -> String {
        let store = try MappedStore(path: path(name))
        for (key, value) in entries { try store.set(value, for: key) }
        try store.close()
        return path(name)
    }
}
