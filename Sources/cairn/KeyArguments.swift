import CairnCore
import CairnToolKit

/// Keys and passphrases in files, so that no command line shows them.
enum KeyFile {
    /// The key in a file: 32 bytes, or 64 hexadecimal digits.
    static func key(_ path: String) throws -> [UInt8] {
        let bytes = try ByteInput(path: path, isText: false).readAll()
        if bytes.count == 32 { return bytes }
        let digits = bytes.filter { $0 != UInt8(ascii: "\n") && $0 != UInt8(ascii: "\r") }
        guard digits.count == 64, let key = Hex.bytes(digits) else {
            throw Failure(.file, "'\(path)' holds no key: neither 32 bytes nor 64 hexadecimal digits.")
        }
        return key
    }

    /// The first line of a file; `-` is standard input.
    static func passphrase(_ path: String) throws -> String {
        let bytes = try ByteInput(path: path, isText: false).readAll()
        let line = bytes.prefix { $0 != UInt8(ascii: "\n") && $0 != UInt8(ascii: "\r") }
        guard !line.isEmpty, let passphrase = String(validating: line, as: UTF8.self) else {
            throw Failure(.file, "The first line of '\(path)' is no passphrase: it is empty, or not UTF-8.")
        }
        return passphrase
    }
}
