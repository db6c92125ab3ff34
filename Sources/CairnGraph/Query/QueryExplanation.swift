/// Describes how a query or an aggregate is computed; made by `ObjectContext.explain`. It shows values from the condition.
public struct QueryExplanation: Sendable, CustomStringConvertible {
    /// What is scanned: all objects, ranges of indexes, or the objects that refer to an object.
    public let access: String
    /// The number of saved objects that the scan finds, counted up to 1,000.
    public let examined: Int
    /// Whether there are more than the number counted.
    public let isMore: Bool
    /// The condition that each of these objects is tested with; `nil`: none.
    public let filter: String?
    /// How the results are ordered; empty for an aggregate of all objects.
    public let order: String
    /// What the values of an aggregate are taken from: entries of an index, records or objects; `nil` for other queries.
    public let values: String?
    /// The number of objects with unsaved changes that are tested too.
    public let pendingCount: Int

    public var description: String {
        var lines = ["scan:   \(access)", "finds:  \(isMore ? "\(examined) or more" : "\(examined)")"]
        if let filter { lines.append("asks:   \(filter)") }
        if let values { lines.append("reads:  \(values)") }
        if !order.isEmpty { lines.append("order:  \(order)") }
        if pendingCount > 0 { lines.append("beside: \(pendingCount) with unsaved changes") }
        return lines.joined(separator: "\n")
    }
}
