import CEditLine
import CairnToolKit
import Synchronization

#if canImport(Darwin)
import Darwin
#elseif canImport(Musl)
import Musl
#else
import Glibc
#endif

/// Reads lines from a terminal, with editing, history and completion.
struct LineEditor {
    private let history: String?
    /// Whether the system can show and store all characters; otherwise lines are read as the terminal gives them.
    private let knowsCharacters: Bool

    /// - Parameters:
    ///   - history: The file that remembers lines; `nil`: none.
    ///   - complete: Returns what the last word of the line up to the cursor can become.
    init(history: String?, complete: @escaping @Sendable (String) -> [String]) {
        self.history = history
        // Lines may be text of any language, whatever the environment says: without UTF-8, libedit leaves characters out.
        let locales: [String] = ["", "C.UTF-8", "en_US.UTF-8"]
        knowsCharacters = locales.contains { locale in
            unsafe setlocale(LC_CTYPE, locale) != nil && String(cString: nl_langinfo(numericCast(CODESET))) == "UTF-8"
        }
        Self.complete.withLock { $0 = Completion(matches: complete) }
        unsafe cairn_edit_begin { word, _, end in unsafe LineEditor.matches(word, end) }
        if let history { _ = unsafe cairn_edit_load(history) }
        // Interrupts the command that runs, not the shell.
        _ = signal(SIGINT, SIG_IGN)
    }

    /// The next line; `nil` at the end.
    func readLine(_ prompt: String) -> String? {
        guard knowsCharacters else {
            print(prompt, terminator: "")
            fflush(nil)
            return Swift.readLine()
        }
        guard let line = unsafe cairn_edit_line(prompt) else {
            print()
            return nil
        }
        defer { unsafe free(line) }
        let text = unsafe String(cString: line)
        if text.contains(where: { !$0.isWhitespace }) { remember(text) }
        return text
    }

    private func remember(_ line: String) {
        unsafe cairn_edit_remember(line)
        guard let history else { return }
        // Lines may contain values that are not for everybody.
        let mask = umask(0o077)
        _ = unsafe cairn_edit_save(history)
        umask(mask)
    }

    /// A closure that a mutex holds by itself is wrapped once more each time it is read.
    private struct Completion {
        let matches: @Sendable (String) -> [String]
    }
    private static let complete = Mutex(Completion(matches: { _ in [] }))

    /// As libedit wants them.
    private static func matches(_ word: UnsafePointer<CChar>?, _ end: CInt) -> UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>? {
        guard let buffer = unsafe cairn_edit_buffer() else { return nil }
        let line = unsafe String(decoding: UnsafeRawBufferPointer(start: buffer, count: Int(end)), as: UTF8.self)
        let matches = complete.withLock { $0 }.matches(line)
        guard let first = matches.first else { return nil }
        let common = matches.dropFirst().reduce(first) { $0.commonPrefix(with: $1) }
        let all = matches.count == 1 ? [first] : [common] + matches
        let array = unsafe UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>(
            OpaquePointer(malloc((all.count + 1) * MemoryLayout<UnsafeMutablePointer<CChar>?>.stride)!)
        )
        for (index, text) in all.enumerated() { unsafe array[index] = strdup(text) }
        unsafe array[all.count] = nil
        return unsafe array
    }
}

extension String {
    fileprivate func commonPrefix(with other: String) -> String {
        String(zip(self, other).prefix { $0 == $1 }.map { $0.0 })
    }
}
