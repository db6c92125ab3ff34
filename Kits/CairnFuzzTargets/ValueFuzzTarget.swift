public import CairnCore

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// Values: whatever a codec reads, it writes again, and reads back as the same value.
public struct ValueFuzzTarget: FuzzTarget {
    public static let name = "values"

    /// All that Foundation's coders know how to store.
    private struct Record: Codable, Equatable {
        var text: String?
        var numbers: [Int]?
        var ratio: Double?
        var isSet: Bool?
        var bytes: Data?
        var date: Date?
        var names: [String: UInt8]?
        var children: [Record]?
    }

    private let json = ValueCodec<Int, Record>.json
    private let propertyList = ValueCodec<Int, Record>.propertyList
    private let jsonStrings = ValueCodec<Int, [String: String]>.json
    private let propertyListNumbers = ValueCodec<Int, [Double]>.propertyList

    public init() {}

    public func check(_ bytes: RawSpan) throws {
        try roundTrip(bytes, ValueCodec<Int, [UInt8]>.raw, isExact: true)
        try roundTrip(bytes, ValueCodec<Int, Data>.raw, isExact: true)
        try roundTrip(bytes, ValueCodec<Int, String>.utf8, isExact: true)
        try roundTrip(bytes, ValueCodec<Int, Int8>.littleEndian, isExact: true)
        try roundTrip(bytes, ValueCodec<Int, UInt16>.bigEndian, isExact: true)
        try roundTrip(bytes, ValueCodec<Int, Int32>.littleEndian, isExact: true)
        try roundTrip(bytes, ValueCodec<Int, Int64>.bigEndian, isExact: true)
        try roundTrip(bytes, ValueCodec<Int, UInt128>.littleEndian, isExact: true)
        try roundTrip(bytes, ValueCodec<Int, Float>.bigEndian, isExact: true)
        try roundTrip(bytes, ValueCodec<Int, Double>.littleEndian, isExact: true)
        try roundTrip(bytes, json, isExact: false)
        try roundTrip(bytes, propertyList, isExact: false)
        try roundTrip(bytes, jsonStrings, isExact: false)
        try roundTrip(bytes, propertyListNumbers, isExact: false)
    }

    /// Reads, writes and reads again.
    ///
    /// - Parameter isExact: Whether each value has one form only, so that it must be written as the bytes it was read from.
    public func roundTrip<Value>(_ bytes: RawSpan, _ codec: ValueCodec<Int, Value>, isExact: Bool) throws {
        guard let value = try? codec.decode(bytes, for: 0) else { return }
        let written: [UInt8]
        do {
            written = try codec.encode(value, for: 0)
        } catch {
            throw FuzzFinding("a \(Value.self) that was read cannot be written: \(error)")
        }
        if isExact {
            try require(written == [UInt8](copying: bytes), "\(Value.self) is written as \(written), which it was not read from")
        }
        let again: [UInt8]
        do {
            again = try codec.encode(codec.decode(written, for: 0), for: 0)
        } catch {
            throw FuzzFinding("a \(Value.self) that was written cannot be read: \(error)")
        }
        try require(again == written, "\(Value.self), read and written twice, is \(again), then \(written)")
    }
}
