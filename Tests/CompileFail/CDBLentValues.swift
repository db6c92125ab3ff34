// What a constant database lends cannot outlive it, nor the place of the cursor.
import CairnCDB

func escape(_ reader: CDBReader) throws {
    var kept = RawSpan()  // error: 'kept' escapes its scope
    _ = try reader.withValue(for: "a") { value in
        kept = value
    }
    print(kept.byteCount)
}

func outlive() throws -> Int {
    let value: RawSpan?  // error: 'value' escapes its scope
    do {
        let reader = try CDBReader(path: "a.cdb")
        value = try reader.lentValue(for: "a")
    }
    return value?.byteCount ?? 0
}

func walk(_ reader: CDBReader) throws {
    var cursor = reader.makeCursor()
    let first = try cursor.next()  // error: overlapping accesses to 'cursor'
    let second = try cursor.next()
    print(first?.key.byteCount ?? 0, second?.key.byteCount ?? 0)
}
