import CairnCore

/// A view whose reads end with `cancelled` once a flag is set.
final class CancellableView: EngineView {
    private let view: any EngineView
    private let flag: CancellationFlag

    init(_ view: any EngineView, _ flag: CancellationFlag) {
        self.view = view
        self.flag = flag
    }

    var version: EngineVersion { view.version }

    private func check() throws(EngineError) {
        if flag.isSet { throw EngineError(.cancelled, "reading was cancelled") }
    }

    func lendValue(for key: RawSpan, to body: (RawSpan) -> Void) throws(EngineError) -> Bool {
        try check()
        return try view.lendValue(for: key, to: body)
    }

    func lendValues(for keys: KeyList, to body: (Int, RawSpan?) -> Void) throws(EngineError) {
        try check()
        try view.lendValues(for: keys, to: body)
    }

    func lendEntries(in range: KeyRange, reverse: Bool, to body: (RawSpan, RawSpan) -> Bool) throws(EngineError) {
        try view.lendEntries(in: range, reverse: reverse) { key, value in !flag.isSet && body(key, value) }
        try check()
    }

    func lendEntries(inEach ranges: [KeyRange], reverse: Bool, to body: (Int, RawSpan, RawSpan) -> Bool) throws(EngineError) {
        try view.lendEntries(inEach: ranges, reverse: reverse) { index, key, value in !flag.isSet && body(index, key, value) }
        try check()
    }

    func lendAllEntries(in range: KeyRange, to body: (RawSpan, RawSpan) -> Bool) throws(EngineError) {
        try view.lendAllEntries(in: range) { key, value in !flag.isSet && body(key, value) }
        try check()
    }
}
