import ArgumentParser
import CairnCore
import CairnMappedEncryption
import CairnObjectsEncryption
import CairnToolKit
import Crypto

/// Keys and passphrases are read from files, so that they never appear on a command line.
enum KeyFile {
    /// The key in a file: 32 bytes, or 64 hexadecimal digits.
    static func key(_ path: String) throws -> [UInt8] {
        let bytes = try bytes(path)
        if bytes.count == 32 { return bytes }
        let digits = bytes.filter { $0 != UInt8(ascii: "\n") && $0 != UInt8(ascii: "\r") }
        guard digits.count == 64, let key = Hex.bytes(digits) else {
            throw Failure(.file, "'\(path)' does not contain a key, which is 32 bytes or 64 hexadecimal digits.")
        }
        return key
    }

    /// All bytes of a file, which are few; `-` is standard input.
    static func bytes(_ path: String) throws -> [UInt8] { try secret(path, "key") }

    static func passphrase(_ path: String) throws -> String { try line(path, "passphrase") }

    /// The first line of a file, which is a secret of this kind; `-` is standard input.
    static func line(_ path: String, _ kind: String) throws -> String {
        let line = try secret(path, kind).prefix { $0 != UInt8(ascii: "\n") && $0 != UInt8(ascii: "\r") }
        guard !line.isEmpty, let secret = String(validating: line, as: UTF8.self) else {
            throw Failure(.file, "The first line of '\(path)' is not a \(kind): it is empty or not valid UTF-8.")
        }
        return secret
    }

    private static let longest = ByteCount.kibibytes(64)

    /// All bytes of a file, or the line that is typed if it is standard input and that is a terminal, which does not show it.
    private static func secret(_ path: String, _ kind: String) throws -> [UInt8] {
        guard path == "-", Terminal.isInputTerminal else { return try ByteInput(secret: path).readAll(limit: longest) }
        var line: [UInt8] = []
        try Terminal.withoutEcho(prompt: "\(kind.prefix(1).uppercased() + kind.dropFirst()): ") {
            _ = try ByteInput(secret: path).readLine(into: &line)
        }
        return line
    }
}

/// The key or passphrase that the user gave.
enum GivenKey {
    case key([UInt8])
    case passphrase(String)

    /// `nil` if neither file is given.
    init?(keyFile: String?, passphraseFile: String?) throws {
        if let keyFile {
            self = .key(try KeyFile.key(keyFile))
        } else if let passphraseFile {
            self = .passphrase(try KeyFile.passphrase(passphraseFile))
        } else {
            return nil
        }
    }
}

extension MappedEncryption {
    convenience init(_ given: GivenKey, algorithm: Algorithm = .aesGCM) throws {
        switch given {
        case .key(let bytes): try self.init(key: SymmetricKey(data: bytes), algorithm: algorithm)
        case .passphrase(let passphrase): try self.init(passphrase: passphrase, algorithm: algorithm)
        }
    }
}

extension ObjectEncryption {
    convenience init(_ given: GivenKey) throws {
        switch given {
        case .key(let bytes): try self.init(key: SymmetricKey(data: bytes))
        case .passphrase(let passphrase): try self.init(passphrase: passphrase)
        }
    }
}

/// The key of an encrypted store.
struct KeyArguments: ParsableArguments {
    @Option(
        help: ArgumentHelp("A file with the key of an encrypted store: 32 bytes or 64 hexadecimal digits.", valueName: "file"),
        completion: .file()
    )
    var keyFile: String?
    @Option(
        help: ArgumentHelp("A file whose first line is the passphrase of an encrypted store; '-' is standard input.", valueName: "file"),
        completion: .file()
    )
    var passphraseFile: String?

    func validate() throws {
        if keyFile != nil, passphraseFile != nil { throw ValidationError("--key-file cannot be combined with --passphrase-file.") }
    }

    /// `nil` for a store that is not encrypted.
    func read() throws -> GivenKey? { try GivenKey(keyFile: keyFile, passphraseFile: passphraseFile) }

    /// The options as they were given.
    var options: [String] { keyFile.map { ["--key-file", $0] } ?? passphraseFile.map { ["--passphrase-file", $0] } ?? [] }
}

/// How to encrypt a store from now on.
struct NewKeyArguments: ParsableArguments {
    @Option(help: ArgumentHelp("A file with the new key: 32 bytes or 64 hexadecimal digits.", valueName: "file"), completion: .file())
    var newKeyFile: String?
    @Option(
        help: ArgumentHelp("A file whose first line is the new passphrase; '-' is standard input.", valueName: "file"),
        completion: .file()
    )
    var newPassphraseFile: String?
    @Flag(help: "Decrypt the store.") var plain = false

    func validate() throws {
        guard [newKeyFile != nil, newPassphraseFile != nil, plain].count(where: { $0 }) == 1 else {
            throw ValidationError("Give one of --new-key-file, --new-passphrase-file and --plain.")
        }
    }

    /// `nil` for no encryption.
    func read() throws -> GivenKey? { try GivenKey(keyFile: newKeyFile, passphraseFile: newPassphraseFile) }
}
