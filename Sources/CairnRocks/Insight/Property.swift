public import CairnCore

/// Something that RocksDB can tell about a live database, with the type of the answer.
///
/// ```swift
/// let keys = try db.property(.estimateNumKeys)        // UInt64?
/// let files = try db.property(.numFilesAtLevel(2))    // UInt64?
/// let report = try db.property(.stats)                // String?
/// ```
///
/// Names are RocksDB's. Unless their comment says otherwise they are about one column family, exact, and cheap: no file is read.
public struct Property<Value: PropertyValue>: Hashable, Sendable {
    /// RocksDB's name, such as `rocksdb.estimate-num-keys`.
    public let name: String

    /// A property by RocksDB's name, for what has no member here.
    public init(name: String) { self.name = name }
}

/// What a ``Property`` can be: `String`, `UInt64`, `Double`, `Bool` or `ByteCount`.
public protocol PropertyValue: Sendable {
    /// Reads RocksDB's text for it.
    init?(propertyText: String)
    /// Makes it from RocksDB's number; `nil` if it is no number.
    init?(propertyNumber: UInt64)
}

extension RocksStore {
    /// What the database says about a property; `nil` if there is nothing to say: no such level, no such cache, a name that the installed
    /// library does not know.
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
