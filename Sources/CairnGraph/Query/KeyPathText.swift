/// A key path as text, with names: Swift's description has addresses for computed properties, and `@Stored` makes its properties computed.
///
/// Swift gives no access to the parts of a key path. The properties of a class are recognized by the beginning of their own descriptions.
enum KeyPathText {
    static func text(_ keyPath: AnyKeyPath) -> String {
        var type: Any.Type = Swift.type(of: keyPath).rootType
        var rest = afterRoot(of: keyPath)
        var text = ""
        // The last mark is that of a value that is optional only because the path to it is.
        if rest.last == "?" { rest.removeLast() }
        while let character = rest.first {
            if ".?!".contains(character) {
                rest.removeFirst()
                text.append(character)
                continue
            }
            let (name, length, value) = part(rest, of: (type as? any OptionalType.Type)?.wrappedType ?? type)
            text += name
            rest = rest.dropFirst(length)
            guard let value else { return text + rest }
            type = value
        }
        return text
    }

    /// What the text of a key path begins with: its name, the length of its description, and its type if known.
    private static func part(_ text: Substring, of type: Any.Type) -> (name: String, length: Int, value: Any.Type?) {
        for property in (type as? any StoredObject.Type)?.objectSchema.properties ?? [] {
            let description = afterRoot(of: property.keyPath)
            guard text.hasPrefix(description), text.dropFirst(description.count).first.map({ ".?!".contains($0) }) ?? true else { continue }
            return (property.name, description.count, Swift.type(of: property.keyPath).valueType)
        }
        guard text.hasPrefix("<computed "), let end = text.firstRange(of: ")>")?.upperBound else { return ("", 0, nil) }
        let part = text[..<end]
        return (computed(part.drop { $0 != "(" }.dropFirst().dropLast(2), of: type), part.count, nil)
    }

    /// The name of a computed property of which only the address is known. For a collection, it is `count` or `isEmpty`.
    static func computed(_ value: some StringProtocol, of type: Any.Type) -> String {
        guard type is any Collection.Type else { return "a computed \(value)" }
        return value == "Int" ? "count" : value == "Bool" ? "isEmpty" : "a computed \(value)"
    }

    /// The description without the backslash and the type that it begins with.
    private static func afterRoot(of keyPath: AnyKeyPath) -> Substring {
        let text = "\(keyPath)"
        let root = "\\\(Swift.type(of: keyPath).rootType)."
        return text.hasPrefix(root) ? text.dropFirst(root.count) : text[...]
    }
}
