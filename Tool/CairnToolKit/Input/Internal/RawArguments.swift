/// The arguments of the process, byte for byte; `CommandLine.arguments` replaces what is not UTF-8.
package enum RawArguments {
    /// The arguments as text, the program's name first. Each byte that is not part of valid UTF-8 is written as a zero byte, which no argument
    /// contains, and two hexadecimal digits. A path with a zero byte is an error everywhere, so other bytes never name the wrong file.
    package static var texts: [String] {
        (0..<Int(CommandLine.argc)).map { index in
            var bytes: [UInt8] = []
            var next = unsafe CommandLine.unsafeArgv[index]
            while let byte = unsafe next?.pointee, byte != 0 {
                bytes.append(UInt8(bitPattern: byte))
                unsafe next = next?.successor()
            }
            return text(bytes)
        }
    }

    /// `bytes` as in ``texts``.
    package static func text(_ bytes: [UInt8]) -> String {
        if let text = String(validating: bytes, as: UTF8.self) { return text }
        var text = ""
        var parser = Unicode.UTF8.ForwardParser()
        var rest = bytes.makeIterator()
        var position = 0
        while true {
            switch parser.parseScalar(from: &rest) {
            case .valid(let scalar):
                text.unicodeScalars.append(Unicode.UTF8.decode(scalar))
                position += scalar.count
            case .error(let length):
                for byte in bytes[position..<position + length] { text += "\0" + String(decoding: Hex.digits([byte]), as: UTF8.self) }
                position += length
            case .emptyInput: return text
            }
        }
    }

    /// The bytes that `text` stands for.
    package static func bytes(_ text: String) -> [UInt8] {
        guard isForeign(text) else { return Array(text.utf8) }
        var bytes: [UInt8] = []
        var rest = text.utf8[...]
        while let byte = rest.popFirst() {
            guard byte == 0 else {
                bytes.append(byte)
                continue
            }
            bytes += Hex.bytes(rest.prefix(2)) ?? []
            rest = rest.dropFirst(2)
        }
        return bytes
    }

    /// Whether the argument is not UTF-8.
    package static func isForeign(_ text: String) -> Bool { text.utf8.contains(0) }
}
