#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

extension Data: ByteSource {
    @inlinable
    public func withBytes<Value, Failure: Error>(_ body: (RawSpan) throws(Failure) -> Value) throws(Failure) -> Value {
        try body(bytes)
    }
}

extension Data: ByteResult {
    @inlinable
    public init(copying bytes: RawSpan) {
        self = unsafe bytes.withUnsafeBytes { unsafe Data($0) }
    }
}
