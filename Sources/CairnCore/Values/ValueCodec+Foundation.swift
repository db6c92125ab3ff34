#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

extension ValueCodec where Value: Codable & SendableMetatype {
    /// Stores values as JSON with sorted keys, so that equal values have equal bytes.
    ///
    /// Encoding and decoding throw ``CodecError/Code/failed`` with Foundation's error as the cause. Numbers that JSON does not have (NaN,
    /// infinities) are rejected; dates are seconds since 2001.
    public static var json: ValueCodec {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        return json(encoder: encoder, decoder: JSONDecoder())
    }

    /// Stores values as JSON with your own coders, for instance with another date format.
    ///
    /// Do not change the coders afterwards: they are used from every thread that uses the table.
    public static func json(encoder: JSONEncoder, decoder: JSONDecoder) -> ValueCodec {
        coder("JSON", .json, encode: { try encoder.encode($0) }, decode: { try decoder.decode(Value.self, from: $0) })
    }

    /// Stores values as binary property lists.
    ///
    /// Encoding and decoding throw ``CodecError/Code/failed`` with Foundation's error as the cause. The outermost value must be a structure, a
    /// dictionary or an array: property lists of a single number or string are rejected. So are property lists in XML and in the old text form,
    /// and lists nested more than 512 deep.
    public static var propertyList: ValueCodec {
        let encoder = PropertyListEncoder()
        encoder.outputFormat = .binary
        let decoder = PropertyListDecoder()
        return coder(
            "a property list",
            .propertyList,
            encode: { try encoder.encode($0) },
            decode: { data in
                try BinaryPropertyList.check(data.bytes)
                return try decoder.decode(Value.self, from: data)
            }
        )
    }

    private static func coder(
        _ format: String,
        _ type: ValueType,
        encode: @escaping @Sendable (Value) throws -> Data,
        decode: @escaping @Sendable (Data) throws -> Value
    ) -> ValueCodec {
        ValueCodec(
            lending: { (key, value, body) throws(CodecError) in
                let data: Data
                do {
                    data = try encode(value)
                } catch {
                    // Property lists have all numbers.
                    let number = type == .json ? (error as? EncodingError)?.unencodableNumber : nil
                    let reason = number.map { ", which has no \($0)" } ?? ""
                    throw CodecError(.failed, "\(Value.self) cannot be encoded as \(format)\(reason)", userData: "key \(key)", cause: error)
                }
                body(data.bytes)
            },
            decoding: { (key, bytes) throws(CodecError) in
                do {
                    return try decode(Data(copying: bytes))
                } catch {
                    let message =
                        "the \(bytes.byteCount) bytes are not \(Value.self) encoded as \(format); was the value written by another codec?"
                    throw CodecError(.failed, message, userData: "key \(key)", cause: error)
                }
            },
            type: type
        )
    }
}
