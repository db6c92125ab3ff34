#if Telemetry
/// A number that describes a store at one moment, with the name that is passed to swift-metrics.
public struct StoreMetric: Sendable, Hashable {
    /// What a number means.
    public enum Kind: Sendable, Hashable {
        /// A value that only increases until the store is opened again: a `Counter`.
        case counter
        /// A value that can go up and down: a `Meter`.
        case gauge
    }

    /// The name, such as `cairn_mapped_entries`, with its unit at the end.
    public let name: String
    /// What the number means.
    public let kind: Kind
    /// The number; a whole number for counters.
    public let value: Double
    /// What distinguishes it from others of the same name, such as `("column_family", "songs")`; the name of the store is added to these.
    public let dimensions: [Dimension]

    /// A name and a value that distinguish metrics of the same name.
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
