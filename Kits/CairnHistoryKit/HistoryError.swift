/// What cannot have happened one after the other.
package struct HistoryError: Error, CustomStringConvertible {
    package let description: String
}
