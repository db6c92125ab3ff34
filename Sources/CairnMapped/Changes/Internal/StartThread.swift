import CCairn

/// Runs `body` on a new thread; returns `false` if the system cannot create one. Unlike a queue's thread, it can be started in the child of a fork.
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
