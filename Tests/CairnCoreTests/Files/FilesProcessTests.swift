import CairnCore
import CairnTestSupport
import Foundation
import Testing

struct ToolTests {
    @Test func inputOutputAndStatus() throws {
        let result = try runTool("/bin/sh", ["-c", "cat; echo \"$GREETING\" >&2; exit 7"], stdin: "in", environment: ["GREETING": "hi"])
        #expect(result.status == 7)
        #expect(result.standardOutput == "in")
        #expect(result.standardError == "hi\n")
    }

    @Test func muchOutputDoesNotBlock() throws {
        let text = String(repeating: "line\n", count: 100_000)
        #expect(try runTool("/bin/cat", stdin: text).standardOutput == text)
    }

    @Test func signalsAreNegative() throws {
        #expect(try runTool("/bin/sh", ["-c", "kill -KILL $$"]).status == -SIGKILL)
    }

    @Test func timeouts() throws {
        let error = #expect(throws: ChildProcess.TimedOut.self) { try runTool("/bin/sleep", ["1000"], timeout: .milliseconds(50)) }
        #expect(error?.description.contains("/bin/sleep did not end within") == true)
    }

    @Test func missingTools() {
        #expect(throws: (any Error).self) { try runTool("no-such-tool") }
    }
}

struct ChildProcessTests {
    @Test func linesBothWays() throws {
        let child = try ChildProcess("/bin/cat")
        try child.writeLine("one")
        #expect(child.readLine() == "one")
        try child.writeLine("two\nthree")
        #expect(child.readLine() == "two")
        #expect(child.readLine() == "three")
        try child.closeInput()
        #expect(child.readLine() == nil)
        #expect(try child.waitForEnd() == .exited(0))
    }

    @Test func theLastLineNeedsNoEnd() throws {
        let child = try ChildProcess("/bin/sh", ["-c", "printf 'a\nb'"])
        #expect([child.readLine(), child.readLine(), child.readLine()] == ["a", "b", nil])
    }

    @Test func killing() throws {
        let child = try ChildProcess("/bin/sh", ["-c", "echo ready; exec sleep 1000"])
        #expect(child.readLine() == "ready")
        child.kill()
        #expect(try child.waitForEnd() == .killed(signal: SIGKILL))
        #expect(try child.waitForEnd() == .killed(signal: SIGKILL))
        child.kill()
    }

    @Test func writingToTheDeadIsAnError() async {
        // In a process of its own: from this one, other tests fork children that live on with the reading end of the pipe.
        await #expect(processExitsWith: .success) {
            let child = try ChildProcess("/bin/sh", ["-c", "exit 0"])
            try child.waitForEnd()
            var failure: (any Error)?
            do { try child.writeLine("x") } catch { failure = error }
            precondition(failure != nil)
        }
    }

    @Test func killingAfterAWhile() throws {
        #expect(try ChildProcess("/bin/sleep", ["1000"]).kill(after: .milliseconds(5)) == .killed(signal: SIGKILL))
        #expect(try ChildProcess("/bin/sh", ["-c", "exit 3"]).kill(after: .seconds(600)) == .exited(3))
    }

    #if os(Linux)
    @Test func descriptorsAreGivenBack() async {
        // In a process of its own: in this one, other tests open files meanwhile.
        await #expect(processExitsWith: .success) {
            func count() throws -> Int { try FileSystem.system.list("/proc/self/fd").count }
            func useChild() throws {
                let child = try ChildProcess("/bin/cat")
                try child.writeLine("x")
                #expect(child.readLine() == "x")
                child.kill()
                try child.waitForEnd()
            }
            // The first may have something opened that stays.
            try useChild()
            let before = try count()
            for _ in 0..<50 { try useChild() }
            // A leak would be 50 and more.
            if try count() > before + 10 { exit(1) }
        }
    }
    #endif
}
