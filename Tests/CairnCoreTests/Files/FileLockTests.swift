import CairnCore
import CairnTestSupport
import Foundation
import Testing

struct FileLockTests {
    let directory = try! TemporaryDirectory()
    var path: String { directory.path("lock") }

    private func isFree(_ mode: FileLock.Mode) throws -> Bool {
        do throws(FileError) {
            _ = try FileLock(path: path, mode)
            return true
        } catch {
            guard error.code == .locked else { throw error }
            return false
        }
    }

    @Test func anExclusiveLockKeepsAllOthersAway() throws {
        let lock = try FileLock(path: path, .exclusive)
        #expect(try !isFree(.exclusive))
        #expect(try !isFree(.shared))
        lock.release()
        lock.release()
        #expect(try isFree(.exclusive))
    }

    @Test func sharedLocksKeepExclusiveOnesAway() throws {
        let one = try FileLock(path: path, .shared), two = try FileLock(path: path, .shared)
        #expect(try !isFree(.exclusive))
        one.release()
        #expect(try !isFree(.exclusive))
        two.release()
        #expect(try isFree(.exclusive))
    }

    @Test func theEndOfItsLifeReleases() throws {
        do {
            let lock = try FileLock(path: path, .exclusive)
            #expect(try !isFree(.shared))
            withExtendedLifetime(lock) {}
        }
        #expect(try isFree(.exclusive))
    }

    @Test func anOpenFileCanBeLocked() throws {
        let file = try File(path, [.read, .write, .create])
        let lock = try FileLock(file, .exclusive)
        #expect(try !isFree(.shared))
        try file.write("still writable", at: 0)
        withExtendedLifetime(lock) {}
    }

    @Test func theErrorNamesThePath() throws {
        let lock = try FileLock(path: path, .exclusive)
        let error = #expect(throws: FileError.self) { try FileLock(path: path, .shared) }
        #expect(error?.message.hasPrefix("could not lock \(path); it is in use") == true)
        withExtendedLifetime(lock) {}
    }

    @Test func waiting() async throws {
        /// Reports that a call to lock began.
        final class Watch: SystemCallObserver {
            let (begins, continuation) = AsyncStream.makeStream(of: Void.self)
            func intercept(_ call: SystemCall, perform: (Int) -> Int) -> Int {
                if call.kind == .lock { continuation.yield() }
                return perform(call.count ?? 0)
            }
        }

        let lock = try FileLock(path: path, .exclusive)
        let watch = Watch()
        let path = path
        let (results, continuation) = AsyncStream.makeStream(of: Bool.self)
        // A thread of its own, since waiting blocks it.
        Thread.detachNewThread {
            let waited = try? FileLock(path: path, .exclusive, waits: true, fileSystem: FileSystem(observer: watch))
            continuation.yield(waited != nil)
            continuation.finish()
        }
        var begins = watch.begins.makeAsyncIterator()
        await begins.next()
        for _ in 0..<200 { #expect(try !isFree(.shared)) }
        lock.release()
        for await gotLock in results { #expect(gotLock) }
    }

    /// A path that a child process knows too: by the number of its parent.
    private static func path(_ test: String, parent: Int32) -> String { "\(NSTemporaryDirectory())/cairn-\(test)-\(parent)" }

    @Test func otherProcessesAreKeptAway() async throws {
        let path = Self.path("kept-away", parent: getpid())
        let lock = try FileLock(path: path, .exclusive)
        await #expect(processExitsWith: .exitCode(33)) {
            do throws(FileError) {
                _ = try FileLock(path: Self.path("kept-away", parent: getppid()), .shared)
            } catch {
                exit(error.code == .locked ? 33 : 1)
            }
        }
        withExtendedLifetime(lock) {}
        try FileSystem.system.unlink(path)
    }

    @Test func theDeathOfAProcessReleases() async throws {
        let path = Self.path("death", parent: getpid())
        await #expect(processExitsWith: .signal(SIGKILL)) {
            let path = Self.path("death", parent: getppid())
            let lock = try FileLock(path: path, .exclusive)
            guard (try? FileLock(path: path, .exclusive)) == nil else { exit(1) }
            kill(getpid(), SIGKILL)
            withExtendedLifetime(lock) {}
        }
        // It was there, and can be locked again.
        _ = try FileLock(File(path, [.read, .write]), .exclusive)
        try FileSystem.system.unlink(path)
    }
}
