/// Bytes waiting to be written, in memory allocated once.
@safe struct CDBBuffer: ~Copyable {
    private let start: UnsafeMutableRawPointer
    private let capacity: Int
    private(set) var count = 0

    /// Large enough that system calls do not matter, small enough for the second-level cache.
    init(capacity: Int = 256 << 10) {
        self.capacity = capacity
        unsafe start = UnsafeMutableRawPointer.allocate(byteCount: capacity, alignment: 16)
    }

    deinit { unsafe start.deallocate() }

    /// The number of bytes that can be appended.
    var room: Int { capacity &- count }

    mutating func clear() { count = 0 }

    /// Appends two numbers, least significant byte first. There must be room.
    @inline(__always)
    mutating func appendPair(_ first: UInt64, _ second: UInt64, isWide: Bool) {
        if isWide {
            precondition(room >= 16)
            unsafe start.storeBytes(of: first.littleEndian, toByteOffset: count, as: UInt64.self)
            unsafe start.storeBytes(of: second.littleEndian, toByteOffset: count &+ 8, as: UInt64.self)
            count &+= 16
        } else {
            precondition(room >= 8)
            let pair = first & 0xFFFF_FFFF | second << 32
            unsafe start.storeBytes(of: pair.littleEndian, toByteOffset: count, as: UInt64.self)
            count &+= 8
        }
    }

    /// Appends bytes. There must be room.
    @inline(__always)
    mutating func append(_ bytes: RawSpan) {
        precondition(bytes.byteCount <= room)
        unsafe bytes.withUnsafeBytes { bytes in
            if let source = bytes.baseAddress { unsafe (start + count).copyMemory(from: source, byteCount: bytes.count) }
        }
        count &+= bytes.byteCount
    }

    func withBytes<Value, Failure: Error>(_ body: (RawSpan) throws(Failure) -> Value) throws(Failure) -> Value {
        try unsafe body(RawSpan(_unsafeStart: start, byteCount: count))
    }
}
