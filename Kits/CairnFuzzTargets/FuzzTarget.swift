/// A decoder that is given any bytes at all: by libFuzzer (`make fuzz`), and by the tests, which replay what it kept.
public protocol FuzzTarget {
    /// The name of the fuzzer and of its directories.
    static var name: String { get }

    /// Prepares for any number of inputs.
    init() throws

    /// Decodes `bytes` in every way there is and checks the results; a refusal is not a finding.
    ///
    /// - Throws: ``FuzzFinding``, or any other error, where the code under test breaks a promise.
    mutating func check(_ bytes: RawSpan) throws
}

/// All targets.
public enum FuzzTargets {
    public static var all: [any FuzzTarget.Type] {
        [
            KeyFuzzTarget.self, ValueFuzzTarget.self, VarintFuzzTarget.self, BatchFuzzTarget.self, RecordFuzzTarget.self,
            CDBFuzzTarget.self, CDBTextFuzzTarget.self, MMKVFuzzTarget.self, GooseFuzzTarget.self, MappedJSONFuzzTarget.self,
            PropertyListFuzzTarget.self, ObjectRecordFuzzTarget.self, ObjectStoreFuzzTarget.self, SealedStoreFuzzTarget.self,
            TextQueryFuzzTarget.self, TextIndexFuzzTarget.self, HashFileFuzzTarget.self, InspectorFuzzTarget.self,
            SQLiteStoreFuzzTarget.self,
        ]
    }
}

/// A broken promise.
public struct FuzzFinding: Error, CustomStringConvertible {
    public let description: String
    public init(_ description: String) { self.description = description }
}

/// Throws a ``FuzzFinding`` unless `condition` holds.
public func require(_ condition: Bool, _ finding: @autoclosure () -> String) throws(FuzzFinding) {
    guard condition else { throw FuzzFinding(finding()) }
}
