import CairnMapped
import Dispatch
import Foundation

/// The code of the error that `body` throws; `nil` where it throws none, or one that is not ours.
func failureCode<Result>(_ body: () throws -> Result) -> MappedStoreError.Code? {
    do {
        _ = try body()
        return nil
    } catch {
        return (error as? MappedStoreError)?.code
    }
}

/// Threads of their own, for what blocks: Swift's few must not.
enum OwnThreads {
    /// Runs `body` on `count` threads; returns when all have ended, with the first error.
    static func run(_ count: Int, _ body: @escaping @Sendable (Int) throws -> Void) async throws {
        try await withThrowingTaskGroup(of: Void.self) { group in
            for number in 0..<count {
                group.addTask {
                    try await withCheckedThrowingContinuation { continuation in
                        Thread.detachNewThread { continuation.resume(with: Result { try body(number) }) }
                    }
                }
            }
            try await group.waitForAll()
        }
    }

    /// Waits from a place that is not asynchronous itself.
    static func wait(_ semaphore: DispatchSemaphore) { semaphore.wait() }
}

/// A cipher that hides nothing, for what only asks whether there is one.
struct WeakCipher: MappedCipher, MappedCipherSession {
    var hashKey: UInt128 { 7 }
    func create() -> (session: any MappedCipherSession, header: [UInt8]) { (self, [1]) }
    func unlock(_ header: [UInt8]) -> any MappedCipherSession { self }
    func seal(_ plain: RawSpan, context: RawSpan) -> [UInt8] {
        (0..<plain.byteCount).map { unsafe ~plain.unsafeLoad(fromByteOffset: $0, as: UInt8.self) }
    }
    func open(_ sealed: RawSpan, context: RawSpan) -> [UInt8] { seal(sealed, context: context) }
}
