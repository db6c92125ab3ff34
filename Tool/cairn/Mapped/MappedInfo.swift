import ArgumentParser
import CairnCore
import CairnMapped
import CairnToolKit

extension Mapped {
    struct Compact: ParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Rewrite the file without replaced, removed and expired values.",
            discussion: "Stores compact themselves when needed. Other programs can keep using the store."
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
            abstract: "Show the number and size of values by type.",
            discussion: """
                The file also contains free space and replaced or removed values; 'live' is the size of what 'compact' would keep. \
                Damaged values are omitted; exits with 1 if there are any.
                """
        )

        @OptionGroup var store: MappedArguments
        @Flag(help: "Print a JSON object.") var json = false

        func run() throws {
            let store = try store.openForReading()
            var types: [String: (count: Int, bytes: Int)] = [:]
            var count = 0
            var expiring = 0
            let omissions = try store.forEachIntact { entry throws(MappedStoreError) in
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
                table.append(["values", Numbers.grouped(count) + (expiring > 0 ? "; \(Numbers.grouped(expiring)) of them expire" : "")])
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
            guard omissions.isEmpty, store.openReport.isClean else {
                throw Failure(
                    .no,
                    "'\(store.path)' is damaged; all other values were counted.",
                    hint: "'cairn mapped verify' shows the damage."
                )
            }
        }
    }
}
