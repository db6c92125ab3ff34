import CairnFuzzTargets
import Foundation

/// Runs libFuzzer on the target that the first argument names, with the other arguments.
///
/// With `--sanitize=fuzzer`, libFuzzer would bring a `main` of its own, also for the compiler's plugins, which have one. This one calls it
/// instead.
@main struct Fuzz {
    static func main() throws {
        let names = FuzzTargets.all.map { $0.name }
        guard CommandLine.argc > 1, let type = FuzzTargets.all.first(where: { $0.name == CommandLine.arguments[1] }) else {
            FileHandle.standardError.write(
                Data("usage: fuzz TARGET [OPTIONS OF LIBFUZZER]\ntargets: \(names.joined(separator: " "))\n".utf8)
            )
            exit(2)
        }
        target = try type.init()
        // The name of the program takes the place of the target's.
        var arguments = CommandLine.unsafeArgv
        arguments[1] = arguments[0]
        arguments += 1
        var count = CommandLine.argc - 1
        exit(runLibFuzzer(&count, &arguments, check))
    }
}

/// The target under test: libFuzzer calls a C function, which captures nothing.
nonisolated(unsafe) private var target: (any FuzzTarget)?

/// What libFuzzer calls with each input; the only way to report something is to trap.
private func check(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    do { try target?.check(RawSpan(_unsafeBytes: UnsafeRawBufferPointer(start: start, count: count))) } catch { fatalError("\(error)") }
    return 0
}

@_extern(c, "LLVMFuzzerRunDriver")
private func runLibFuzzer(
    _ argumentCount: UnsafeMutablePointer<CInt>,
    _ arguments: UnsafeMutablePointer<UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>>,
    _ check: @convention(c) (UnsafePointer<UInt8>?, Int) -> CInt
) -> CInt
