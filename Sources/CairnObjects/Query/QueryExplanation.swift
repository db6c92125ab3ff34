/// How a query is answered: made by `ObjectContext.explain`. Shows values of the condition.
public struct QueryExplanation: Sendable, CustomStringConvertible {
    /// What is scanned: all objects, ranges of indexes, who leads to an object.
    public let access: String
    /// How many saved objects that finds, counted up to 1,000; of a scan of all objects, how many rows were ever given out.
    public let examined: Int
    /// Whether there are more than were counted.
    public let isMore: Bool
    /// What each of these objects is asked; `nil`: nothing.
    public let filter: String?
    /// How results come into order.
    public let order: String
    /// How many objects with unsaved changes are looked at too.
    public let pendingCount: Int

    public var description: String {
        var lines = ["scan:   \(access)", "finds:  \(isMore ? "\(examined) or more" : "\(examined)")"]
        if let filter { lines.append("asks:   \(filter)") }
        lines.append("order:  \(order)")
        if pendingCount > 0 { lines.append("beside: \(pendingCount) with unsaved changes") }
        return lines.joined(separator: "\n")
    }
}
