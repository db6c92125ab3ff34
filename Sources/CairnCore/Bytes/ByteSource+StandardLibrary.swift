extension RawSpan: ByteSource {
    @inlinable
    public func withBytes<Value, Failure: Error>(_ body: (RawSpan) throws(Failure) -> Value) throws(Failure) -> Value {
        try body(self)
    }
}

extension Span: ByteSource where Element == UInt8 {
    @inlinable
    public func withBytes<Value, Failure: Error>(_ body: (RawSpan) throws(Failure) -> Value) throws(Failure) -> Value {
        // `bytes` is unsafe for elements with padding; UInt8 has none.
        try body(unsafe bytes)
    }
}

extension Array: ByteSource where Element == UInt8 {
    @inlinable
    public func withBytes<Value, Failure: Error>(_ body: (RawSpan) throws(Failure) -> Value) throws(Failure) -> Value {
        try body(unsafe span.bytes)
    }
}

extension ArraySlice: ByteSource where Element == UInt8 {
    @inlinable
    public func withBytes<Value, Failure: Error>(_ body: (RawSpan) throws(Failure) -> Value) throws(Failure) -> Value {
        try body(unsafe span.bytes)
    }
}

extension ContiguousArray: ByteSource where Element == UInt8 {
    @inlinable
    public func withBytes<Value, Failure: Error>(_ body: (RawSpan) throws(Failure) -> Value) throws(Failure) -> Value {
        try body(unsafe span.bytes)
    }
}

extension String: ByteSource {
    @inlinable
    public func withBytes<Value, Failure: Error>(_ body: (RawSpan) throws(Failure) -> Value) throws(Failure) -> Value {
        // `withUTF8` rethrows untyped, so the outcome travels as a `Result`.
        let outcome = unsafe utf8.withContiguousStorageIfAvailable { utf8 in
            let bytes = unsafe utf8.span.bytes
            return Result { () throws(Failure) in try body(bytes) }
        }
        if let outcome { return try outcome.get() }
        // A bridged string does not have its own bytes yet.
        var copy = self
        return try copy.withUTF8 { utf8 in
            let bytes = unsafe utf8.span.bytes
            return Result { () throws(Failure) in try body(bytes) }
        }.get()
    }
}

extension Substring: ByteSource {
    @inlinable
    public func withBytes<Value, Failure: Error>(_ body: (RawSpan) throws(Failure) -> Value) throws(Failure) -> Value {
        var copy = self
        return try copy.withUTF8 { utf8 in
            let bytes = unsafe utf8.span.bytes
            return Result { () throws(Failure) in try body(bytes) }
        }.get()
    }
}

extension StaticString: ByteSource {
    @inlinable
    public func withBytes<Value, Failure: Error>(_ body: (RawSpan) throws(Failure) -> Value) throws(Failure) -> Value {
        try withUTF8Buffer { utf8 in
            let bytes = unsafe utf8.span.bytes
            return Result { () throws(Failure) in try body(bytes) }
        }.get()
    }
}

extension UnsafeRawBufferPointer: @unsafe ByteSource {
    @inlinable
    public func withBytes<Value, Failure: Error>(_ body: (RawSpan) throws(Failure) -> Value) throws(Failure) -> Value {
        try body(unsafe bytes)
    }
}

extension UnsafeMutableRawBufferPointer: @unsafe ByteSource {
    @inlinable
    public func withBytes<Value, Failure: Error>(_ body: (RawSpan) throws(Failure) -> Value) throws(Failure) -> Value {
        try body(unsafe bytes)
    }
}

extension UnsafeBufferPointer: @unsafe ByteSource where Element == UInt8 {
    @inlinable
    public func withBytes<Value, Failure: Error>(_ body: (RawSpan) throws(Failure) -> Value) throws(Failure) -> Value {
        try body(unsafe span.bytes)
    }
}
