import CRocks
import CairnCore

/// Collects elements that the shim delivers one by one.
@safe final class Collector<Element> {
    private var elements: [Element] = []

    /// Runs `body` with a context that the shim passes to its callback, which calls ``add(_:to:)``.
    static func collect<Value>(_ body: (UnsafeMutableRawPointer) -> Value) -> (result: Value, elements: [Element]) {
        let collector = Collector()
        let result = unsafe body(Unmanaged.passUnretained(collector).toOpaque())
        return withExtendedLifetime(collector) { (result, collector.elements) }
    }

    /// `context` is the one passed by `collect`.
    @unsafe static func add(_ element: Element, to context: UnsafeMutableRawPointer) {
        unsafe Unmanaged<Collector>.fromOpaque(context)._withUnsafeGuaranteedRef { $0.elements.append(element) }
    }
}

extension Collector<(name: String, value: String)> {
    /// Runs `body` with a context and a sink that collect pairs; for a repeated name, the last value wins.
    static func pairs(_ body: (UnsafeMutableRawPointer, crk_pair_sink) -> crk_status) -> (status: crk_status, pairs: [String: String]) {
        let (status, pairs) = unsafe collect { context in
            unsafe body(context) { context, name, value in
                unsafe Collector.add((name.text, value.text), to: context)
            }
        }
        return (status, Dictionary(pairs.map { ($0.name, $0.value) }) { _, last in last })
    }
}
