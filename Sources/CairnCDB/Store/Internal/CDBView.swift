import CairnCore
import Synchronization

/// A file as a dictionary: the first record of each key counts. Immutable; a missing file is an empty one.
final class CDBView: Sendable {
    /// `nil` if there is no file.
    let reader: CDBReader?
    /// Distinguishes this file from another of the same name. The reader keeps the file, so no other can get the same identity.
    let identity: FileStatus.Identity?
    /// Whether this process has just written the file.
    private let isOwn: Bool
    private let shape: Mutex<Shape?>

    /// The result of a pass over the slots.
    private struct Shape {
        var count: Int
        /// The positions of records whose key has an earlier one.
        var hidden: Set<UInt64>
    }

    /// Opens the file at the path, as it is now.
    ///
    /// - Parameter name: The path, for messages.
    convenience init(path: String, name: String, options: CDBStoreOptions, fileSystem: FileSystem) throws(CDBError) {
        let opened: (file: File, identity: FileStatus.Identity)?
        do throws(FileError) {
            let file = try File(path, [.read], fileSystem: fileSystem)
            opened = (file, try file.status().identity)
        } catch {
            guard error.code == .notFound else { throw CDBError(error) }
            opened = nil
        }
        if let opened {
            let reader = try CDBReader(file: opened.file, name: name, access: options.access, dialect: options.dialect)
            self.init(reader: reader, identity: opened.identity, count: nil)
        } else {
            // If the directory is missing, nothing could ever be saved.
            let directory = FileSystem.split(path).directory
            do throws(SystemCallError) {
                _ = try fileSystem.stat(directory)
            } catch {
                throw CDBError(FileError("could not open a store in", directory, cause: error))
            }
            self.init(reader: nil, identity: nil, count: 0)
        }
    }

    /// - Parameter count: The number of records of a file without duplicates; `nil` if unknown.
    init(reader: CDBReader?, identity: FileStatus.Identity?, count: Int?) {
        self.reader = reader
        self.identity = identity
        isOwn = count != nil
        shape = Mutex(count.map { Shape(count: $0, hidden: []) })
    }

    func locate(_ key: [UInt8]) throws(CDBError) -> CDBLocation? {
        guard let reader else { return nil }
        return try reader.locate(unsafe key.span.bytes)
    }

    /// Returns a copy of the value of a key.
    func value(_ key: [UInt8]) throws(CDBError) -> [UInt8]? {
        guard let reader, let location = try locate(key) else { return nil }
        return try reader.copy(location)
    }

    /// Whether the value of a key is `value`.
    func holds(_ value: [UInt8], for key: [UInt8]) throws(CDBError) -> Bool {
        guard let location = try locate(key), location.count == value.count else { return false }
        return try self.value(key) == value
    }

    /// Returns the number of keys.
    func count() throws(CDBError) -> Int { try examined().count }

    /// Calls `body` with each key's record, in the order of the file, until it returns false.
    func forEach(_ body: (_ key: RawSpan, _ value: RawSpan) throws -> Bool) throws {
        guard let reader else { return }
        let hidden = try examined().hidden
        var cursor = reader.makeCursor()
        /// The value of the empty key: `nil` before it is looked up, `.some(nil)` if there is none.
        var empty: CDBLocation??
        while let entry = try cursor.next() {
            if !hidden.isEmpty, hidden.contains(entry.position) { continue }
            if entry.key.byteCount == 0 {
                // Records filled with zeros look like records of the empty key, but no slot points to them.
                if empty == nil { empty = .some(try reader.locate(RawSpan())) }
                guard let start = empty??.start, UInt64(start) == entry.position + reader.dialect.pairSize else { continue }
            }
            guard try body(entry.key, entry.value) else { return }
        }
    }

    /// Throws unless the file is intact. Does not verify a file that this process wrote: saving makes a pass over it anyway.
    func check() throws(CDBError) {
        if let reader, !isOwn { try reader.verify() }
    }

    private func examined() throws(CDBError) -> Shape {
        try shape.withLock { (shape) throws(CDBError) in
            if let shape { return shape }
            let examined = try reader.map { reader throws(CDBError) in try Self.examine(reader) } ?? Shape(count: 0, hidden: [])
            shape = examined
            return examined
        }
    }

    /// Finds records hidden by others of the same key: among slots with the same hash.
    private static func examine(_ reader: CDBReader) throws(CDBError) -> Shape {
        try reader.checkHeader()
        var shape = Shape(count: 0, hidden: [])
        var window = CDBWindow(reader, end: reader.size)
        for number in 0..<256 {
            let table = reader.tables[number]
            var slots: [(hash: UInt64, position: UInt64)] = []
            slots.reserveCapacity(Int(truncatingIfNeeded: table.count / 2))
            for slot in 0..<table.count {
                let (hash, position) = try window.pair(at: table.position + slot * reader.dialect.pairSize)
                if position != 0 { slots.append((hash, position)) }
            }
            slots.sort { $0 < $1 }
            shape.count += slots.count
            for index in slots.indices {
                let hash = slots[index].hash
                let hasTwin = index > 0 && slots[index - 1].hash == hash || index + 1 < slots.count && slots[index + 1].hash == hash
                if hasTwin, try !isFirst(slots[index].position, reader), shape.hidden.insert(slots[index].position).inserted {
                    shape.count -= 1
                }
            }
        }
        return shape
    }

    /// Whether a lookup of its own key finds the record.
    private static func isFirst(_ position: UInt64, _ reader: CDBReader) throws(CDBError) -> Bool {
        var window = CDBWindow(reader, end: reader.dataEnd)
        let record = try window.record(at: position)
        let key = try unsafe window.bytes(record.keyCount, at: record.keyPosition)
        var probe = try reader.probe(hash: unsafe reader.dialect.hash(key))
        return try unsafe reader.nextRecord(&probe, key)?.position == position
    }
}
