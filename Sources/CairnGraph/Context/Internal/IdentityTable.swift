/// The objects of a context that are in memory, by identity. Does not retain them: each removes itself when it is deallocated.
///
/// Sixteen consecutive rows share a block; blocks are found by open addressing. The most recently used block is cached, so iterating rows in order
/// needs one lookup per sixteen rows.
@safe
struct IdentityTable: ~Copyable {
    private static let rowBits: UInt64 = 4
    private static let rowCount = 16

    /// The objects of the rows, followed by their count.
    private typealias Block = UInt
    private static let blockSize = rowCount + 1

    private var keys: UnsafeMutablePointer<UInt64>
    private var blocks: UnsafeMutablePointer<UnsafeMutablePointer<Block>>
    private var mask: Int
    /// The slots in use, including those of empty blocks.
    private var usedCount = 0
    private var lastKey: UInt64 = .max
    private var lastBlock: UnsafeMutablePointer<Block>?
    /// The number of objects in memory.
    private(set) var count = 0

    init() {
        mask = 15
        unsafe keys = .allocate(capacity: mask + 1)
        unsafe keys.initialize(repeating: .max, count: mask + 1)
        unsafe blocks = .allocate(capacity: mask + 1)
    }

    deinit {
        for position in 0...mask where unsafe keys[position] != .max { unsafe blocks[position].deallocate() }
        unsafe keys.deallocate()
        unsafe blocks.deallocate()
    }

    @inline(__always)
    private func home(_ key: UInt64) -> Int { Int(truncatingIfNeeded: (key &* 0x9e37_79b9_7f4a_7c15) >> 20) & mask }

    @inline(__always)
    private static func slot(_ id: ObjectID) -> Int { Int(id.raw & (1 << rowBits - 1)) }

    @inline(__always)
    private static func object(_ address: UInt) -> AnyObject? {
        guard let pointer = unsafe UnsafeRawPointer(bitPattern: address) else { return nil }
        return unsafe Unmanaged<AnyObject>.fromOpaque(pointer).takeUnretainedValue()
    }

    /// The block of a key, or `nil` if there is none.
    @inline(__always)
    private mutating func block(_ key: UInt64) -> UnsafeMutablePointer<Block>? {
        key == lastKey ? unsafe lastBlock : unsafe findBlock(key)
    }

    private mutating func findBlock(_ key: UInt64) -> UnsafeMutablePointer<Block>? {
        var position = home(key)
        while unsafe keys[position] != key, unsafe keys[position] != .max { position = (position &+ 1) & mask }
        // Absence is cached too: an object that was not found is usually added next.
        lastKey = key
        unsafe lastBlock = unsafe keys[position] == key ? blocks[position] : nil
        return unsafe lastBlock
    }

    private mutating func addBlock(_ key: UInt64) -> UnsafeMutablePointer<Block> {
        if (usedCount + 1) * 2 > mask { grow() }
        let block = UnsafeMutablePointer<Block>.allocate(capacity: Self.blockSize)
        unsafe block.initialize(repeating: 0, count: Self.blockSize)
        unsafe place(key, block)
        usedCount += 1
        lastKey = key
        unsafe lastBlock = unsafe block
        return unsafe block
    }

    /// The object with this identity.
    subscript(id: ObjectID) -> AnyObject? {
        @inline(__always) mutating get {
            guard let block = unsafe block(id.raw >> Self.rowBits) else { return nil }
            return unsafe Self.object(block[Self.slot(id)])
        }
    }

    /// Adds an object whose identity is not in the table yet. Generic, because `AnyObject` would cost a reference count.
    @inline(__always)
    mutating func insert<Object: AnyObject>(_ object: Object, _ id: ObjectID) {
        let key = id.raw >> Self.rowBits
        let block = unsafe block(key) ?? addBlock(key)
        unsafe block[Self.slot(id)] = unsafe UInt(bitPattern: Unmanaged.passUnretained(object).toOpaque())
        unsafe block[Self.rowCount] &+= 1
        count &+= 1
    }

    @inline(__always)
    mutating func remove(_ id: ObjectID) {
        let slot = Self.slot(id)
        guard let block = unsafe block(id.raw >> Self.rowBits), unsafe block[slot] != 0 else { return }
        unsafe block[slot] = 0
        unsafe block[Self.rowCount] &-= 1
        count &-= 1
    }

    /// All objects, retained.
    func all() -> [AnyObject] {
        var all: [AnyObject] = []
        all.reserveCapacity(count)
        for position in 0...mask where unsafe keys[position] != .max {
            for slot in 0..<Self.rowCount {
                if let object = unsafe Self.object(blocks[position][slot]) { all.append(object) }
            }
        }
        return all
    }

    private mutating func place(_ key: UInt64, _ block: UnsafeMutablePointer<Block>) {
        var position = home(key)
        while unsafe keys[position] != .max { position = (position &+ 1) & mask }
        unsafe keys[position] = key
        unsafe blocks[position] = unsafe block
    }

    /// Grows the table and drops empty blocks.
    private mutating func grow() {
        let (oldKeys, oldBlocks, oldMask) = unsafe (keys, blocks, mask)
        var live = 0
        for position in 0...oldMask where unsafe oldKeys[position] != .max && oldBlocks[position][Self.rowCount] > 0 { live += 1 }
        var size = 16
        while size < (live + 1) * 4 { size *= 2 }
        mask = size - 1
        unsafe keys = .allocate(capacity: size)
        unsafe keys.initialize(repeating: .max, count: size)
        unsafe blocks = .allocate(capacity: size)
        usedCount = live
        lastKey = .max
        for position in 0...oldMask where unsafe oldKeys[position] != .max {
            if unsafe oldBlocks[position][Self.rowCount] > 0 {
                unsafe place(oldKeys[position], oldBlocks[position])
            } else {
                unsafe oldBlocks[position].deallocate()
            }
        }
        unsafe oldKeys.deallocate()
        unsafe oldBlocks.deallocate()
    }
}
