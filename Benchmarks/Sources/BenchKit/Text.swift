import Foundation

/// A number with so many digits behind the point; "-" for what is none.
public func fixed(_ number: Double, _ digits: Int) -> String { number.isFinite ? String(format: "%.\(digits)f", number) : "-" }

/// A line of a table: names at the left of columns of their widths, then numbers at the right of columns of equal width.
public func row(_ names: [(text: String, width: Int)], _ cells: [String], width: Int) -> String {
    names.map { $0.text.padding(toLength: $0.width, withPad: " ", startingAt: 0) }.joined()
        + cells.map { String(repeating: " ", count: max(1, width - $0.count)) + $0 }.joined()
}

/// Prints a line at once, also into a pipe.
public func printNow(_ line: String) {
    print(line)
    fflush(nil)
}
