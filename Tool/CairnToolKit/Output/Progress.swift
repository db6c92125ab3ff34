/// Reports the progress of a long job on standard error: as a bar on a terminal, elsewhere as an occasional line.
package final class Progress {
    private let terminal: Terminal
    private let stream: OutputWriter
    private let total: Int?
    private let interval: Duration
    private let clock = ContinuousClock()
    private let start: ContinuousClock.Instant
    private var lastShown: ContinuousClock.Instant
    private var lastStep = ""
    private var isBarShown = false

    /// - Parameters:
    ///   - total: The number of bytes to process; `nil` if unknown.
    ///   - interval: The time between two lines where there is no terminal.
    package init(
        total: Int?,
        terminal: Terminal = Terminal(.error),
        stream: OutputWriter = OutputWriter(.error),
        interval: Duration = .seconds(30)
    ) {
        self.interval = interval
        self.total = total
        self.terminal = terminal
        self.stream = stream
        start = clock.now
        lastShown = start
    }

    /// The time that the job has taken so far.
    package var elapsed: Duration { clock.now - start }

    /// Shows the state, unless it was just shown: ten times a second on a terminal, every half minute elsewhere.
    package func update(rows: Int, bytes: Int) {
        let now = clock.now
        guard now - lastShown >= (terminal.isTerminal ? .milliseconds(100) : interval) else { return }
        lastShown = now
        let text = Self.text(rows: rows, bytes: bytes, total: total, elapsed: now - start, hasBar: terminal.isTerminal)
        show(terminal.isTerminal ? "\r\(text)\u{1B}[K" : text + "\n")
        isBarShown = terminal.isTerminal
    }

    /// Shows the current step: at once on a terminal; elsewhere every half minute, each step once.
    package func show(step: String) {
        guard terminal.isTerminal else {
            if isLineDue(step: step) { show(EscapedText.line(step) + "\n") }
            return
        }
        show("\r\(EscapedText.line(step))\u{1B}[K")
        isBarShown = true
    }

    /// Whether to show a step where there is no terminal; it is then regarded as shown.
    package func isLineDue(step: String) -> Bool {
        let now = clock.now
        guard step != lastStep, now - lastShown >= interval else { return false }
        (lastShown, lastStep) = (now, step)
        return true
    }

    /// Removes the bar.
    package func finish() {
        if isBarShown { show("\r\u{1B}[K") }
        isBarShown = false
    }

    /// Returns the state as one line.
    package static func text(rows: Int, bytes: Int, total: Int?, elapsed: Duration, hasBar: Bool) -> String {
        var parts = [Numbers.counted(rows, "row", "rows")]
        if let rate = Numbers.rate(rows, in: elapsed) { parts.append(rate) }
        guard let total, total > 0 else { return parts.joined(separator: "  ") }
        let share = min(1, Double(bytes) / Double(total))
        parts.insert("\(Int(share * 100)) %", at: 0)
        if hasBar {
            let filled = Int(share * 24)
            parts.insert("[" + String(repeating: "#", count: filled) + String(repeating: ".", count: 24 - filled) + "]", at: 0)
        }
        return parts.joined(separator: "  ")
    }

    /// Errors are ignored: the job continues without progress reports.
    private func show(_ text: String) {
        try? stream.writeAsIs(Array(text.utf8))
        try? stream.flush()
    }
}
