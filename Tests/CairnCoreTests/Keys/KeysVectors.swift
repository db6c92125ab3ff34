import CairnCore
import Foundation

/// One line of `tuple-vectors.tsv`: a tuple and the key the reference implementation packs it into.
struct TupleVector {
    var text: String
    var elements: [KeyValue]
    var key: [UInt8]

    static let all: [TupleVector] = {
        let url = Bundle.module.url(forResource: "tuple-vectors", withExtension: "tsv", subdirectory: "Vectors")!
        let lines = try! String(contentsOf: url, encoding: .utf8).split(separator: "\n")
        return lines.filter { !$0.hasPrefix("#") }.map { line in
            let columns = line.split(separator: "\t", omittingEmptySubsequences: false)
            var words = columns[0].split(separator: " ")[...]
            guard case .tuple(let elements) = parse(&words) else { fatalError("no tuple: \(line)") }
            return TupleVector(text: String(columns[0]), elements: elements, key: bytes(hex: columns[1]))
        }
    }()

    private static func parse(_ words: inout ArraySlice<Substring>) -> KeyValue {
        let word = words.removeFirst()
        switch word {
        case "null": return .null
        case "true": return .bool(true)
        case "false": return .bool(false)
        case "(":
            var elements: [KeyValue] = []
            while words.first != ")" { elements.append(parse(&words)) }
            words.removeFirst()
            return .tuple(elements)
        default: break
        }
        let parts = word.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
        let digits = parts[1]
        switch parts[0] {
        case "int": return Int128(digits).map(KeyValue.integer) ?? .largeInteger(UInt128(digits)!)
        case "bytes": return .bytes(bytes(hex: digits))
        case "text": return .string(String(decoding: bytes(hex: digits), as: UTF8.self))
        case "float": return .float(Float(bitPattern: UInt32(digits, radix: 16)!))
        case "double": return .double(Double(bitPattern: UInt64(digits, radix: 16)!))
        case "uuid":
            let all = Array(digits)
            let groups = [0..<8, 8..<12, 12..<16, 16..<20, 20..<32].map { String(all[$0]) }
            return .uuid(UUID(uuidString: groups.joined(separator: "-"))!)
        case "stamp":
            let number = UInt128(digits, radix: 16)!
            return .versionstamp(
                Versionstamp(
                    commit: UInt64(number >> 32),
                    batch: UInt16(number >> 16 & 0xFFFF),
                    user: UInt16(number & 0xFFFF)
                )
            )
        default: fatalError("unknown element: \(word)")
        }
    }
}
