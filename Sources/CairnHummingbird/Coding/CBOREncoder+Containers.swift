#if Hummingbird
/// Encodes a map.
struct CBORKeyedEncoding<Key: CodingKey>: KeyedEncodingContainerProtocol {
    let container: CBORContainer
    let codingPath: [any CodingKey]

    private func set(_ item: CBORItem, _ key: Key) { container.set(item, for: key.stringValue) }

    func encodeNil(forKey key: Key) { set(.null, key) }
    func encode(_ value: Bool, forKey key: Key) { set(.bool(value), key) }
    func encode(_ value: String, forKey key: Key) { set(.text(value), key) }
    func encode(_ value: Double, forKey key: Key) { set(.double(value), key) }
    func encode(_ value: Float, forKey key: Key) { set(.float(value), key) }
    func encode(_ value: Int, forKey key: Key) { set(CBORItem(value), key) }
    func encode(_ value: Int8, forKey key: Key) { set(CBORItem(value), key) }
    func encode(_ value: Int16, forKey key: Key) { set(CBORItem(value), key) }
    func encode(_ value: Int32, forKey key: Key) { set(CBORItem(value), key) }
    func encode(_ value: Int64, forKey key: Key) { set(CBORItem(value), key) }
    func encode(_ value: UInt, forKey key: Key) { set(CBORItem(value), key) }
    func encode(_ value: UInt8, forKey key: Key) { set(CBORItem(value), key) }
    func encode(_ value: UInt16, forKey key: Key) { set(CBORItem(value), key) }
    func encode(_ value: UInt32, forKey key: Key) { set(CBORItem(value), key) }
    func encode(_ value: UInt64, forKey key: Key) { set(CBORItem(value), key) }
    func encode(_ value: some Encodable, forKey key: Key) throws { set(try CBOREncoder.item(for: value, codingPath + [key]), key) }

    func nestedContainer<Nested: CodingKey>(keyedBy type: Nested.Type, forKey key: Key) -> KeyedEncodingContainer<Nested> {
        let nested = CBORContainer(isMap: true)
        set(.container(nested), key)
        return KeyedEncodingContainer(CBORKeyedEncoding<Nested>(container: nested, codingPath: codingPath + [key]))
    }

    func nestedUnkeyedContainer(forKey key: Key) -> any UnkeyedEncodingContainer {
        let nested = CBORContainer(isMap: false)
        set(.container(nested), key)
        return CBORUnkeyedEncoding(container: nested, codingPath: codingPath + [key])
    }

    func superEncoder() -> any Encoder { encoder(for: CBORSuperKey()) }
    func superEncoder(forKey key: Key) -> any Encoder { encoder(for: key) }

    private func encoder(for key: any CodingKey) -> any Encoder {
        let encoder = CBOREncoder(codingPath: codingPath + [key])
        container.set(.encoder(encoder), for: key.stringValue)
        return encoder
    }
}

/// Encodes an array.
struct CBORUnkeyedEncoding: UnkeyedEncodingContainer {
    let container: CBORContainer
    let codingPath: [any CodingKey]
    var count: Int { container.items.count }

    private var path: [any CodingKey] { codingPath + [CBORIndex(count)] }

    func encodeNil() { container.append(.null) }
    func encode(_ value: Bool) { container.append(.bool(value)) }
    func encode(_ value: String) { container.append(.text(value)) }
    func encode(_ value: Double) { container.append(.double(value)) }
    func encode(_ value: Float) { container.append(.float(value)) }
    func encode(_ value: Int) { container.append(CBORItem(value)) }
    func encode(_ value: Int8) { container.append(CBORItem(value)) }
    func encode(_ value: Int16) { container.append(CBORItem(value)) }
    func encode(_ value: Int32) { container.append(CBORItem(value)) }
    func encode(_ value: Int64) { container.append(CBORItem(value)) }
    func encode(_ value: UInt) { container.append(CBORItem(value)) }
    func encode(_ value: UInt8) { container.append(CBORItem(value)) }
    func encode(_ value: UInt16) { container.append(CBORItem(value)) }
    func encode(_ value: UInt32) { container.append(CBORItem(value)) }
    func encode(_ value: UInt64) { container.append(CBORItem(value)) }
    func encode(_ value: some Encodable) throws { container.append(try CBOREncoder.item(for: value, path)) }

    func nestedContainer<Nested: CodingKey>(keyedBy type: Nested.Type) -> KeyedEncodingContainer<Nested> {
        let (nested, path) = (CBORContainer(isMap: true), path)
        container.append(.container(nested))
        return KeyedEncodingContainer(CBORKeyedEncoding<Nested>(container: nested, codingPath: path))
    }

    func nestedUnkeyedContainer() -> any UnkeyedEncodingContainer {
        let (nested, path) = (CBORContainer(isMap: false), path)
        container.append(.container(nested))
        return CBORUnkeyedEncoding(container: nested, codingPath: path)
    }

    func superEncoder() -> any Encoder {
        let encoder = CBOREncoder(codingPath: path)
        container.append(.encoder(encoder))
        return encoder
    }
}
#endif
