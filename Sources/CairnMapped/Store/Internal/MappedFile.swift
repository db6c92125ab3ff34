import CCairn
import CairnCore
import Synchronization

/// Creates files, and reads and writes their identity.
enum MappedFile {
    static let initialSize = 16 << 10

    /// The current boot of the machine; 0 if it cannot be determined.
    static let boot: UInt128 = {
        var id: UInt128 = 0
        unsafe withUnsafeMutableBytes(of: &id) { unsafe cairn_boot_id($0.baseAddress!.assumingMemoryBound(to: UInt8.self)) }
        return id
    }()

    /// The identity of a new store.
    static func prepare(_ cipher: (any MappedCipher)?) throws(MappedStoreError) -> MappedIdentity {
        guard let cipher else { return MappedIdentity() }
        do {
            let block = try cipher.create().header
            guard !block.isEmpty, block.count <= MappedLayout.largestCipherBlock else {
                throw MappedStoreError(.tooLarge, "the cipher's header has \(block.count) bytes; 1 to 900 are allowed")
            }
            return MappedIdentity(cipherBlock: block)
        } catch let error as MappedStoreError {
            throw error
        } catch {
            throw MappedStoreError(.codec, "the cipher could not be set up", cause: error)
        }
    }

    /// Turns an empty file into an empty store, and waits until the disk confirms it.
    static func fill(_ file: File, with identity: MappedIdentity) throws(MappedStoreError) {
        let region = try MappedStoreError.translating { () throws(FileError) in
            try file.reserve(Int64(initialSize))
            return try MappedRegion(writing: file, count: initialSize)
        }
        unsafe lay(out: region.start, identity, keyCount: 0, isTight: false, capacity: initialSize)
        // The first process to open it may not be alone: a newly forked child has the file open too, until it runs its program.
        unsafe try WritersLock.reset(SharedHeader(region.start))
        try MappedStoreError.translating { () throws(FileError) in
            try region.synchronize()
            try file.synchronize()
        }
    }

    /// Writes the header and an empty table for `keyCount` keys to zeroed memory; returns the offset of the table.
    @discardableResult
    static func lay(
        out base: UnsafeMutableRawPointer,
        _ identity: MappedIdentity,
        keyCount: Int,
        isTight: Bool,
        capacity: Int
    ) -> Int {
        // First comes what identifies this as a store: the rest can be rebuilt.
        let bytes = identity.encoded()
        unsafe base.copyMemory(from: bytes, byteCount: bytes.count)
        unsafe (base + MappedLayout.identityCopy).copyMemory(from: bytes, byteCount: bytes.count)
        let header = unsafe SharedHeader(base)
        let offset = MappedLayout.headerSize
        var totals = SharedHeader.Totals()
        totals.end =
            unsafe offset + writeTable(at: offset, slotCount: IndexTable.slotCount(for: keyCount, isTight: isTight), base, identity.seed)
        unsafe header.totals = totals
        unsafe header.index = offset
        unsafe header.tailStart = totals.end
        unsafe header.capacity = capacity
        unsafe header.boot = boot
        return offset
    }

    /// Writes the record of an empty table to zeroed memory; returns its size.
    static func writeTable(at offset: Int, slotCount: Int, _ base: UnsafeMutableRawPointer, _ seed: UInt64) -> Int {
        let size = unsafe IndexTable.size(at: offset, slotCount: slotCount)
        let record = MappedRecord(
            offset: offset,
            keyCount: 0,
            valueCount: size - MappedLayout.recordHeaderSize,
            flags: .table,
            type: MappedValueType(rawValue: 0)
        )
        unsafe record.write(to: base)
        unsafe record.seal(in: base, seed: seed)
        return record.size
    }

    // MARK: Identity

    /// Reads the identity of the file from either of its two copies, and whether one of them was damaged; `repairs` rewrites that one.
    static func identity(of file: File, repairs: Bool) throws(MappedStoreError) -> (identity: MappedIdentity, wasDamaged: Bool) {
        let path = file.path
        let header = try MappedStoreError.translating { () throws(FileError) in
            let count = min(try file.status().size, Int64(MappedLayout.headerSize))
            return try file.read(Int(count), at: 0)
        }
        let first = unsafe MappedIdentity.decode(header.span.bytes)
        let second = unsafe MappedIdentity.decode(Array(header.dropFirst(MappedLayout.identityCopy)).span.bytes)
        switch (first, second) {
        case (.success(let identity), .success(let copy)) where identity == copy: return (identity, false)
        case (.success(let identity), _), (.failure(.damaged), .success(let identity)), (.failure(.foreign), .success(let identity)):
            if repairs {
                let bytes = identity.encoded()
                try MappedStoreError.translating { () throws(FileError) in
                    try file.write(bytes, at: 0)
                    try file.write(bytes, at: Int64(MappedLayout.identityCopy))
                }
            }
            return (identity, true)
        default: break
        }
        switch first {
        case .failure(.newer(let version)):
            throw MappedStoreError(
                .unsupportedVersion,
                "\(path) is a mapped store of version \(version), but this release supports only \(MappedLayout.version)"
            )
        case .failure(.damaged), .success:
            throw MappedStoreError(
                .corruption,
                "\(path) is a mapped store, but both copies of its header are damaged; restore it from a backup"
            )
        default:
            throw MappedStoreError(.foreignFile, "\(path) is not a mapped store, or its header is lost; it was not changed")
        }
    }

    /// Returns the cipher session for the records of a file.
    static func session(
        _ identity: MappedIdentity,
        _ cipher: (any MappedCipher)?,
        _ path: String
    ) throws(MappedStoreError) -> (any MappedCipherSession)? {
        switch (cipher, identity.cipherBlock.isEmpty) {
        case (nil, true): return nil
        case (nil, false): throw MappedStoreError(.keyNeeded, "\(path) is encrypted, and its key is needed")
        case (_?, true):
            throw MappedStoreError(.wrongKey, "\(path) is not encrypted, but a key was given")
        case (let cipher?, false):
            do { return try cipher.unlock(identity.cipherBlock) } catch {
                let message = "\(path) could not be unlocked"
                guard let known = error as? MappedStoreError else { throw MappedStoreError(.wrongKey, message, cause: error) }
                // The cipher does not know the path.
                throw MappedStoreError(known.code, "\(message): \(known.message)", userData: known.userData, cause: known.cause)
            }
        }
    }
}
