import ArgumentParser
import CairnCore
import CairnMapped
import CairnToolKit

/// What is damaged in a mapped store, a line for each.
enum MappedDamage {
    static func lines(_ report: MappedOpenReport?, _ found: MappedVerification?) -> [String] {
        var lines = (found?.damagedKeys ?? []).map { "the value of key '\(EscapedText.string(Array($0.utf8)))'" }
        if let count = found?.unreadableCount, count > 0 {
            lines.append(Numbers.counted(count, "value whose key cannot be told", "values whose keys cannot be told"))
        }
        if found?.indexIsIntact == false { lines.append("the index, which is made anew when the store is opened for writing") }
        if report?.headerWasDamaged == true { lines.append("one copy of the header; the other served") }
        return lines + (report?.damagedRanges ?? []).map { "bytes \($0.lowerBound) to \($0.upperBound - 1), which hold no whole value" }
    }
}

extension Mapped {
    struct Check: ParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Read everything and compare it with its checksums.",
            discussion: "Damage is exit code 1. Nothing is changed. What is damaged can be set again or removed; the rest is not concerned."
        )

        @OptionGroup var store: MappedArguments
        @Flag(help: "Print a JSON object.") var json = false

        func run() throws {
            var report: MappedOpenReport?
            var found: MappedVerification?
            var damage: [String] = []
            do {
                let store = try store.openForReading()
                report = store.openReport
                let progress = Progress(total: nil)
                defer { progress.finish() }
                found = try store.verify { progress.show(step: "\(Int($0 * 100)) %") }
            } catch let error as MappedStoreError where error.code == .corruption || error.code == .truncated {
                damage.append(error.message)
            }
            damage += MappedDamage.lines(report, found)
            let intactCount = found?.intactCount ?? 0
            try printing { output in
                if json {
                    return try output.write(
                        .object([
                            ("ok", .bool(damage.isEmpty)), ("values", .int(Int64(intactCount))),
                            ("damage", .array(damage.map { .string($0) })),
                        ])
                    )
                }
                for text in damage { try output.writeLine("damage: \(text)") }
                let count = Numbers.counted(intactCount, "value", "values")
                try output.writeLine(damage.isEmpty ? "\(count), no damage." : "\(count) not damaged.")
            }
            guard damage.isEmpty else {
                throw Failure(
                    .no,
                    "'\(store.path)' is damaged.",
                    hint: report == nil
                        ? "It cannot be opened; restore it from a backup." : "'cairn mapped export' saves what can still be read."
                )
            }
        }
    }

    struct Compact: ParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Write the file anew without what was replaced, removed or has expired.",
            discussion: "Stores do this by themselves. Programs that have the store open go on."
        )

        @OptionGroup var store: MappedArguments
        @Flag(help: "Print a JSON object.") var json = false

        func run() throws {
            let store = try store.openForWriting()
            let before = try store.fileSize
            let progress = Progress(total: nil)
            try store.compact { progress.show(step: "\(Int($0 * 100)) %") }
            progress.finish()
            let after = try store.fileSize
            try printing { output in
                if json { return try output.write(.object([("bytes_before", .int(before.bytes)), ("bytes_after", .int(after.bytes))])) }
                try output.writeLine("\(before) before, \(after) after.")
            }
        }
    }

    struct Info: ParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Show how many values of which types there are, and what space they take.",
            discussion: "The file has room to grow, and what was replaced or removed; live is what is left by 'compact'."
        )

        @OptionGroup var store: MappedArguments
        @Flag(help: "Print a JSON object.") var json = false

        func run() throws {
            let store = try store.openForReading()
            var types: [String: (count: Int, bytes: Int)] = [:]
            var count = 0
            var expiring = 0
            try store.forEach { entry throws(MappedStoreError) in
                count += 1
                if entry.expires != nil { expiring += 1 }
                types["\(entry.value.type)", default: (0, 0)].count += 1
                types["\(entry.value.type)", default: (0, 0)].bytes += try entry.value.withStoredBytes { bytes, _ in bytes.byteCount }
            }
            let sorted = types.sorted { ($1.value.count, $0.key) < ($0.value.count, $1.key) }
            let (fileSize, liveSize) = (try store.fileSize, try store.liveSize)
            try printing { output in
                if json {
                    let types = sorted.map { name, type in
                        (name, JSONValue.object([("values", .int(Int64(type.count))), ("bytes", .int(Int64(type.bytes)))]))
                    }
                    return try output.write(
                        .object([
                            ("path", .string(store.path)), ("values", .int(Int64(count))), ("expiring", .int(Int64(expiring))),
                            ("encrypted", .bool(store.options.cipher != nil)), ("file_bytes", .int(fileSize.bytes)),
                            ("live_bytes", .int(liveSize.bytes)), ("types", .object(types)),
                        ])
                    )
                }
                var table = TextTable(["", ""])
                table.append(["values", Numbers.grouped(count) + (expiring > 0 ? ", of which \(Numbers.grouped(expiring)) expire" : "")])
                table.append(["encrypted", store.options.cipher == nil ? "no" : "yes"])
                table.append(["file", fileSize.description])
                table.append(["live", liveSize.description])
                try output.write(table)
                guard !sorted.isEmpty else { return }
                try output.writeLine()
                var byType = TextTable(["type", "values", "data"], [.left, .right, .right])
                for (name, type) in sorted {
                    byType.append([name, Numbers.grouped(type.count), ByteCount.bytes(Int64(type.bytes)).description])
                }
                try output.write(byType)
            }
        }
    }
}
