package import CairnCore

#if canImport(Darwin)
import Darwin
#elseif canImport(Musl)
import Musl
#else
import Glibc
#endif

/// A file or standard input, read in pieces: as bytes or as lines.
///
/// Memory is bounded by the longest line.
package final class ByteInput {
    /// The maximum length of a line; anything longer is not a text of records.
    package static let longestLine = 256 << 20

    /// The name of the input in messages.
    package let name: String
    /// The total number of bytes; `nil` if the system does not know, as for pipes.
    package let size: Int?
    /// The line of the next byte, from 1.
    package private(set) var line = 1
    /// The number of bytes read from the operating system.
    package private(set) var bytesRead = 0

    private let descriptor: CInt
    private let isOwned: Bool
    private var buffer: [UInt8]
    private var position = 0
    private var end = 0
    private var isAtEnd = false
    /// What was read, if it is kept for ``rewind()``.
    private var kept: [UInt8]?

    private static let bufferSize = 1 << 18

    /// Opens the file at `path`; `-` is standard input. If it `isText`, a byte-order mark is skipped, and UTF-16 refused.
    package convenience init(path: String, isText: Bool = true) throws(InputError) {
        guard path != "-" else {
            guard ShellMode.current != .script else {
                throw InputError(source: "standard input", "the shell reads its commands from it; give the value, or a file")
            }
            try self.init(descriptor: 0, name: "standard input", isOwned: false, isText: isText)
            return
        }
        let descriptor = unsafe open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { throw InputError(source: path.isEmpty ? "''" : path, "cannot be opened: \(systemMessage(errno))") }
        try self.init(descriptor: descriptor, name: path, isOwned: true, isText: isText)
    }

    /// Opens a file with a key or passphrase, which must be a regular file; `-` is standard input. Reading a device would not end, and opening a pipe
    /// that nobody writes to would wait.
    package convenience init(secret path: String) throws(InputError) {
        guard path != "-" else {
            try self.init(path: path, isText: false)
            return
        }
        let descriptor = unsafe open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
        guard descriptor >= 0 else { throw InputError(source: path.isEmpty ? "''" : path, "cannot be opened: \(systemMessage(errno))") }
        try self.init(descriptor: descriptor, name: path, isOwned: true, isText: false)
        guard size != nil else { throw error(nil, "is not a regular file; '-' reads standard input") }
    }

    private init(descriptor: CInt, name: String, isOwned: Bool, isText: Bool) throws(InputError) {
        self.descriptor = descriptor
        self.name = name
        self.isOwned = isOwned
        buffer = [UInt8](repeating: 0, count: Self.bufferSize)
        var status = stat()
        let isKnown = unsafe fstat(descriptor, &status) == 0
        let kind = status.st_mode & S_IFMT
        size = isKnown && kind == S_IFREG ? Int(status.st_size) : nil
        if isKnown && kind == S_IFDIR { throw error(nil, "is a directory, not a file") }
        if isText { try skipByteOrderMark() }
    }

    /// Opens an input that can be read more than once, with ``rewind()``. All that is read is kept in memory: pipes and standard input cannot be read again.
    package convenience init(keeping path: String) throws(InputError) {
        try self.init(path: path)
        kept = Array(buffer[position..<end])
    }

    deinit { if isOwned { _ = close(descriptor) } }

    /// Returns an error about this input; by default about the line of the next byte.
    package func error(_ line: Int?, _ message: String) -> InputError { InputError(source: name, line: line, message) }

    /// Returns the next byte without consuming it; `nil` at the end.
    package func peek() throws(InputError) -> UInt8? {
        if position == end { try fill() }
        return position < end ? buffer[position] : nil
    }

    /// Returns the next byte; `nil` at the end.
    package func next() throws(InputError) -> UInt8? {
        if position == end { try fill() }
        guard position < end else { return nil }
        let byte = buffer[position]
        position += 1
        if byte == UInt8(ascii: "\n") { line += 1 }
        return byte
    }

    /// Appends the bytes that follow to `text`, up to a newline or one of the given bytes, as far as they are in memory.
    package func append(to text: inout [UInt8], before first: UInt8, _ second: UInt8) {
        let newline = UInt8(ascii: "\n")
        var stop = position
        unsafe buffer.withUnsafeBufferPointer { bytes in
            while stop < end, case let byte = unsafe bytes[stop], byte != first, byte != second, byte != newline { stop += 1 }
        }
        text += buffer[position..<stop]
        position = stop
    }

    /// Reads the next line into `text`, without its `\n` or `\r\n`; returns false at the end.
    package func readLine(into text: inout [UInt8]) throws(InputError) -> Bool {
        text.removeAll(keepingCapacity: true)
        guard try peek() != nil else { return false }
        while position < end {
            let rest = buffer[position..<end]
            if let newline = rest.firstIndex(of: UInt8(ascii: "\n")) {
                text += buffer[position..<newline]
                position = newline + 1
                line += 1
                break
            }
            text += rest
            position = end
            guard text.count <= Self.longestLine else { throw error(line, "is longer than \(Self.longestLine >> 20) MiB") }
            try fill()
        }
        if text.last == UInt8(ascii: "\r") { text.removeLast() }
        return true
    }

    /// Returns the next bytes, at most a buffer full, without consuming them.
    package func preview() throws(InputError) -> ArraySlice<UInt8> {
        _ = try peek()
        return buffer[position..<end]
    }

    /// Returns the next bytes, at most a buffer full; `nil` at the end.
    package func nextPart() throws(InputError) -> ArraySlice<UInt8>? {
        guard try peek() != nil else { return nil }
        defer { position = end }
        return buffer[position..<end]
    }

    /// Returns all remaining bytes; throws if there are more than `limit`, since devices and pipes may have no end.
    package func readAll(limit: ByteCount = .gibibytes(1)) throws(InputError) -> [UInt8] {
        var bytes: [UInt8] = []
        while try peek() != nil {
            bytes += buffer[position..<end]
            position = end
            if bytes.count > limit.bytes { throw error(nil, "is longer than \(limit)") }
        }
        return bytes
    }

    /// Goes back to the beginning of an input that was opened with ``init(keeping:)``.
    package func rewind() {
        guard let kept else { preconditionFailure("only what is kept can be read again") }
        (buffer, position, end, line) = (kept, 0, kept.count, 1)
    }

    private func fill() throws(InputError) {
        guard !isAtEnd else { return }
        // After a rewind, it is what was kept.
        if buffer.count != Self.bufferSize { buffer = [UInt8](repeating: 0, count: Self.bufferSize) }
        position = 0
        end = try readSome(at: 0)
        kept?.append(contentsOf: buffer[..<end])
    }

    /// Reads into the buffer from `offset` on; sets `isAtEnd` if nothing is left.
    private func readSome(at offset: Int) throws(InputError) -> Int {
        while true {
            let count = unsafe buffer.withUnsafeMutableBytes { bytes in
                unsafe read(descriptor, bytes.baseAddress! + offset, bytes.count - offset)
            }
            if count < 0 && errno == EINTR { continue }
            guard count >= 0 else { throw error(nil, "cannot be read: \(systemMessage(errno))") }
            isAtEnd = count == 0
            bytesRead += count
            return count
        }
    }

    private func skipByteOrderMark() throws(InputError) {
        // A pipe may deliver the mark in pieces.
        while end < 3 && !isAtEnd { end += try readSome(at: end) }
        isAtEnd = false
        let start = buffer[..<end]
        if start.starts(with: [0xEF, 0xBB, 0xBF]) { position = 3 }
        if start.starts(with: [0xFF, 0xFE]) || start.starts(with: [0xFE, 0xFF]) {
            throw error(nil, "is UTF-16 text; convert it to UTF-8 first (iconv -f UTF-16 -t UTF-8)")
        }
    }
}

/// Returns the system's message for an error number.
private func systemMessage(_ number: CInt) -> String { SystemCallError(call: "", errno: number).text }

/// Whether the error number means that nothing of that name exists.
package func isMissing(_ number: CInt) -> Bool { number == ENOENT || number == ENOTDIR }
