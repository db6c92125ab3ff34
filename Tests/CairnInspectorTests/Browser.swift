import CairnInspector
import CairnTestSupport
import CairnToolKit
import Foundation
import Testing

/// Chromium without a window, driven over pipes with the DevTools protocol.
final class Browser {
    static let program = InstalledProgram.path("chromium", "chromium-browser", "google-chrome")
    static let missing: Comment = "the program 'chromium' is not installed"

    struct Failure: Error, CustomStringConvertible { let description: String }

    private let directory: TemporaryDirectory
    private let process: ChildProcess
    private let commands: FileHandle
    private let answers: FileHandle
    private var pending = Data()
    private var number: Int64 = 0
    private var session: String?
    /// What pages wrote to the console as errors, and exceptions of scripts.
    private(set) var complaints: [String] = []

    init() throws {
        directory = try TemporaryDirectory(in: NSTemporaryDirectory())
        let (input, output) = (directory.path("commands"), directory.path("answers"))
        for pipe in [input, output] { try #require(unsafe mkfifo(pipe, 0o600) == 0) }
        let script = """
            exec "$1" --headless=new --no-sandbox --disable-gpu --disable-dev-shm-usage --no-first-run --disable-background-networking \
            --disable-extensions --hide-scrollbars --user-data-dir="$4" --remote-debugging-pipe about:blank 3<"$2" 4>"$3" 2>/dev/null
            """
        process = try ChildProcess("/bin/sh", ["-c", script, "sh", try #require(Self.program), input, output, directory.path("profile")])
        // In the order in which the shell opens them: each waits for the other side.
        commands = try #require(FileHandle(forWritingAtPath: input))
        answers = try #require(FileHandle(forReadingAtPath: output))
        let target = try call("Target.createTarget", [("url", .string("about:blank"))]).targetId
        let id = try #require(target.string)
        session = try call("Target.attachToTarget", [("targetId", .string(id)), ("flatten", .bool(true))]).sessionId.string
        for domain in ["Page", "Runtime", "Log"] { _ = try call("\(domain).enable") }
    }

    func close() throws {
        session = nil
        _ = try? call("Browser.close")
        _ = try process.waitForEnd(timeout: .seconds(300))
    }

    /// Calls a method, and returns its result. What the browser says meanwhile is looked through for complaints.
    @discardableResult
    func call(_ method: String, _ parameters: [(name: String, value: JSONValue)] = []) throws -> JSON {
        number += 1
        var fields: [(name: String, value: JSONValue)] = [
            ("id", .int(number)), ("method", .string(method)), ("params", .object(parameters)),
        ]
        if let session { fields.append(("sessionId", .string(session))) }
        try commands.write(contentsOf: Data(JSONValue.object(fields).text + [0]))
        while true {
            let message = try next()
            if message.id.int.map(Int64.init) == number {
                guard message.error.tree == nil else { throw Failure(description: "\(method): \(message.error)") }
                return message.result
            }
            note(message)
        }
    }

    private func next() throws -> JSON {
        while true {
            if let end = pending.firstIndex(of: 0) {
                let message = JSON(try JSONTree(value: Array(pending[..<end])))
                pending = Data(pending[(end + 1)...])
                return message
            }
            let more = answers.availableData
            guard !more.isEmpty else { throw Failure(description: "the browser has ended") }
            pending += more
        }
    }

    private func note(_ message: JSON) {
        switch message.method.string {
        case "Runtime.exceptionThrown": complaints.append("\(message.params.exceptionDetails)")
        // Refused questions are reported by the page too.
        case "Log.entryAdded" where message.params.entry.level.string == "error" && message.params.entry.source.string != "network":
            complaints.append("\(message.params.entry)")
        case "Runtime.consoleAPICalled" where message.params["type"].string == "error": complaints.append("\(message.params.args)")
        default: break
        }
    }

    // MARK: Pages

    /// Opens a page, and waits until its script has shown something.
    func open(_ url: URL) throws {
        try call("Page.navigate", [("url", .string(url.absoluteString))])
        try wait("document.body?.dataset.shown")
    }

    /// Opens a page in a window of its own, which the calls from now on are about.
    func openAnother(_ url: URL) throws {
        session = nil
        let target = try call("Target.createTarget", [("url", .string("about:blank")), ("newWindow", .bool(true))]).targetId
        let id = try #require(target.string)
        session = try call("Target.attachToTarget", [("targetId", .string(id)), ("flatten", .bool(true))]).sessionId.string
        for domain in ["Page", "Runtime", "Log"] { _ = try call("\(domain).enable") }
        try open(url)
    }

    /// The value of an expression.
    @discardableResult
    func value(_ expression: String) throws -> JSON {
        let result = try call(
            "Runtime.evaluate",
            [("expression", .string(expression)), ("awaitPromise", .bool(true)), ("returnByValue", .bool(true))]
        )
        guard result.exceptionDetails.tree == nil else { throw Failure(description: "\(expression): \(result.exceptionDetails)") }
        return result.result.value
    }

    /// Waits until an expression is true.
    func wait(_ expression: String) throws {
        let script = """
            new Promise((resolve, reject) => {
                const end = Date.now() + 300000;
                const look = () => { let is; try { is = (\(expression)); } catch {} if (is) resolve(true); else if (Date.now() > end) resolve(false); else setTimeout(look, 20); };
                look();
            })
            """
        guard try value(script).bool == true else {
            let text = try value("document.getElementById('message').innerText + ' | ' + document.body.innerText").string ?? ""
            let line = text.prefix(2000).replacingOccurrences(of: "\n", with: " | ")
            throw Failure(description: "not within 300 seconds: \(expression); the page says: \(line)")
        }
    }

    /// Goes to a place in the page.
    func go(_ place: String) throws {
        let shown = try value("document.body.dataset.shown").string ?? ""
        try value("location.hash = \(String(decoding: JSONValue.string(place).text, as: UTF8.self)); 0")
        try wait("document.body.dataset.shown > \(shown) && !document.body.hasAttribute('aria-busy')")
        try lookForNames()
    }

    /// Complains about what a screen reader could not name.
    func lookForNames() throws {
        let roles: Set = ["button", "link", "textbox", "searchbox", "combobox", "checkbox", "image", "table"]
        for node in try call("Accessibility.getFullAXTree").nodes.list where node.ignored.bool != true {
            guard let role = node.role.value.string, roles.contains(role), node.name.value.string?.isEmpty != false else { continue }
            complaints.append("\(role) without a name")
        }
    }

    /// Enters a value in the dialog of an edit, and asks what it will do.
    func enter(_ value: String) throws {
        try self.value(
            "document.querySelector('dialog#edit textarea').value = '\(value)'; document.querySelector('dialog#edit form').requestSubmit(); 0"
        )
    }

    /// Does what the dialog has shown.
    func confirm() throws {
        try wait("document.querySelector('dialog#edit .effects')")
        try value("document.querySelector('dialog#edit button.main').click(); 0")
    }

    /// Types a key.
    func press(_ key: String) throws {
        var fields: [(name: String, value: JSONValue)] = [("key", .string(key))]
        if key.count == 1 { fields.append(("text", .string(key))) }
        if key == "Enter" { fields += [("text", .string("\r")), ("code", .string("Enter")), ("windowsVirtualKeyCode", .int(13))] }
        if key == "Escape" { fields += [("code", .string("Escape")), ("windowsVirtualKeyCode", .int(27))] }
        try call("Input.dispatchKeyEvent", [("type", .string("keyDown"))] + fields)
        try call("Input.dispatchKeyEvent", [("type", .string("keyUp")), ("key", .string(key))])
    }

    func type(_ text: String) throws { try call("Input.insertText", [("text", .string(text))]) }

    /// What the page shows, as text.
    func text() throws -> String { try value("document.getElementById('main').innerText").string ?? "" }

    func resize(_ width: Int64, _ height: Int64, isDark: Bool) throws {
        try call(
            "Emulation.setDeviceMetricsOverride",
            [("width", .int(width)), ("height", .int(height)), ("deviceScaleFactor", .int(1)), ("mobile", .bool(false))]
        )
        let scheme = JSONValue.object([("name", .string("prefers-color-scheme")), ("value", .string(isDark ? "dark" : "light"))])
        try call("Emulation.setEmulatedMedia", [("features", .array([scheme]))])
    }

    /// Keeps a picture of the page where `CAIRN_SCREENSHOTS` says; nowhere without it.
    func picture(_ name: String) throws {
        guard let folder = ProcessInfo.processInfo.environment["CAIRN_SCREENSHOTS"] else { return }
        let data = try #require(
            try call("Page.captureScreenshot", [("format", .string("png"))]).data.string.flatMap { Data(base64Encoded: $0) }
        )
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        try data.write(to: URL(fileURLWithPath: "\(folder)/\(name).png"))
    }
}

/// Inspects a store in a browser, which has nothing to complain about.
func browsing(
    _ source: Inspector.Source,
    options: Inspector.Options = .init(),
    _ body: @escaping @Sendable (Browser, Running) throws -> Void
) async throws {
    try await inspecting(source, options: options) { (page) throws in
        let browser = try Browser()
        defer { try? browser.close() }
        try body(browser, page)
        #expect(browser.complaints.isEmpty)
    }
}
