import CairnCore

/// What a writer's part of a store must hold after its first operations.
package struct CrashModel: Sendable {
    private let workload: CrashWorkload
    private let writer: Int
    private let seed: UInt64
    /// How many operations were performed.
    package private(set) var number = 0
    package private(set) var contents: CrashContents = [:]

    /// The state before the first operation.
    package init(_ workload: CrashWorkload, writer: Int, seed: UInt64) {
        self.workload = workload
        self.writer = writer
        self.seed = seed
    }

    /// Performs the operations up to that number.
    package mutating func advance(to last: Int) {
        while number < last {
            number += 1
            for change in workload.operation(number, writer: writer, seed: seed).changes {
                Self.apply(change.action, to: &contents[change.space, default: [:]])
            }
        }
    }

    /// Not a method of a model: calling it would copy the model, and with it the contents, for each change.
    private static func apply(_ action: CrashOperation.Action, to space: inout [[UInt8]: [UInt8]]) {
        switch action {
        case .put(let key, let value): space[key] = value
        case .add(let key, let amount): space[key] = sum(space[key], amount)
        case .delete(let key): space[key] = nil
        case .move(let key, let start, let end):
            guard var value = space[key], !value.isEmpty else { return }
            let byte = value.remove(at: start % value.count)
            value.insert(byte, at: end % (value.count + 1))
            space[key] = value
        case .deleteRange(let start, let end):
            for key in space.keys where !key.lexicographicallyPrecedes(start) && key.lexicographicallyPrecedes(end) { space[key] = nil }
        }
    }

    /// A counter of 8 bytes after an addition.
    package static func sum(_ value: [UInt8]?, _ amount: UInt64) -> [UInt8] {
        let sum = (value ?? []).reversed().reduce(UInt64(0)) { $0 << 8 | UInt64($1) } &+ amount
        return (0..<8).map { UInt8(truncatingIfNeeded: sum >> ($0 * 8)) }
    }

    /// What is wrong with `actual`, in words, at most `limit` differences; empty if it is as it must be.
    package func differences(from actual: CrashContents, limit: Int = 3) -> [String] {
        var found: [String] = []
        for space in Set(contents.keys).union(actual.keys).sorted() {
            let expected = contents[space] ?? [:]
            let actual = actual[space] ?? [:]
            guard expected != actual else { continue }
            let keys = Set(expected.keys).union(actual.keys).filter { expected[$0] != actual[$0] }
            for key in keys.sorted(by: { $0.lexicographicallyPrecedes($1) }).prefix(limit - found.count) {
                let name = (try? KeyTuple(keyBytes: key))?.description ?? "\(key)"
                found.append("\(space) \(name) has \(text(actual[key], in: space)), expected \(text(expected[key], in: space))")
            }
        }
        return found
    }

    private func text(_ value: [UInt8]?, in space: String) -> String {
        guard let value else { return "nothing" }
        let space = workload.spaces.first { $0.name == space }
        guard case .bytes = space?.values else { return "\(value)" }
        var offset = 0
        let number = try? unsafe Varint.decode(value.span.bytes, at: &offset)
        return "\(value.count) bytes\(number.map { " of operation \($0)" } ?? "") with CRC \(CRC32C.checksum(of: value))"
    }
}
