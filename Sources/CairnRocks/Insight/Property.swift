public import CairnCore

/// A property of a live database that RocksDB can report, with the type of its value.
///
/// ```swift
/// let keys = try db.property(.estimateNumKeys)        // UInt64?
/// let files = try db.property(.numFilesAtLevel(2))    // UInt64?
/// let report = try db.property(.stats)                // String?
/// ```
///
/// Names are RocksDB's. Unless their comment says otherwise, properties concern one column family, are exact, and are cheap: no file is read.
public struct Property<Value: PropertyValue>: Hashable, Sendable {
    /// RocksDB's name, such as `rocksdb.estimate-num-keys`.
    public let name: String

    /// Creates a property by RocksDB's name, for one that has no member here.
    public init(name: String) { self.name = name }
}

/// The type of a ``Property``: `String`, `UInt64`, `Double`, `Bool` or `ByteCount`.
public protocol PropertyValue: Sendable {
    /// Reads the value from RocksDB's text.
    init?(propertyText: String)
    /// Creates the value from RocksDB's number; `nil` if the type is not numeric.
    init?(propertyNumber: UInt64)
}

extension RocksStore {
    /// Returns the value of a property, or `nil` if there is none: no such level, no such cache, or a name that the installed library does not
    /// know.
    ///
    /// - Throws: ``RocksError/Code/closed``, ``RocksError/Code/columnFamilyDropped``.
    public func property<Value>(_ property: Property<Value>) throws(RocksError) -> Value? {
        if Value.self != String.self, let number = try intProperty(property.name) { return Value(propertyNumber: number) }
        return try self.property(property.name).flatMap { Value(propertyText: $0) }
    }
}

extension String: PropertyValue {
    public init?(propertyText: String) { self = propertyText }
    public init?(propertyNumber: UInt64) { self = String(propertyNumber) }
}

extension UInt64: PropertyValue {
    public init?(propertyText: String) { self.init(propertyText) }
    public init?(propertyNumber: UInt64) { self = propertyNumber }
}

extension Double: PropertyValue {
    public init?(propertyText: String) { self.init(propertyText) }
    public init?(propertyNumber: UInt64) { self = Double(propertyNumber) }
}

extension Bool: PropertyValue {
    public init?(propertyText: String) {
        guard let number = UInt64(propertyText) else { return nil }
        self = number != 0
    }
    public init?(propertyNumber: UInt64) { self = propertyNumber != 0 }
}

extension ByteCount: PropertyValue {
    public init?(propertyText: String) {
        guard let number = UInt64(propertyText) else { return nil }
        self.init(bytes: Int64(clamping: number))
    }
    public init?(propertyNumber: UInt64) { self.init(bytes: Int64(clamping: propertyNumber)) }
}
