import CairnCDB
import CairnCore
import CairnToolKit

extension ClassicCDB {
    /// `cdb -q`.
    func query() throws -> Int32 {
        let path = options.operands[0]
        let shownKey = options.operands[1]
        let key = RawArguments.bytes(shownKey)
        let reader: CDBReader
        do throws(CDBError) {
            reader = try CDBReader(path: path)
        } catch {
            throw Self.failure("unable to open database `\(path)'", Self.reason(error))
        }
        do throws(CDBError) { try reader.checkTable(of: key) } catch { throw Self.failure(shownKey, Self.protocolError) }
        var number = 0
        var found = 0
        do {
            try reader.forEachValue(of: key) { value in
                number += 1
                guard options.number == 0 || options.number == number else { return }
                found += 1
                try output.write([UInt8](copying: value))
                if options.isMap { try output.writeLine() }
            }
        } catch is CDBError {
            throw Self.misuse(shownKey)
        }
        return found > 0 ? 0 : 100
    }

    /// `cdb -d` and `cdb -l`. Reads sequentially, so that it works with pipes.
    func dump() throws -> Int32 {
        let stream = try ClassicStream(options.operands.first ?? "-")
        let header = try stream.take(2048)
        let end = Self.word(header, 0)
        while stream.position < end {
            let lengths = try stream.take(8, before: end)
            let keyCount = Self.word(lengths, 0)
            let valueCount = Self.word(lengths, 4)
            if !options.isMap { try output.write(options.mode == .dump ? "+\(keyCount),\(valueCount):" : "+\(keyCount):") }
            try stream.copy(keyCount, before: end, to: output)
            if options.mode == .dump { try output.write(options.isMap ? " " : "->") }
            try stream.copy(valueCount, before: end, to: options.mode == .dump ? output : nil)
            try output.writeLine()
        }
        guard stream.position == end else { throw Self.failure("invalid cdb file format", Self.protocolError) }
        if !options.isMap { try output.writeLine() }
        return 0
    }

    /// `cdb -s`.
    func stats() throws -> Int32 {
        let stream = try ClassicStream(options.operands.first ?? "-")
        let header = try stream.take(2048)
        let end = Self.word(header, 0)
        var statistics = CDBStatistics()
        while stream.position < end {
            let lengths = try stream.take(8, before: end)
            let keyCount = Self.word(lengths, 0)
            let valueCount = Self.word(lengths, 4)
            try stream.copy(keyCount, before: end, to: nil)
            try stream.copy(valueCount, before: end, to: nil)
            statistics.addRecord(keyCount: keyCount, valueCount: valueCount)
        }
        guard stream.position == end else { throw Self.failure("invalid cdb file format", Self.protocolError) }
        for table in 0..<256 {
            guard Self.word(header, table * 8) == stream.position else {
                throw Self.failure("invalid cdb hash table", Self.protocolError)
            }
            let count = Self.word(header, table * 8 + 4)
            guard count > 0 else { continue }
            statistics.addTable(slots: count)
            for slot in 0..<count {
                let pair = try stream.take(8, before: UInt64(UInt32.max))
                if Self.word(pair, 4) != 0 { statistics.addSlot(slot, hash: Self.word(pair, 0), count: count) }
            }
        }
        try output.write(statistics.description)
        return 0
    }

    private static func word(_ bytes: [UInt8], _ offset: Int) -> UInt64 {
        (0..<4).reduce(UInt64(0)) { $0 | UInt64(bytes[offset + $1]) << UInt64($1 * 8) }
    }
}

/// A file or standard input, read sequentially, with the error messages of tinycdb's program.
private final class ClassicStream {
    private let input: ByteInput
    private var part: ArraySlice<UInt8> = []
    /// The number of bytes read.
    private(set) var position: UInt64 = 0

    init(_ name: String) throws {
        do throws(InputError) {
            input = try ByteInput(path: name, isText: false)
        } catch {
            throw ClassicCDB.failure("open \(name)", error.message.split(separator: ": ", maxSplits: 1).last.map(String.init) ?? "")
        }
    }

    /// Returns the next `count` bytes, which must be before `end`.
    func take(_ count: Int, before end: UInt64 = .max) throws -> [UInt8] {
        guard end >= position, end - position >= UInt64(count) else {
            throw ClassicCDB.failure("invalid database format", ClassicCDB.protocolError)
        }
        var bytes: [UInt8] = []
        while bytes.count < count {
            if part.isEmpty {
                guard let next = try input.nextPart() else {
                    throw ClassicCDB.Exit(status: 2, message: "cdb: unable to read: short file\n")
                }
                part = next
            }
            let some = part.prefix(count - bytes.count)
            bytes += some
            part = part.dropFirst(some.count)
        }
        position += UInt64(count)
        return bytes
    }

    /// Copies the next `count` bytes in pieces, so that everything before an error is printed.
    func copy(_ count: UInt64, before end: UInt64, to output: OutputWriter?) throws {
        var left = count
        while left > 0 {
            let bytes = try take(Int(min(left, 2048)), before: end)
            try output?.write(bytes)
            left -= UInt64(bytes.count)
        }
    }
}
