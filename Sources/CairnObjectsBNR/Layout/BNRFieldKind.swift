import CairnGraph

/// The kinds of values that `BNRDataBuffer` writes.
public enum BNRFieldKind: Hashable, Sendable {
    /// `writeUInt8:`, `writeUInt32:`, `writeFloat32:`, `writeFloat64:`.
    case uint8, uint32, float32, float64
    /// `writeString:`; UTF-8.
    case string
    /// `writeData:`, and `writeArchiveableObject:`, whose bytes are a property list of `NSKeyedArchiver`.
    case data
    /// `writeDate:`.
    case date
    /// `writeObjectReference:`, to objects of a class of BNRPersistence.
    case reference(of: String)
    /// A reference with the number of its class.
    case anyReference
    /// `writeArray:ofClass:`.
    case array(of: String)
    /// `writeHeteroArray:usingStore:`.
    case anyArray
}

extension BNRFieldKind {
    /// The default type of the property; `nil` for references.
    var storedType: StoredType? {
        switch self {
        case .uint8: .integer(bits: 8, isSigned: false)
        case .uint32: .integer(bits: 32, isSigned: false)
        case .float32: .float
        case .float64: .double
        case .string: .string
        case .data: .bytes
        case .date: .optional(.date)
        case .reference, .anyReference, .array, .anyArray: nil
        }
    }

    /// The shape of the relationship; `nil` for other values.
    var shape: ObjectRelationship.Shape? {
        switch self {
        case .reference, .anyReference: .one
        case .array, .anyArray: .list
        default: nil
        }
    }

    /// The class of the target.
    var target: String? {
        switch self {
        case .reference(let name), .array(let name): name
        default: nil
        }
    }

    func read(_ buffer: inout BNRBuffer) throws(BNRError) -> BNRValue {
        switch self {
        case .uint8: .unsigned(UInt32(try buffer.readUInt8()))
        case .uint32: .unsigned(try buffer.readUInt32())
        case .float32: .float(try buffer.readFloat32())
        case .float64: .double(try buffer.readFloat64())
        case .string: .text(try buffer.readString())
        case .data: .bytes(try buffer.readData())
        case .date: .date(try buffer.readDate())
        case .reference(let name): .object(try buffer.readObjectReference(ofClass: name))
        case .anyReference: .object(try buffer.readObjectReferenceOfUnknownClass())
        case .array(let name): .objects(try buffer.readArray(ofClass: name))
        case .anyArray: .objects(try buffer.readHeteroArray())
        }
    }
}
