#if Telemetry
/// A number that describes a store at a moment, under the name that swift-metrics gets.
public struct StoreMetric: Sendable, Hashable {
    /// What a number means.
    public enum Kind: Sendable, Hashable {
        /// It only grows, until the store is opened again: a `Counter`.
        case counter
        /// It goes up and down: a `Meter`.
        case gauge
    }

    /// The name, such as `cairn_mapped_entries`, with its unit at the end.
    public let name: String
    /// What the number means.
    public let kind: Kind
    /// The number. Counters are whole.
    public let value: Double
    /// What distinguishes it from others of the name, such as `("column_family", "songs")`; the name of the store is added to these.
    public let dimensions: [Dimension]

    /// A name and value that distinguish metrics of one name.
    public struct Dimension: Sendable, Hashable {
        /// The name.
        public let name: String
        /// The value.
        public let value: String

        /// Makes a dimension.
        public init(_ name: String, _ value: String) {
            self.name = name
            self.value = value
        }
    }

    /// Makes a metric.
    public init(_ kind: Kind, _ name: String, _ value: Double, _ dimensions: [Dimension] = []) {
        self.name = name
        self.kind = kind
        self.value = value
        self.dimensions = dimensions
    }

    static func counter(_ name: String, _ value: UInt64, _ dimensions: [Dimension] = []) -> StoreMetric {
        StoreMetric(.counter, name, Double(value), dimensions)
    }

    static func gauge(_ name: String, _ value: some BinaryInteger, _ dimensions: [Dimension] = []) -> StoreMetric {
        StoreMetric(.gauge, name, Double(value), dimensions)
    }
}
#endif
