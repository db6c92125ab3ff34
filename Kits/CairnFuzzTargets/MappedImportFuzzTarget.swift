import CairnCore
import CairnMapped
import CairnMappedImport

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// What is true of all that is imported into mapped stores, whatever the format.
enum MappedImportCheck {
    /// Checks an import; an error is an answer.
    static func run(_ body: () throws(MappedStoreError) -> MappedImport) throws(FuzzFinding) -> MappedImport? {
        let result: MappedImport
        do { result = try body() } catch { return nil }
        let report = result.report
        let keys = Set(result.entries.map { Array($0.key.utf8) })
        try require(keys.count == result.entries.count, "a key is there twice")
        try require(report.importedCount == result.entries.count, "\(result.entries.count) entries, and another number is reported")
        let accounted = report.importedCount + report.leftOut.count + report.removedCount + report.supersededCount
        try require(accounted == report.recordCount, "\(accounted) of \(report.recordCount) records are accounted for")
        for entry in result.entries { try checkStored(entry.value) }
        let again: MappedImport
        do { again = try MappedImport.json(bytes: Array(MappedExport.json(result.entries).utf8)) } catch {
            throw FuzzFinding("what was exported cannot be imported: \(error)")
        }
        try require(
            again.entries.count == result.entries.count,
            "of \(result.entries.count) entries exported, \(again.entries.count) are imported"
        )
        for (old, new) in zip(result.entries, again.entries) {
            let isSame =
                old.key.utf8.elementsEqual(new.key.utf8) && old.value.type == new.value.type && bytes(old.value) == bytes(new.value)
            try require(isSame, "a value of type \(old.value.type) is exported and imported as another, of type \(new.value.type)")
            let (then, now) = (old.expires?.timeIntervalSinceReferenceDate, new.expires?.timeIntervalSinceReferenceDate)
            try require(then == now || then?.isNaN == true && now?.isNaN == true, "a deadline is exported and imported as another")
        }
        return result
    }

    /// What is stored can be read.
    private static func checkStored(_ value: MappedVariant) throws(FuzzFinding) {
        let stored = bytes(value)
        let read = stored.withBytes { try? MappedVariant(stored: $0, as: value.type) }
        try require(read.map(bytes) == stored, "a value of type \(value.type) cannot be stored and read")
    }

    private static func bytes(_ value: MappedVariant) -> [UInt8] {
        (try? value.withStoredBytes { bytes, _ in [UInt8](copying: bytes) }) ?? []
    }
}

/// Files of MMKV: any bytes are read or refused; what a checksum vouches for is read whole.
public struct MMKVFuzzTarget: FuzzTarget {
    public static let name = "mmkv"

    public init() {}

    /// The first byte chooses options, and what the rest is: both files (the second begins with its length), or what is between the size and
    /// the unused space, for which the rest is made.
    public func check(_ bytes: RawSpan) throws {
        let all = [UInt8](copying: bytes)
        guard let choice = all.first else { return }
        let rest = Array(all.dropFirst())
        // A cipher need not be a good one here.
        let cipher = MappedImportCipher(key: [1, 2, 3]) { block, key in
            block = zip(block, key).map { $0 &* 31 ^ $1 }
        }
        let isSound = choice & 1 == 1
        let data: [UInt8]
        let meta: [UInt8]?
        if isSound {
            data = [0, 0, 0, 0] + rest + [0, 0]
            meta = Self.meta(of: rest, hasExpiry: choice & 2 == 2)
        } else if choice & 2 == 2 {
            meta = Array(rest.prefix(112))
            data = Array(rest.dropFirst(112))
        } else {
            meta = nil
            data = rest
        }
        let result = try MappedImportCheck.run { () throws(MappedStoreError) in
            try MappedImport.mmkv(
                bytes: data,
                meta: meta,
                cipher: choice & 4 == 4 ? cipher : nil,
                types: ["a": .string, "b": .double, "c": .strings, "d": .date, "e": .json],
                booleans: choice & 8 == 8,
                expiry: choice & 16 == 16 ? choice & 32 == 32 : nil
            )
        }
        guard let result else { return }
        try require(result.report.types.count <= result.entries.count, "a type is reported for a key that is not there")
        let isUnverified = !result.report.unverifiedKeys.isEmpty
        try require(!isUnverified || result.report.damage != nil, "a file is whole, and not vouched for")
        try require(!isSound || result.report.damage == nil, "a file with the right checksum is damaged: \(result.report.damage ?? "")")
    }

    /// The file beside one with this payload.
    private static func meta(of payload: [UInt8], hasExpiry: Bool) -> [UInt8] {
        func little(_ number: UInt32) -> [UInt8] { (0..<4).map { UInt8(truncatingIfNeeded: number >> (8 * $0)) } }
        let checksum = ~payload.reduce(~UInt32(0)) { crc, byte in
            (0..<8).reduce(crc ^ UInt32(byte)) { crc, _ in crc >> 1 ^ (crc & 1 == 1 ? 0xEDB8_8320 : 0) }
        }
        let head = little(checksum) + little(4) + little(1) + [UInt8](repeating: 0, count: 16) + little(UInt32(payload.count))
        return head + [UInt8](repeating: 0, count: 72) + [hasExpiry ? 1 : 0] + [UInt8](repeating: 0, count: 7)
    }
}

/// Files of Goose: any bytes are read or refused.
public struct GooseFuzzTarget: FuzzTarget {
    public static let name = "goose"

    public init() {}

    public func check(_ bytes: RawSpan) throws {
        let all = [UInt8](copying: bytes)
        _ = try MappedImportCheck.run { () throws(MappedStoreError) in try MappedImport.goose(bytes: all) }
        let types: [String: MappedForeignType] = ["a": .strings, "b": .date, "c": .uuid, "d": .url, "e": .unsigned, "f": .json]
        _ = try MappedImportCheck.run { () throws(MappedStoreError) in try MappedImport.goose(bytes: all, types: types) }
    }
}

/// JSON for mapped stores: any bytes are read or refused.
public struct MappedJSONFuzzTarget: FuzzTarget {
    public static let name = "mapped-json"

    public init() {}

    public func check(_ bytes: RawSpan) throws {
        let all = [UInt8](copying: bytes)
        _ = try MappedImportCheck.run { () throws(MappedStoreError) in try MappedImport.json(bytes: all) }
    }
}

/// Property lists, binary and XML: any bytes are read or refused.
public struct PropertyListFuzzTarget: FuzzTarget {
    public static let name = "property-lists"

    public init() {}

    public func check(_ bytes: RawSpan) throws {
        let all = [UInt8](copying: bytes)
        _ = try MappedImportCheck.run { () throws(MappedStoreError) in try MappedImport.propertyList(bytes: all) }
    }
}
