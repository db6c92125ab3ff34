/// The sides differ in what they read or wrote, what was read is not what was written, or a side failed.
public struct Disagreement: Error, CustomStringConvertible {
    public let description: String
    public init(_ description: String) { self.description = description }
}
