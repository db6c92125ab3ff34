import CairnCDB
import CairnCore
import CairnToolKit

#if canImport(Darwin)
import Darwin
#elseif canImport(Musl)
import Musl
#else
import Glibc
#endif

extension ClassicCDB {
    /// `cdb -c`. The file is replaced atomically, whatever `-t` names; the result is the same.
    func create() throws -> Int32 {
        let path = options.operands[0]
        let temporary = options.temporary.map { $0 == "-" ? path : $0 } ?? path + ".tmp"
        let mode = options.duplicates == .add && options.warns ? CDBWriter.PutMode.warn : options.duplicates
        let writer: CDBWriter
        do throws(CDBError) {
            writer = try CDBWriter(path: path, durability: .none, mode: options.permissions ?? Self.usualMode)
        } catch {
            throw Self.failure("unable to create \(temporary)", Self.reason(error))
        }
        let inputs = options.operands.count > 1 ? Array(options.operands.dropFirst()) : ["-"]
        for name in inputs { try add(name, to: writer, mode) }
        do throws(CDBError) { try writer.finish() } catch { throw Self.failure("cdb_make_finish", Self.reason(error)) }
        return 0
    }

    /// The permissions of a file created with mode 666.
    private static var usualMode: UInt32 {
        let mask = umask(0)
        _ = umask(mask)
        return 0o666 & ~UInt32(mask)
    }

    private func add(_ name: String, to writer: CDBWriter, _ mode: CDBWriter.PutMode) throws {
        let shown = name == "-" ? "(stdin)" : name
        let input: ByteInput
        do throws(InputError) {
            input = try ByteInput(path: name, isText: false)
        } catch {
            throw Self.failure(name, Self.reason(error))
        }
        let progress = Progress(total: input.size)
        defer { progress.finish() }
        // Only on a terminal: scripts get the same output as always.
        let shows = Terminal(.error).isTerminal
        var parser = CDBTextParser(options.isMap ? .map : .records)
        do {
            while true {
                let part: ArraySlice<UInt8>?
                do throws(InputError) { part = try input.nextPart() } catch { throw Self.failure("unable to read", Self.reason(error)) }
                if let part { parser.append(part) } else { parser.finish() }
                while let record = try parser.next() {
                    try put(record, to: writer, mode)
                    if shows { progress.update(rows: writer.count, bytes: input.bytesRead) }
                }
                if part == nil { break }
            }
        } catch let error as CDBError {
            switch error.code {
            case .malformedText: throw Exit(status: 2, message: "cdb: \(shown): bad format\n")
            case .incompleteText: throw Exit(status: 2, message: "cdb: unable to read: short file\n")
            default: throw Self.failure("cdb_make_put", Self.reason(error))
            }
        }
    }

    private func put(_ record: CDBTextRecord, to writer: CDBWriter, _ mode: CDBWriter.PutMode) throws {
        let wasThere = try writer.put(record.value, for: record.key, mode)
        guard wasThere, options.warns else { return }
        try errors.write("cdb: key `")
        try errors.write(record.key)
        try errors.write("' duplicated\n")
        try errors.flush()
        if options.failsOnDuplicates { throw Exit(status: 1) }
    }

    /// The system's message in an input error.
    private static func reason(_ error: InputError) -> String {
        error.message.split(separator: ": ", maxSplits: 1).last.map(String.init) ?? error.message
    }
}
