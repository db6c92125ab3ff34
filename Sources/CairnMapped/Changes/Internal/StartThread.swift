import CCairn

/// Runs `body` on a thread of its own; `false` where the system has none. Unlike a queue's, it may be started in the child of a fork.
func startThread(_ body: @escaping @Sendable () -> Void) -> Bool {
    let box = unsafe Unmanaged.passRetained(ThreadBody(body))
    let error = unsafe cairn_start_thread({ unsafe Unmanaged<ThreadBody>.fromOpaque($0!).takeRetainedValue().run() }, box.toOpaque())
    if error != 0 { unsafe box.release() }
    return error == 0
}

private final class ThreadBody: Sendable {
    let run: @Sendable () -> Void
    init(_ run: @escaping @Sendable () -> Void) { self.run = run }
}
