import CairnFuzzTargets

nonisolated(unsafe) private var target = try! PropertyListFuzzTarget()

/// What libFuzzer calls with each input; the only way to report something is to trap.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzz(_ start: UnsafeRawPointer, _ count: Int) -> CInt {
    do { try target.check(RawSpan(_unsafeStart: start, byteCount: count)) } catch { fatalError("\(error)") }
    return 0
}
