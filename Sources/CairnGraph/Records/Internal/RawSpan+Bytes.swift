extension RawSpan {
    /// The byte at an offset, which must be within the span: only debug builds check it.
    @inline(__always)
    func byte(_ offset: Int) -> UInt8 {
        assert(offset >= 0 && offset < byteCount)
        return unsafe unsafeLoad(fromUncheckedByteOffset: offset, as: UInt8.self)
    }
}
