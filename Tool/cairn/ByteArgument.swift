import ArgumentParser
import CairnToolKit
import Synchronization

/// An argument that stands for bytes: a key, a value, a bound. It need not be UTF-8, as all other arguments must be, and can be a negative number.
struct ByteArgument: ExpressibleByArgument {
    /// As in ``RawArguments/texts``.
    let text: String

    init(argument: String) {
        text = argument
        if RawArguments.isForeign(argument) { Self.foreign.withLock { _ = $0.insert(argument) } }
    }

    var bytes: [UInt8] { RawArguments.bytes(text) }

    /// A negative number as an argument that does not begin with a hyphen, for ArgumentParser: of the same bytes, with the hyphen written like a byte
    /// that is not UTF-8.
    static func hidingSign(_ argument: String) -> String {
        let isNumber = argument.first == "-" && argument.dropFirst().first.map { $0 == "." || ("0"..."9").contains($0) } == true
        return isNumber ? "\02d\(argument.dropFirst())" : argument
    }

    /// What is not UTF-8 and was taken as bytes.
    private static let foreign = Mutex<Set<String>>([])

    /// Refuses arguments that are not UTF-8, and were not taken as bytes.
    static func refuseOthers(_ arguments: [String]) throws {
        for argument in arguments where RawArguments.isForeign(argument) {
            // An option and its value can be one argument.
            let isTaken = foreign.withLock { $0.contains { argument.hasSuffix($0) } }
            guard isTaken else {
                let others =
                    arguments.first == "mapped"
                    ? "Keys of mapped stores are text; only values can be arbitrary bytes." : "Only keys and values can be arbitrary bytes."
                throw Failure(
                    .usage,
                    "The argument '\(EscapedText.string(RawArguments.bytes(argument)))' is not UTF-8. \(others)"
                )
            }
        }
    }
}

extension ByteArgument: CustomStringConvertible {
    /// For messages.
    var description: String { EscapedText.string(bytes) }
}
