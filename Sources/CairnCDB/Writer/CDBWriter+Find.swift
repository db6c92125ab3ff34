import CairnCore

/// The space in the file of a record that was replaced.
struct CDBHole {
    var position: UInt64
    var count: UInt64
}

/// A record that was written earlier.
struct CDBWrittenRecord {
    /// Its number in the index.
    var number: Int
    var position: UInt64
    /// Includes the lengths before it.
    var size: UInt64
}

extension CDBWriter {
    /// Returns the last record written with `key`.
    func latestRecord(with key: RawSpan, _ hash: UInt64) throws(CDBError) -> CDBWrittenRecord? {
        try nextRecord(with: key, hash, from: index.latest(hash))
    }

    /// Returns `latest` and all older records with `key`, the latest first.
    func records(with key: RawSpan, _ hash: UInt64, from latest: CDBWrittenRecord) throws(CDBError) -> [CDBWrittenRecord] {
        var records = [latest]
        while let next = try nextRecord(with: key, hash, from: index.older(records[records.count - 1].number)) { records.append(next) }
        return records
    }

    private func nextRecord(with key: RawSpan, _ hash: UInt64, from first: Int?) throws(CDBError) -> CDBWrittenRecord? {
        var candidate = first
        while let number = candidate {
            if index.hash(number) == hash {
                let position = index.position(number)
                if let size = try size(ofRecordAt: position, with: key) {
                    return CDBWrittenRecord(number: number, position: position, size: size)
                }
            }
            candidate = index.older(number)
        }
        return nil
    }

    /// Returns the size of a record, if it has that key.
    private func size(ofRecordAt place: UInt64, with key: RawSpan) throws(CDBError) -> UInt64? {
        let pair = Int(dialect.pairSize)
        // A record is entirely in the file or entirely in the buffer.
        let end = place < flushedCount ? flushedCount : position
        let count = min(pair + key.byteCount, Int(end - place))
        return try withWritten(count, at: place) { bytes in
            unsafe bytes.withUnsafeBytes { bytes in
                let (keyCount, valueCount) = unsafe dialect.pair(bytes, at: 0)
                guard keyCount == UInt64(key.byteCount), count == pair + key.byteCount else { return nil }
                let isEqual = unsafe key.withUnsafeBytes { unsafe bytesAreEqual(bytes.baseAddress! + pair, $0) }
                return isEqual ? UInt64(pair) + keyCount + valueCount : nil
            }
        }
    }

    /// Calls `body` with bytes that were written earlier, whether in the buffer or in the file.
    private func withWritten<Value>(_ count: Int, at place: UInt64, _ body: (RawSpan) -> Value) throws(CDBError) -> Value {
        let file = try openFile()
        if place >= flushedCount {
            let offset = Int(place - flushedCount)
            return buffer.withBytes { body($0.extracting(offset..<offset + count)) }
        }
        let bytes = try endingOnFailure { () throws(FileError) in try file.read(count, at: Int64(place)) }
        return unsafe body(bytes.span.bytes)
    }

    /// Gives a record the empty key and a value of zeros; removes it if it is the last.
    func fillWithZeros(_ record: CDBWrittenRecord) throws(CDBError) {
        try flush()
        let file = try openFile()
        if record.position + record.size == position {
            try endingOnFailure { () throws(FileError) in try file.truncate(to: Int64(record.position)) }
            flushedCount = record.position
            return
        }
        var lengths = CDBBuffer(capacity: 16)
        lengths.appendPair(0, record.size - dialect.pairSize, isWide: dialect.isWide)
        try endingOnFailure { () throws(FileError) in
            try lengths.withBytes { (bytes) throws(FileError) in try file.write(bytes, at: Int64(record.position)) }
            var place = record.position + dialect.pairSize
            let end = record.position + record.size
            let zeros = [UInt8](repeating: 0, count: Int(min(end - place, 1 << 20)))
            while place < end {
                let count = Int(min(end - place, UInt64(zeros.count)))
                try file.write(zeros[..<count], at: Int64(place))
                place += UInt64(count)
            }
        }
    }

    /// Moves all records together, so that no hole is left: one pass over the file after the first hole.
    func removeHoles() throws(CDBError) {
        guard !holes.isEmpty else { return }
        try flush()
        let file = try openFile()
        holes.sort { $0.position < $1.position }
        let end = flushedCount
        var target = holes[0].position
        try endingOnFailure { () throws(FileError) in
            for (number, hole) in holes.enumerated() {
                var source = hole.position + hole.count
                let next = number + 1 < holes.count ? holes[number + 1].position : end
                while source < next {
                    let count = Int(min(next - source, 1 << 20))
                    try file.write(try file.read(count, at: Int64(source)), at: Int64(target))
                    source += UInt64(count)
                    target += UInt64(count)
                }
            }
            try file.truncate(to: Int64(target))
        }
        flushedCount = target
        index.close(holes)
        holes = []
        holeBytes = 0
    }
}
