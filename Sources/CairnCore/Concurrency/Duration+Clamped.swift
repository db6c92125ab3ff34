/// Durations as numbers. `components` traps for durations whose seconds do not fit into 64 bits.
extension Duration {
    /// Whole milliseconds, rounded toward zero; the nearest number that fits, for durations that are too long.
    package var clampedMilliseconds: Int64 { Int64(clamping: attoseconds / 1_000_000_000_000_000) }

    /// Whole nanoseconds, rounded toward zero; the nearest number that fits, some 292 years, for durations that are too long.
    package var clampedNanoseconds: Int64 { Int64(clamping: attoseconds / 1_000_000_000) }

    /// Whole milliseconds, for libraries that take them: at least 1, and at most `most`, which is about 70 years by default.
    package func timeoutMilliseconds(atMost most: Int = 1 << 41) -> Int { Int(max(1, min(clampedMilliseconds, Int64(most)))) }

    /// A duration of ``timeoutMilliseconds(atMost:)``, which can be added to any instant.
    package var timeout: Duration { .milliseconds(timeoutMilliseconds()) }
}
