import ArgumentParser
import CairnCore
import CairnRocks
import CairnToolKit

extension Rocks {
    struct Metadata: ParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Show the files of a column family, by level.",
            discussion: "Entries that are still in the write-ahead log are not in any file. Entry counts include deletions."
        )

        @OptionGroup var store: StoreArguments
        @OptionGroup var hex: HexArguments
        @Flag(help: "Print a JSON object.") var json = false

        func run() throws {
            try store.reading { family in
                let metadata = try family.metadata()
                try printing { output in
                    if json { try output.write(metadata.json(hex)) } else { try write(metadata, to: output) }
                }
            }
        }

        private func write(_ metadata: ColumnFamilyMetadata, to output: OutputWriter) throws {
            guard metadata.fileCount > 0 else { return try output.writeLine("No files.") }
            var levels = TextTable(["level", "files", "size"], [.right, .right, .right])
            for level in metadata.levels where !level.files.isEmpty {
                levels.append([String(level.level), Numbers.grouped(level.files.count), level.size.description])
            }
            try output.write(levels)
            try output.writeLine()
            var files = TextTable(
                ["level", "file", "size", "entries", "deletions", "first key", "last key"],
                [.right, .left, .right, .right, .right]
            )
            for file in metadata.files {
                files.append([
                    String(file.level), file.name, file.size.description, Numbers.grouped(file.entryCount),
                    Numbers.grouped(file.deletionCount), hex.text(file.smallestKey), hex.text(file.largestKey),
                ])
            }
            try output.write(files)
            guard !metadata.blobFiles.isEmpty else { return }
            try output.writeLine()
            var blobs = TextTable(["blob file", "size", "values", "garbage"], [.left, .right, .right, .right])
            for blob in metadata.blobFiles {
                blobs.append([
                    blob.name, blob.size.description, Numbers.grouped(blob.blobCount), blob.garbageSize.description,
                ])
            }
            try output.write(blobs)
        }
    }
}

extension ColumnFamilyMetadata {
    fileprivate func json(_ hex: HexArguments) -> JSONValue {
        .object([
            ("bytes", .int(size.bytes)),
            (
                "levels",
                .array(
                    levels.map { level in
                        .object([
                            ("level", .int(Int64(level.level))), ("bytes", .int(level.size.bytes)),
                            ("files", .array(level.files.map { $0.json(hex) })),
                        ])
                    }
                )
            ),
            ("blob_bytes", .int(blobFileSize.bytes)),
            ("blob_files", .array(blobFiles.map(\.json))),
        ])
    }
}

extension TableFile {
    fileprivate func json(_ hex: HexArguments) -> JSONValue {
        var fields: [(name: String, value: JSONValue)] = [
            ("name", .string(name)),
            ("directory", .string(directory)),
            ("bytes", .int(size.bytes)),
            ("entries", .unsigned(entryCount)),
            ("deletions", .unsigned(deletionCount)),
            hex.field("smallest_key", smallestKey),
            hex.field("largest_key", largestKey),
            ("smallest_sequence_number", .unsigned(smallestSequenceNumber)),
            ("largest_sequence_number", .unsigned(largestSequenceNumber)),
            ("temperature", .string(temperature.rawValue)),
        ]
        if let creationTime { fields.append(("creation_time", .unsigned(creationTime))) }
        if let oldestAncestorTime { fields.append(("oldest_ancestor_time", .unsigned(oldestAncestorTime))) }
        if let oldestBlobFileNumber { fields.append(("oldest_blob_file", .unsigned(oldestBlobFileNumber))) }
        fields += checksumFields(checksum, checksumFunction)
        return .object(fields)
    }
}

extension BlobFile {
    fileprivate var json: JSONValue {
        .object(
            [
                ("name", .string(name)),
                ("directory", .string(directory)),
                ("bytes", .int(size.bytes)),
                ("values", .unsigned(blobCount)),
                ("value_bytes", .int(blobSize.bytes)),
                ("garbage_values", .unsigned(garbageCount)),
                ("garbage_bytes", .int(garbageSize.bytes)),
            ] + checksumFields(checksum, checksumFunction)
        )
    }
}

/// Checksums are bytes, not text.
private func checksumFields(_ checksum: [UInt8]?, _ function: String?) -> [(name: String, value: JSONValue)] {
    guard let checksum, let function else { return [] }
    return [
        ("checksum_hex", .string(String(decoding: Hex.digits(checksum), as: UTF8.self))), ("checksum_function", .string(function)),
    ]
}
