// Threads that contend for a mutex. With an argument, one of them changes what it guards without it.
import Dispatch
import Synchronization

final class Counter: Sendable {
    let mutex = Mutex(())
    nonisolated(unsafe) var count = 0
}

let counter = Counter()
let isRacy = CommandLine.arguments.count > 1
DispatchQueue.concurrentPerform(iterations: 8) { _ in
    for _ in 0..<20_000 { counter.mutex.withLock { _ in counter.count += 1 } }
    if isRacy { counter.count += 1 }
}
