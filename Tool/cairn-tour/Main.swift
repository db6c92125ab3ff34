import CairnCore
import CairnToolKit
import CairnTour

#if canImport(Darwin)
import Darwin
#elseif canImport(Musl)
import Musl
#else
import Glibc
#endif

/// The tour by itself, for `make run`: it builds neither ArgumentParser nor swift-crypto, as the whole tool does.
@main
enum Main {
    static func main() {
        OutputWriter.ignoreBrokenPipes()
        let arguments = CommandLine.arguments.dropFirst()
        guard arguments.count <= 1, arguments.first?.hasPrefix("--") != true else {
            return end("usage: cairn-tour [FILE]", status: 64)
        }
        do {
            try Tour(file: arguments.first).run()
        } catch OutputError.closed {
            return
        } catch let failure as Failure {
            end("Error: " + failure.message, status: failure.status.rawValue)
        } catch {
            end("Error: \(error)", status: 1)
        }
    }

    private static func end(_ message: String, status: Int32) {
        let writer = OutputWriter(.error)
        try? writer.write(message + "\n")
        try? writer.flush()
        exit(status)
    }
}
